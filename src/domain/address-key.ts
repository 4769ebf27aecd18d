import type { ParsedAddress } from './address-parts.ts';

/**
 * One text for one address however it is written: equal keys are the same door. A direction counts the same
 * before and after the name.
 */
export function addressKeyOf(parsed: ParsedAddress): string {
  return [doorKeyOf(parsed), parsed.city, parsed.stateCode, parsed.postalCode].join('|');
}

/** The same without city, state and ZIP, for places where those are known to agree or not known at all. */
export function doorKeyOf(parsed: Omit<ParsedAddress, 'city' | 'stateCode' | 'postalCode'>): string {
  const number = parsed.number + parsed.numberSuffix + (parsed.numberTo && `-${parsed.numberTo}`);
  return [number, directionsOf(parsed), parsed.streetName, parsed.streetType, parsed.unit].join('|');
}

/** Directions before and after the name as one: streets are written both ways. */
export function directionsOf(parsed: Pick<ParsedAddress, 'preDirection' | 'postDirection'>): string {
  return [parsed.preDirection, parsed.postDirection]
    .filter((direction) => direction !== '')
    .sort()
    .join(' ');
}

/** The addresses that a range stands for, one for each end ("4089-4091 N 9TH ST" answers to both); else the address itself. */
export function doorsOf(parsed: ParsedAddress): ParsedAddress[] {
  if (parsed.numberTo === '') return [parsed];
  return [parsed.number, parsed.numberTo].map((number) => ({ ...parsed, number, numberTo: '' }));
}
