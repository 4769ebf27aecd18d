import type { Day } from '../domain/day.ts';
import { compareFloodAreas, effectiveOn, readFloodRecord, type FloodArea } from '../domain/flood-zone.ts';
import { mayReach } from '../geo/bounds.ts';
import type { LatLon } from '../geo/distance.ts';
import { openDatasets, type PlaceDeps } from './deps.ts';

/**
 * Opens the flood maps that may contain any of the points. A lookup returns the flood area with the highest hazard at a
 * point; minimal hazard if studied; null outside the map. With a day, it is null if the map there took effect later.
 */
export async function openFloodAreas(
  deps: PlaceDeps,
  points: readonly LatLon[],
): Promise<(point: LatLon, day?: Day) => FloodArea | null> {
  const layers = await openDatasets(deps, 'flood', deps.areaLayers, (bounds) =>
    points.some(({ lat, lon }) => mayReach(bounds, lat, lon, 0)),
  );
  return ({ lat, lon }, day = Infinity) => {
    const records = layers
      .filter(({ dataset: { bounds } }) => bounds === null || mayReach(bounds, lat, lon, 0))
      .flatMap(({ data }) => data.map.areasAt(lat, lon).map((at) => data.records[at]));
    if (records.some((record) => effectiveOn(record) > day)) return null;
    const areas = records.map(readFloodRecord).filter((area) => area !== null);
    const [highest] = areas.sort(compareFloodAreas);
    return highest ?? (records.length > 0 ? readFloodRecord(MINIMAL) : null);
  };
}

/** The hazard of a studied place without a flood area. */
const MINIMAL = { fld_zone: 'X', zone_subty: 'AREA OF MINIMAL FLOOD HAZARD' };
