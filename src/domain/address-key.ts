import type { ParsedAddress, Place } from './address-parts.ts';
import type { StreetLine } from './street-line.ts';

/** Addresses in the index have one house number each, so `numberTo` is optional. */
type KeyParts = Omit<StreetLine, 'numberTo'> & { readonly numberTo?: string };

/** One key per address point, however the address is written. Directions may precede or follow the name. */
export function addressKeyOf(parsed: KeyParts & Place): string {
  return [streetLineKeyOf(parsed), parsed.city, parsed.stateCode, parsed.postalCode].join('|');
}

/** The key without city, state and ZIP, for addresses where those agree or are unknown. */
export function streetLineKeyOf(parsed: KeyParts): string {
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
export function rangeEnds(parsed: ParsedAddress): ParsedAddress[] {
  if (parsed.numberTo === '') return [parsed];
  return [parsed.number, parsed.numberTo].map((number) => ({ ...parsed, number, numberTo: '' }));
}
