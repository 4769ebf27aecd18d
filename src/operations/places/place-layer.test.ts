import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  publishAreas,
  publishCensusTables,
  type TestArea,
} from '../../../test/harness/places/census-places.ts';
import { engines } from '../../../test/harness/store/engines.ts';
import { knownCell } from '../../domain/census/cell.ts';
import { openPlaces } from '../../places/open-places.ts';
import { currentDatasets } from '../../store/datasets.ts';
import { placeLayerAt } from './place-layer.ts';

const [LAT, LON] = [43, -88];

function areaAt(record: TestArea['record'], column: number): TestArea {
  const west = LON + 0.01 * column;
  return { record, west, south: LAT, east: west + 0.01, north: LAT + 0.01 };
}

for (const engine of engines) {
  test(`${engine.name}: layers color areas within three miles by class; what is far or of minimal hazard is left out`, async () => {
    const store = await engine.open();
    const zones: readonly (readonly [string, string | null, number])[] = [
      ['AE', 'FLOODWAY', 0],
      ['AE', null, 1],
      ['X', '0.2 PCT ANNUAL CHANCE FLOOD HAZARD', 2],
      ['X', 'AREA OF MINIMAL FLOOD HAZARD', 3],
      ['VE', null, 40],
    ];
    const flood = zones.map(([zone, subtype, column]) =>
      areaAt({ fld_zone: zone, zone_subty: subtype }, column),
    );
    await publishAreas(store, 'wi-a', 'flood', flood);
    const geoids = Array.from({ length: 6 }, (_, i) => `5507900010${i}`);
    const tracts = geoids.map((geoid, i) => areaAt({ geoid, vintage: 2020, name: null }, i - 3));
    await publishAreas(store, 'wi-a', 'census-areas', tracts);
    await publishCensusTables(
      store,
      'wi-a',
      geoids.map((geoid, i) => ({
        geoid,
        level: 'tract',
        name: geoid,
        year: 2023,
        tableId: 'B19013',
        cells: new Map([['001E', knownCell(40_000 + 10_000 * Math.min(i, 4))]]),
      })),
    );
    const deps = openPlaces(store, () => currentDatasets(store));
    const read = (layer: 'flood' | 'fire' | 'crime' | 'census', censusKey: string | null = null) =>
      placeLayerAt(deps, { layer, lat: LAT, lon: LON, censusKey });

    const { classes, areas } = await read('flood');
    assert.deepEqual(
      areas.map(({ label, classIndex }) => [label.split(',')[0], classes[classIndex]]),
      [
        ['Zone X', 'Moderate (0.2% a year)'],
        ['Zone AE', 'High (1% a year)'],
        ['Zone AE', 'Coastal, floodway'],
      ],
    );
    assert.deepEqual(areas[0].outline[0][0][0], [-87.98, 43]);

    const incomes = await read('census', 'B19013_001E');
    const labels = ['$40,000', '$50,000', '$60,000', '$70,000', '$80,000'];
    assert.deepEqual(incomes.classes, labels);
    assert.deepEqual(
      incomes.areas.map(({ id, classIndex }) => [id, classIndex]).sort(),
      geoids.map((geoid, i) => [geoid, Math.min(i, 4)]),
    );
    for (const empty of [await read('census', 'B99999_001E'), await read('fire'), await read('crime')]) {
      assert.deepEqual(empty.areas, []);
    }
    await store.close();
  });
}
