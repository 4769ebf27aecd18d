import type { Problem } from '../api/problem.ts';
import type { Point } from './map/map-content.ts';

/** A place that may have been meant. Its coordinates name it, as its text may be that of another place, too. */
export interface Candidate extends Point {
  readonly address: string;
  /** What tells it from others of the same text; null where the text does. */
  readonly apart: string | null;
}

/** Miles in a degree of latitude, and in one of longitude at the equator. */
const MILES_A_DEGREE = 69.05;

/** Places that a refusal offers, best first, each told apart from the others. */
export function candidatesOf({ members }: Pick<Problem, 'members'>): Candidate[] {
  const { candidates } = members;
  if (!Array.isArray(candidates)) return [];
  const read = candidates.flatMap((one: unknown) => readCandidate(one) ?? []);
  const places = read.filter((one, i) => read.findIndex((other) => isSame(one, other)) === i);
  return places.map((place) => {
    const alike = places.filter(({ address }) => address === place.address);
    return { ...place, apart: alike.length === 1 ? null : apartFrom(alike[0], place) };
  });
}

/** Whether the refusal is of a text that names more than one place, not of one that names none. */
export function isOfSeveral({ message }: Pick<Problem, 'message'>): boolean {
  return /\bfits several places\b/.test(message);
}

function readCandidate(one: unknown): Omit<Candidate, 'apart'> | null {
  if (typeof one !== 'object' || one === null) return null;
  const told = new Map<string, unknown>(Object.entries(one));
  const [address, latitude, longitude] = ['formatted_address', 'latitude', 'longitude'].map((name) =>
    told.get(name),
  );
  const isWhole =
    typeof address === 'string' && typeof latitude === 'number' && typeof longitude === 'number';
  return isWhole ? { address, latitude, longitude } : null;
}

function isSame(a: Omit<Candidate, 'apart'>, b: Omit<Candidate, 'apart'>): boolean {
  return a.address === b.address && a.latitude === b.latitude && a.longitude === b.longitude;
}

/** `43.05120, -87.90410`, and of all but the first how far from it: `1.2 miles northeast of the first`. */
function apartFrom(first: Point, place: Point): string {
  const at = `${place.latitude.toFixed(5)}, ${place.longitude.toFixed(5)}`;
  const north = (place.latitude - first.latitude) * MILES_A_DEGREE;
  const east =
    (place.longitude - first.longitude) * MILES_A_DEGREE * Math.cos((first.latitude * Math.PI) / 180);
  const miles = Math.hypot(north, east);
  if (miles === 0) return at;
  const far = miles < 0.1 ? `${Math.max(1, Math.round(miles * 5280))} feet` : `${miles.toFixed(1)} miles`;
  return `${at}, ${far} ${directionOf(north, east)} of the first`;
}

/** The eighth of the compass. */
function directionOf(north: number, east: number): string {
  const eighths = ['north', 'northeast', 'east', 'southeast', 'south', 'southwest', 'west', 'northwest'];
  return eighths[(Math.round(Math.atan2(east, north) / (Math.PI / 4)) + 8) % 8];
}
