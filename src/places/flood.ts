import { compareFloodAreas, readFloodRecord, type FloodArea } from '../domain/flood-zone.ts';
import { datasetsNear, type PlaceDeps } from './deps.ts';

/**
 * The flood area with the highest hazard at a point. If there is none but the operator loaded the place as
 * studied, minimal hazard; null outside the map.
 */
export async function floodAreaAt(deps: PlaceDeps, lat: number, lon: number): Promise<FloodArea | null> {
  const areas: FloodArea[] = [];
  let isStudied = false;
  for (const { snapshotSha256 } of await datasetsNear(deps, 'flood', lat, lon)) {
    if (snapshotSha256 === null) continue;
    const { records, map } = await deps.areaLayers(snapshotSha256);
    for (const at of map.areasAt(lat, lon)) {
      const record = readFloodRecord(records[at]);
      if (record === null) isStudied = true;
      else areas.push(record);
    }
  }
  const [highest] = areas.sort(compareFloodAreas);
  return highest ?? (isStudied ? readFloodRecord(MINIMAL) : null);
}

/** The hazard of a studied place without a flood area. */
const MINIMAL = { fld_zone: 'X', zone_subty: 'AREA OF MINIMAL FLOOD HAZARD' };
