import { parseAddress } from './address-parts.ts';
import { addressWords } from './address-text.ts';
import { directionOf, streetTypeOf } from './street-words.ts';

/** Where a home is. */
export interface HomePlace {
  /** As it was given: its house number and unit are sometimes not those of the address that was found. */
  readonly address: string | null;
  readonly lat: number | null;
  readonly lon: number | null;
}

/**
 * Recognizes homes that were there before: the same point, house number and unit. The point alone is not
 * enough, because units of a building have one, and so do homes that are only known by their street. A home
 * without a point is the same in the words of its address.
 */
export function createHomeIndex<Entry>() {
  interface Point {
    readonly first: { readonly address: string | null; readonly entry: Entry };
    /** Null while all addresses are written alike: parsing 20,000 takes 0.7 s of CPU time. */
    byName: Map<string, Entry> | null;
  }
  const points = new Map<string, Point>();
  return {
    /** The entry of the home; that of `create` if the home is new. */
    findOrAdd({ address, lat, lon }: HomePlace, create: () => Entry): Entry {
      const hasPoint = lat !== null && lon !== null;
      const key = hasPoint ? `${lat} ${lon}` : wordsOfAddress(address ?? '');
      const point = points.get(key);
      if (!point) {
        const entry = create();
        points.set(key, { first: { address, entry }, byName: null });
        return entry;
      }
      const { first } = point;
      if (!hasPoint || address === first.address) return first.entry;
      point.byName ??= new Map([[nameAtPoint(first.address), first.entry]]);
      const name = nameAtPoint(address);
      const known = point.byName.get(name);
      if (known !== undefined) return known;
      const entry = create();
      point.byName.set(name, entry);
      return entry;
    },
  };
}

/** House number and unit of an address, however it is written; all of an address without a house number. */
function nameAtPoint(address: string | null): string {
  if (address === null) return '';
  const { number, numberTo, numberSuffix, unit } = parseAddress(address);
  return number === '' ? wordsOfAddress(address) : [number, numberTo, numberSuffix, unit].join('|');
}

/** An address without its case, accents, punctuation and ZIP+4, and with one spelling of its street type and directions. */
function wordsOfAddress(address: string): string {
  return addressWords(address)
    .map((words) => {
      // A type before the last is part of the name: Park Ave is not Parks Ave.
      const typeAt = words.findLastIndex((word) => streetTypeOf(word) !== null);
      const standard = (word: string, at: number) =>
        directionOf(word) ?? (at === typeAt ? streetTypeOf(word) : null) ?? word;
      return words.map(standard).join(' ');
    })
    .join(' ')
    .replace(/(?<= \d{5})-\d{4}$/, '');
}
