import type { ParsedAddress, Place } from './address-parts.ts';
import type { StreetLine } from './street-line.ts';

/** The index of addresses has no ranges. */
type KeyParts = Omit<StreetLine, 'numberTo'> & { readonly numberTo?: string };

/** One key per address point, however the address is written. Directions may precede or follow the name. */
export function addressKeyOf(parsed: KeyParts & Place): string {
  return [doorKeyOf(parsed), parsed.city, parsed.stateCode, parsed.postalCode].join('|');
}

/** The same without city, state and ZIP, for locations where those agree or are unknown. */
export function doorKeyOf(parsed: KeyParts): string {
  const number = parsed.number + parsed.numberSuffix + (parsed.numberTo ? `-${parsed.numberTo}` : '');
  return [number, directionsOf(parsed), parsed.streetName, parsed.streetType, parsed.unit].join('|');
}

/** Combines the directions before and after the name, because streets are written both ways. */
export function directionsOf(parsed: Pick<ParsedAddress, 'preDirection' | 'postDirection'>): string {
  return [parsed.preDirection, parsed.postDirection]
    .filter((direction) => direction !== '')
    .sort()
    .join(' ');
}

/** The address itself, or one address for each end of a range ("4089-4091 N 9TH ST"). */
export function doorsOf(parsed: ParsedAddress): ParsedAddress[] {
  if (parsed.numberTo === '') return [parsed];
  return [parsed.number, parsed.numberTo].map((number) => ({ ...parsed, number, numberTo: '' }));
}
