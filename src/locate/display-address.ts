import type { PostalAddress } from '../domain/address.ts';
import { parseAddress } from '../domain/address-parts.ts';
import type { DisplayAddress } from './located.ts';

/** Maximum length of a caller's text in a response; no address is longer. */
const MAX_CHARACTERS = 200;

/** "2263 N LAKE DR, Milwaukee, WI 53202". Unknown parts are left out; empty if all are unknown. */
export function formatAddress({ street, city, stateCode, postalCode }: PostalAddress): string {
  const region = [stateCode, postalCode].filter((part) => part !== '').join(' ');
  return [street, city, region].filter((part) => part !== '').join(', ');
}

/** A published address for display. */
export function displayOf(address: PostalAddress): DisplayAddress {
  const city = address.city.trim();
  const stateCode = address.stateCode.trim();
  const postalCode = address.postalCode.trim();
  const street = withoutRepeats(address.street.trim(), [postalCode, stateCode, city]);
  const shown = { street, city, stateCode, postalCode };
  return { formatted: formatAddress(shown), ...shown };
}

/** An address as the caller wrote it, completed with the parts of the matched row. */
export function displayOfText(text: string, matched: PostalAddress | null): DisplayAddress {
  const formatted = plainText(text);
  if (matched) return { ...displayOf(matched), formatted };
  const { city, stateCode, postalCode } = parseAddress(text);
  const [street = ''] = formatted.split(',');
  return { formatted, street: street.trim(), city: titleCase(city), stateCode, postalCode };
}

/** Makes untrusted text safe for a response: one line, no control characters, limited length. */
export function plainText(text: string): string {
  return text
    .slice(0, MAX_CHARACTERS * 2)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_CHARACTERS);
}

/** Many files repeat city and ZIP in the street column ("322 N 105TH ST SEATTLE 98133"). */
function withoutRepeats(street: string, repeats: readonly string[]): string {
  let rest = street;
  for (const repeat of repeats) {
    if (repeat !== '' && rest.toUpperCase().endsWith(` ${repeat.toUpperCase()}`)) {
      rest = rest.slice(0, -repeat.length).replace(/[\s,]+$/, '');
    }
  }
  return rest;
}

/** "SAINT FRANCIS" → "Saint Francis": a normalized name in a form for display. */
export function titleCase(text: string): string {
  return text.toLowerCase().replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
}
