import { distanceMi, type LatLon } from '../geo/distance.ts';

/** The point nearest to the median point; the first of equals. Outliers move it little. */
export function middleOf<Point extends LatLon>(points: readonly Point[]): Point {
  const { lat, lon } = medianPoint(points.map((point) => ({ ...point, weight: 1 })));
  const away = points.map((point) => distanceMi(lat, lon, point.lat, point.lon));
  const least = away.reduce((min, miles) => Math.min(min, miles), Infinity);
  return points[away.indexOf(least)];
}

/** The weighted median point: half of the weight is north and half south, half east and half west. */
export function medianPoint(points: readonly (LatLon & { readonly weight: number })[]): LatLon {
  const medianOf = (axis: 'lat' | 'lon'): number =>
    weightedQuantile(
      points.map((point) => ({ value: point[axis], weight: point.weight })),
      0.5,
    );
  return { lat: medianOf('lat'), lon: medianOf('lon') };
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
