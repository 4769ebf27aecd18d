import { formatProximity, milesBetween } from '../../../src/domain/compass-direction.ts';

interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** Where areas without a name are: `2.40 mi NW of the center` of all of them. */
export function placeAmong(all: readonly Point[]): (area: Point) => string {
  const middle = (part: (point: Point) => number): number =>
    all.reduce((sum, point) => sum + part(point), 0) / Math.max(1, all.length);
  const center = {
    latitude: middle(({ latitude }) => latitude),
    longitude: middle(({ longitude }) => longitude),
  };
  return (area) => `${formatProximity(milesBetween(center, area), center, area)} of the center`;
}

/** The names of areas; with its place after it where several have the same or none: `ZIP 53202, 2.40 mi NW of the center`. */
export function nameApart<Area extends Point & { readonly name: string | null }>(
  areas: readonly Area[],
): string[] {
  const placeOf = placeAmong(areas);
  const counts = Map.groupBy(areas, ({ name }) => name);
  return areas.map((area) => {
    if (area.name === null) return placeOf(area);
    return counts.get(area.name)?.length === 1 ? area.name : `${area.name}, ${placeOf(area)}`;
  });
}

/** The middle of the box around an outline (GeoJSON order: longitude, latitude). */
export function middleOf(outline: readonly (readonly (readonly (readonly [number, number])[])[])[]): Point {
  const points = outline.flat(2);
  const middle = (axis: 0 | 1): number => {
    const values = points.map((point) => point[axis]);
    return (Math.min(...values) + Math.max(...values)) / 2;
  };
  return { latitude: middle(1), longitude: middle(0) };
}
