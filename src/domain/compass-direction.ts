/** A point in degrees, as in responses. */
interface Located {
  readonly latitude: number;
  readonly longitude: number;
}

const DIRECTIONS = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'] as const;

const MILES_PER_DEGREE_LATITUDE = 69.05;

/** Nearer than this, such as another unit of the building, a direction says nothing. */
const SAME_PLACE_MI = 0.005;

/** `0.42 mi NE`: how far away a place is, and in which direction. */
export function formatProximity(distanceMi: number, from: Located | null, to: Located): string {
  const miles = `${distanceMi.toFixed(2)} mi`;
  if (from === null || distanceMi < SAME_PLACE_MI) return miles;
  return `${miles} ${DIRECTIONS[eighthBetween(from, to)]}`;
}

/** Miles between places a few miles apart: the earth is taken as flat there. */
export function milesBetween(from: Located, to: Located): number {
  const north = (to.latitude - from.latitude) * MILES_PER_DEGREE_LATITUDE;
  const shrink = Math.cos((from.latitude * Math.PI) / 180);
  return Math.hypot(north, (to.longitude - from.longitude) * MILES_PER_DEGREE_LATITUDE * shrink);
}

/** Of the eight directions, clockwise from north, the one nearest to the line between places a few miles apart. */
export function eighthBetween(from: Located, to: Located): number {
  const east = (to.longitude - from.longitude) * Math.cos((from.latitude * Math.PI) / 180);
  const eighths = Math.round((4 / Math.PI) * Math.atan2(east, to.latitude - from.latitude));
  return (eighths + 8) % 8;
}
