import { compareFloodAreas, MINIMAL_HAZARD, type FloodArea } from '../domain/flood-zone.ts';
import { readFloodRecord } from '../domain/flood-record.ts';
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
      if (record === 'studied') isStudied = true;
      else areas.push(record);
    }
  }
  const [highest] = areas.sort(compareFloodAreas);
  return highest ?? (isStudied ? MINIMAL : null);
}

/** The meaning of a studied place without a flood area. */
const MINIMAL: FloodArea = {
  dfirmId: null,
  versionId: null,
  areaId: null,
  studyType: null,
  zone: 'X',
  zoneSubtype: MINIMAL_HAZARD,
  staticBfe: null,
  verticalDatum: null,
  lengthUnit: null,
  sourceCitation: null,
};
