import { compareFloodAreas, MINIMAL_HAZARD, type FloodArea } from '../domain/flood-zone.ts';
import { readFloodRecord } from '../domain/flood-record.ts';
import { datasetsNear, type PlaceDeps } from './deps.ts';

/**
 * The flood area that answers for a point: of all that hold it, the one of the highest hazard. Where none does but the
 * operator has said that the place was studied, minimal hazard; null outside the map.
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

/** What the map means by leaving a studied place blank. */
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
