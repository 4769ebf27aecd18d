import { distanceMi } from '../geo/distance.ts';

interface Placed {
  readonly lat: number;
  readonly lon: number;
}

/** The point nearest to the median point; the first of equals. Outliers move it little. */
export function middleOf<Point extends Placed>(points: readonly Point[]): Point {
  const { lat, lon } = medianPoint(points.map((point) => ({ ...point, weight: 1 })));
  const away = points.map((point) => distanceMi(lat, lon, point.lat, point.lon));
  const least = away.reduce((min, miles) => Math.min(min, miles), Infinity);
  return points[away.indexOf(least)];
}

/** The weighted median point: half of the weight is north and half south, half east and half west. */
export function medianPoint(points: readonly (Placed & { readonly weight: number })[]): Placed {
  return {
    lat: weightedQuantile(
      points.map(({ lat, weight }) => ({ value: lat, weight })),
      0.5,
    ),
    lon: weightedQuantile(
      points.map(({ lon, weight }) => ({ value: lon, weight })),
      0.5,
    ),
  };
}

/** The weighted quantile: the smallest value that this share of the weight does not exceed. */
export function weightedQuantile(
  values: readonly { readonly value: number; readonly weight: number }[],
  share: number,
): number {
  const sorted = values.toSorted((a, b) => a.value - b.value);
  const total = sorted.reduce((sum, { weight }) => sum + weight, 0);
  let below = 0;
  for (const { value, weight } of sorted) {
    below += weight;
    if (below >= share * total) return value;
  }
  return sorted[sorted.length - 1].value;
}

/** The quantile of ascending values. */
export function quantileOf(ascending: readonly number[], share: number): number {
  return ascending[Math.max(0, Math.ceil(share * ascending.length) - 1)];
}
