import { eighthBetween, milesBetween } from '../../../../src/domain/compass-direction.ts';
import { formatDistance } from '../../../../src/domain/display-format.ts';
import type { Problem } from '../../api/problem.ts';
import type { Point } from './map-content.ts';

/** A location that an ambiguous address may mean. */
interface Candidate extends Point {
  readonly address: string;
  /** Distinguishes it from other candidates with the same address text; null if it has none. */
  readonly difference: string | null;
}

/** The candidates of an address error, best first. */
export function candidatesOf({ members }: Pick<Problem, 'members'>): Candidate[] {
  const { candidates } = members;
  if (!Array.isArray(candidates)) return [];
  const read = candidates.flatMap((one: unknown) => readCandidate(one) ?? []);
  const places = read.filter((one, i) => read.findIndex((other) => isSame(one, other)) === i);
  return places.map((place) => {
    const alike = places.filter(({ address }) => address === place.address);
    return { ...place, difference: alike.length === 1 ? null : differenceOf(alike[0], place) };
  });
}

type BareCandidate = Omit<Candidate, 'difference'>;

function readCandidate(one: unknown): BareCandidate | null {
  if (typeof one !== 'object' || one === null) return null;
  const { formatted_address: address, latitude, longitude }: Record<string, unknown> = { ...one };
  const isComplete =
    typeof address === 'string' && typeof latitude === 'number' && typeof longitude === 'number';
  return isComplete ? { address, latitude, longitude } : null;
}

function isSame(a: BareCandidate, b: BareCandidate): boolean {
  return a.address === b.address && a.latitude === b.latitude && a.longitude === b.longitude;
}

/** `43.05120, -87.90410`, and for all but the first the distance: `1.2 miles northeast of the first`. */
function differenceOf(first: Point, place: Point): string {
  const at = `${place.latitude.toFixed(5)}, ${place.longitude.toFixed(5)}`;
  const miles = milesBetween(first, place);
  if (miles === 0) return at;
  return `${at}, ${formatDistance(miles)} ${DIRECTIONS[eighthBetween(first, place)]} of the first`;
}

const DIRECTIONS = ['north', 'northeast', 'east', 'southeast', 'south', 'southwest', 'west', 'northwest'];
