import { createTextNumbers } from '../../domain/text-numbers.ts';

/** Places remembered. */
const MAX_PLACES = 500_000;

/** Remembers the first house number at each place, which is a point or a parcel. */
export function createFirstHouses() {
  const places = createTextNumbers();
  const houses: string[] = [];
  /** Each house number once: many places have the same. */
  const known = new Map<string, string>();
  return {
    /** The first house number at the place, if it is another one. */
    otherAt(place: string, house: string): string | null {
      const first = houses[places.find(place)];
      if (first !== undefined) return first === house ? null : first;
      if (houses.length >= MAX_PLACES) return null;
      const one = known.get(house) ?? house;
      known.set(one, one);
      houses[places.numberOf(place)] = one;
      return null;
    },
  };
}

/** The house number that an address begins with. */
export function houseOf(address: string): string | undefined {
  return /^\s*\d+/.exec(address)?.[0];
}
