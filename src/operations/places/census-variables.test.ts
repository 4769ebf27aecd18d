import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knownCell } from '../../domain/census/cell.ts';
import type { CensusTable } from '../../domain/census/census-table.ts';
import { openPlaces } from '../../places/open-places.ts';
import {
  publishAreas,
  publishCensusTables,
  type TestArea,
} from '../../../test/harness/places/census-places.ts';
import { currentDatasets } from '../../store/datasets.ts';
import { engines } from '../../../test/harness/store/engines.ts';
import { censusHere } from './census-variables.ts';

const LAT = 43.05;
const LON = -87.95;
const OLD = '55079000100';
const NEW = '55079000200';
const ELSEWHERE = '55079000300';

const area = (geoid: string, vintage: number, west: number): TestArea => ({
  record: { geoid, vintage, name: null },
  west,
  south: LAT - 0.01,
  east: west + 0.02,
  north: LAT + 0.01,
});

const table = (geoid: string, year: number): CensusTable => ({
  geoid,
  year,
  tableId: 'B19013',
  level: geoid.length === 5 ? 'county' : 'tract',
  name: geoid,
  cells: new Map([['001E', knownCell(50_000, 1000)]]),
});

for (const engine of engines) {
  test(`${engine.name}: the years to choose from are those loaded for the areas that contain the place`, async () => {
    const store = await engine.open();
    await publishAreas(store, 'wi-a', 'census-areas', [
      area(OLD, 2010, LON - 0.01),
      area(NEW, 2020, LON - 0.01),
      area(ELSEWHERE, 2020, LON + 0.05),
    ]);
    await publishCensusTables(store, 'wi-a', [
      table(OLD, 2018),
      // The 2020 census has another tract here, so this row describes a different area.
      table(OLD, 2022),
      table(NEW, 2023),
      table(ELSEWHERE, 2021),
      table('55079', 2020),
    ]);
    const places = openPlaces(store, () => currentDatasets(store));
    assert.deepEqual(await censusHere(places, LAT, LON), { county: '55079', years: [2023, 2020, 2018] });
    assert.deepEqual((await censusHere(places, LAT, LON + 0.06)).years, [2021, 2020]);
    assert.deepEqual(await censusHere(places, 0, 0), { county: null, years: [] });
    await store.close();
  });
}
