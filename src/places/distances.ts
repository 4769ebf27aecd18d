import { DISTANCE_FACTS, LONGEST_DISTANCE_MI, type DistanceFact } from '../domain/location-facts.ts';
import type { AreaLayer } from '../geo/areas/area-layer.ts';
import { milesToNearest } from '../geo/areas/nearest-area.ts';
import { mayReach, type Bounds } from '../geo/bounds.ts';
import type { LatLon } from '../geo/distance.ts';
import { openDatasets, type PlaceDeps } from './deps.ts';

/** Distances in miles by name, in steps of 0.01 (53 ft); those without a map are missing. */
type Distances = Readonly<Record<string, string>>;

/** Opens the map layers that may contain any of the points; a lookup measures from a point to what is near. */
export async function openDistances(
  deps: PlaceDeps,
  points: readonly LatLon[],
): Promise<(point: LatLon) => Distances> {
  const mayHave = (bounds: Bounds) => points.some(({ lat, lon }) => mayReach(bounds, lat, lon, 0));
  const measures: ((point: LatLon) => readonly [string, string] | null)[] = [];
  for (const fact of DISTANCE_FACTS) {
    const opened = await openDatasets(deps, fact.layer, deps.areaLayers, mayHave);
    const layers = opened.map(({ data }) => ({ map: data.map, wanted: wantedOf(data, fact) }));
    // Where no feature has one of the classes, the file may not have contained them.
    const drawn = layers.filter(({ wanted }) => wanted.some);
    measures.push((point) => {
      const around = drawn.filter(
        ({ map: { bounds } }) => bounds && mayReach(bounds, point.lat, point.lon, 0),
      );
      if (around.length === 0) return null;
      const miles = around.map(({ map, wanted }) => milesToNearest(map, point, wanted, LONGEST_DISTANCE_MI));
      return [fact.name, String(Number(Math.min(...miles).toFixed(2)))];
    });
  }
  return (point) =>
    Object.fromEntries(measures.map((measure) => measure(point)).filter((one) => one !== null));
}

function wantedOf({ records }: AreaLayer, { classes }: DistanceFact) {
  const names = new Set<unknown>(classes);
  const isWanted = (area: number): boolean => names.has(records[area].class);
  return {
    some: records.some((_, area) => isWanted(area)),
    isWanted,
    isLine: (area: number): boolean => records[area].line === true,
  };
}
