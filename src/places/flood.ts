import { compareFloodAreas, readFloodRecord, type FloodArea } from '../domain/flood-zone.ts';
import { mayReach } from '../geo/bounds.ts';
import { openDatasets, type PlaceDeps } from './deps.ts';

/** The flood area with the highest hazard at a point; minimal hazard if studied; null outside the map. */
export async function floodAreaAt(deps: PlaceDeps, lat: number, lon: number): Promise<FloodArea | null> {
  const areas: FloodArea[] = [];
  let isStudied = false;
  const layers = await openDatasets(deps, 'flood', deps.areaLayers, (bounds) =>
    mayReach(bounds, lat, lon, 0),
  );
  for (const { data } of layers) {
    for (const at of data.map.areasAt(lat, lon)) {
      const record = readFloodRecord(data.records[at]);
      if (record === null) isStudied = true;
      else areas.push(record);
    }
  }
  const [highest] = areas.sort(compareFloodAreas);
  return highest ?? (isStudied ? readFloodRecord(MINIMAL) : null);
}

/** The hazard of a studied place without a flood area. */
const MINIMAL = { fld_zone: 'X', zone_subty: 'AREA OF MINIMAL FLOOD HAZARD' };
