import type { PostalAddress } from './address.ts';
import { cityOf, stateCodeIn, takeCountry, takePostalCode, takeState } from './address-place.ts';
import { addressWords } from './address-text.ts';
import { houseNumberOf } from './house-number.ts';
import {
  isUnitSegment,
  streetLineReadings,
  takeUnit,
  withCorrectedUnit,
  type LineReading,
  type StreetLine,
} from './street-line.ts';

/** The parts of an address, normalized for comparison, never for display; '' if a part is missing. */
export interface ParsedAddress extends StreetLine {
  readonly city: string;
  readonly stateCode: string;
  readonly postalCode: string;
}

/** The most likely reading of an address. Never throws; text that is not an address gives empty parts. */
export function parseAddress(text: string): ParsedAddress {
  return addressReadings(text)[0];
}

/** All plausible readings, most likely first: several if no comma separates street and city. */
export function addressReadings(text: string): ParsedAddress[] {
  const segments = addressWords(text).map(withCorrectedUnit);
  const last = segments.at(-1);
  if (last) takeCountry(last);
  if (last?.length === 0) segments.pop();
  const streetAt = streetSegment(segments);
  const street = segments[streetAt] ?? [];
  const others = segments.slice(streetAt + 1);
  const unit = segments
    .slice(0, streetAt)
    .concat(others)
    .filter(isUnitSegment)
    .map((words) => takeUnit([...words], true))
    .join('');
  const place = takePlace(others);
  // If commas already separated the city, the street segment contains nothing else.
  const readings =
    place.city === ''
      ? openReadings(street, place)
      : [{ ...streetLineReadings(street, true)[0].line, ...place }];
  return distinct(readings.map((reading) => ({ ...reading, unit: reading.unit || unit })));
}

/** The parts of an address in columns. The street column may repeat the other columns, or hold them all. */
export function addressPartsOf(address: PostalAddress): ParsedAddress {
  const city = addressWords(address.city).flat();
  const place = {
    city: cityOf(city),
    stateCode: stateCodeIn(address.stateCode),
    postalCode: /^\s*(\d{5})/.exec(address.postalCode)?.[1] ?? '',
  };
  const segments = addressWords(address.street).map(withCorrectedUnit);
  if (segments.length === 1) {
    const words = [...segments[0]];
    const postalCode = takePostalCode(words, 2);
    const stateCode =
      place.stateCode !== '' && words.at(-1) === place.stateCode ? takeState(words, 3, true) : '';
    const isRepeated = city.length > 0 && words.length > city.length + 1 && endsWith(words, city);
    if (isRepeated) words.splice(-city.length);
    if (isRepeated || place.city !== '' || (postalCode === '' && stateCode === '')) {
      const line = streetLineReadings(words, true)[0].line;
      return { ...line, ...place, postalCode: place.postalCode || postalCode };
    }
  }
  const parsed = parseAddress(address.street);
  return {
    ...parsed,
    city: place.city || parsed.city,
    stateCode: place.stateCode || parsed.stateCode,
    postalCode: place.postalCode || parsed.postalCode,
  };
}

export type Place = Pick<ParsedAddress, 'city' | 'stateCode' | 'postalCode'>;

/** Index of the segment that starts with a house number. "123, Main St" is joined to one segment. */
function streetSegment(segments: string[][]): number {
  const at = segments.findIndex(
    (words) => houseNumberOf(words).words > 0 || (isUnitSegment(words) && words.length > 3),
  );
  if (at < 0) return 0;
  const next = segments[at + 1];
  if (next && houseNumberOf(segments[at]).words === segments[at].length && !isUnitSegment(next)) {
    segments.splice(at, 2, [...segments[at], ...next]);
  }
  return at;
}

/** City, state and ZIP from the segments after the street. */
function takePlace(segments: readonly string[][]): Place {
  const rest = segments.map((words) => [...words]);
  let postalCode = '';
  let stateCode = '';
  for (let i = rest.length - 1; i >= 0; i--) {
    if (isUnitSegment(rest[i])) continue;
    postalCode ||= takePostalCode(rest[i], 0);
    const isCityNamed = rest.slice(0, i).some((words) => words.length > 0 && !isUnitSegment(words));
    if (stateCode === '') stateCode = takeState(rest[i], 0, isCityNamed);
    postalCode ||= takePostalCode(rest[i], 0);
    if (stateCode !== '' && postalCode !== '') break;
  }
  const cities = rest.filter(
    (words) => words.length > 0 && !isUnitSegment(words) && words.at(-1) !== 'COUNTY',
  );
  return { city: cityOf(cities.at(-1) ?? []), stateCode, postalCode };
}

/** The street segment may continue with city, state and ZIP. */
function openReadings(street: readonly string[], place: Place): ParsedAddress[] {
  const words = [...street];
  const postalCode = takePostalCode(words, 2);
  const withState = [...words];
  const stateCode = place.stateCode === '' ? takeState(withState, 2, true) : '';
  const found = { ...place, postalCode: place.postalCode || postalCode };
  const plain = streetLineReadings(words, false).map((reading) => placed(reading, found));
  if (stateCode === '') return plain;
  const stated = streetLineReadings(withState, false).map((reading) =>
    placed(reading, { ...found, stateCode }),
  );
  // "123 MAPLE LA" is a lane: a state must follow a city or precede a ZIP.
  const isState = stated[0].city !== '' || found.postalCode !== '';
  return isState ? [...stated, ...plain] : [...plain, ...stated];
}

function placed(reading: LineReading, place: Place): ParsedAddress {
  return { ...reading.line, ...place, city: cityOf(reading.rest) };
}

function endsWith(words: readonly string[], end: readonly string[]): boolean {
  const offset = words.length - end.length;
  return offset >= 0 && end.every((word, i) => words[offset + i] === word);
}

function distinct(readings: readonly ParsedAddress[]): ParsedAddress[] {
  return [...new Map(readings.map((reading) => [JSON.stringify(reading), reading])).values()];
}
