import type { MapLayerKind } from '../domain/map-layer.ts';
import type { AreaMap } from '../geo/areas/area-map.ts';
import { shapeOf } from '../geo/areas/area-map.ts';
import type { AreaShape } from '../geo/areas/area-shape.ts';
import { touches, type Bounds } from '../geo/bounds.ts';
import { openDatasets, type PlaceDeps } from './deps.ts';

/** A road, a lake, a park, a building, a city or a parcel. */
export interface MapFeature {
  /** Empty for parcels, which have no classes. */
  readonly featureClass: string;
  readonly name: string | null;
  /** Each polygon of a line is one path that is not closed. */
  readonly isLine: boolean;
  readonly shape: AreaShape;
  readonly pointCount: number;
}

/** Which features to read. */
interface FeatureChoice {
  readonly classes?: ReadonlySet<string>;
  /** Areas that are narrower and lower than this in degrees are left out. */
  readonly leastDegrees?: number;
}

/** The features of all markets whose boxes touch the box, in the order of their datasets and ids. */
export async function mapFeaturesIn(
  deps: PlaceDeps,
  layer: MapLayerKind | 'parcel-areas',
  bounds: Bounds,
  { classes, leastDegrees = 0 }: FeatureChoice = {},
): Promise<MapFeature[]> {
  const layers = await openDatasets(deps, layer, deps.areaLayers, (known) => touches(known, bounds));
  return layers.flatMap(({ data: { map, records } }) =>
    map.areasNear(bounds).flatMap((area): MapFeature[] => {
      const { class: given, name, line } = records[area];
      const featureClass = typeof given === 'string' ? given : '';
      if (classes !== undefined && !classes.has(featureClass)) return [];
      if (leastDegrees > 0 && line !== true && !isLarge(map, area, leastDegrees)) return [];
      return [
        {
          featureClass,
          name: typeof name === 'string' ? name : null,
          isLine: line === true,
          shape: shapeOf(map, area),
          pointCount: pointsOf(map, area).length / 2,
        },
      ];
    }),
  );
}

/** The points of all rings of an area. */
function pointsOf({ arrays }: AreaMap, area: number): Float64Array {
  const { firstPart, firstRing, firstPoint, points } = arrays;
  const start = firstPoint[firstRing[firstPart[area]]];
  const end = firstPoint[firstRing[firstPart[area + 1]]];
  return points.subarray(2 * start, 2 * end);
}

function isLarge(map: AreaMap, area: number, leastDegrees: number): boolean {
  const points = pointsOf(map, area);
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < points.length; i += 2) {
    west = Math.min(west, points[i]);
    east = Math.max(east, points[i]);
    south = Math.min(south, points[i + 1]);
    north = Math.max(north, points[i + 1]);
    if (east - west >= leastDegrees || north - south >= leastDegrees) return true;
  }
  return false;
}
