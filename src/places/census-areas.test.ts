import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { currentDatasets } from '../store/datasets.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { censusAreasAt, censusGeoidsOf, openCensusAreas } from './census-areas.ts';
import type { PlaceDeps } from './deps.ts';
import { openPlaces } from './open-places.ts';
import { publishAreas, type TestArea } from '../../test/harness/places/census-places.ts';

/** An area of one degree of latitude from `west` to `east`. */
function area(
  geoid: string,
  west: number,
  east: number,
  vintage = 2020,
  name: string | null = null,
): TestArea {
  return { record: { geoid, vintage, name, level: 'any' }, west, east, south: 40, north: 41 };
}

for (const engine of engines) {
  const store = await engine.open();
  const deps = openPlaces(store, () => currentDatasets(store));
  describe(engine.name, () => {
    after(() => store.close());

    /** Level → GEOID of the newest census at a longitude. */
    const geoidsAt = async (lon: number) =>
      Object.fromEntries(
        Object.entries(await censusAreasAt(deps, 40.5, lon)).map(([level, found]) => [level, found?.geoid]),
      );

    test('where only block groups are loaded, tract and county follow from their GEOIDs', async () => {
      await publishAreas(store, 'xx-a', 'census-areas', [
        area('530330001001', -100, -99, 2020, 'Block Group 1'),
      ]);
      const areas = await censusAreasAt(deps, 40.5, -99.5);
      assert.deepEqual(areas, {
        county: { geoid: '53033', name: null },
        tract: { geoid: '53033000100', name: 'Census Tract 1' },
        block_group: { geoid: '530330001001', name: 'Block Group 1' },
      });
      assert.deepEqual(censusGeoidsOf(areas), {
        state_fips: '53',
        county_fips: '033',
        tract_fips: '000100',
        block_fips: '1',
        geoid: '530330001001',
      });
      assert.deepEqual(await geoidsAt(-98), {});
      assert.equal(censusGeoidsOf({}), null);
    });

    test('areas that overlap slightly are nested: the smallest level decides, then the lowest GEOID', async () => {
      await publishAreas(store, 'xx-a', 'census-areas', [
        area('530330002001', -100, -98.999),
        area('530330001001', -99.001, -98),
        area('53033', -101, -99.5, 2020, 'King County'),
        area('53061', -99.5, -97, 2020, 'Snohomish County'),
        area('53033000300', -100, -98),
      ]);
      await publishAreas(store, 'xx-b', 'census-areas', [
        area('5306192000', -100, -97, 2020, 'Everett CCD'),
        area('5303392928', -100, -99, 2020, 'Seattle CCD'),
      ]);
      assert.deepEqual(await geoidsAt(-99.0005), {
        county: '53033',
        cousub: '5303392928',
        tract: '53033000100',
        block_group: '530330001001',
      });
      assert.equal((await censusAreasAt(deps, 40.5, -99.75)).county?.name, 'King County');
      assert.deepEqual(await geoidsAt(-98.5), {
        county: '53033',
        tract: '53033000100',
        block_group: '530330001001',
      });
      assert.deepEqual(await geoidsAt(-97.5), { county: '53061', cousub: '5306192000' });
      assert.deepEqual(censusGeoidsOf(await censusAreasAt(deps, 40.5, -97.5)), {
        state_fips: '53',
        county_fips: '061',
        cousub_fips: '92000',
      });
    });

    test('thousands of points are looked up in layers that are opened once', async () => {
      let [lists, layers] = [0, 0];
      const counted: PlaceDeps = {
        ...deps,
        listDatasets: () => (lists++, deps.listDatasets()),
        areaLayers: (sha256) => (layers++, deps.areaLayers(sha256)),
      };
      const points = Array.from({ length: 4000 }, (_, i) => ({ lat: 40.5, lon: -100 + i / 1000 }));
      const areasAt = await openCensusAreas(counted, points);
      for (const point of [points[999], points[1500], points[2500]]) {
        assert.deepEqual(areasAt(point), await censusAreasAt(deps, point.lat, point.lon));
        assert.deepEqual(areasAt(point, 2020), await censusAreasAt(deps, point.lat, point.lon, 2020));
      }
      assert.deepEqual([lists, layers], [1, 2]);
    });

    test('each census is looked up separately; by default the newest one loaded there', async () => {
      await publishAreas(store, 'xx-a', 'census-areas', [
        area('53033000100', -100, -98, 2010),
        area('53033000101', -100, -99, 2020),
      ]);
      await publishAreas(store, 'xx-b', 'census-areas', [area('53033', -100, -99, 2010)]);
      const tractOf = async (lon: number, vintage: 2010 | 2020) =>
        (await censusAreasAt(deps, 40.5, lon, vintage)).tract?.geoid;
      assert.equal(await tractOf(-99.5, 2010), '53033000100');
      assert.equal(await tractOf(-99.5, 2020), '53033000101');
      assert.equal(await tractOf(-98.5, 2020), undefined);
      assert.deepEqual(await geoidsAt(-99.5), { county: '53033', tract: '53033000101' });
      assert.deepEqual(await geoidsAt(-98.5), { county: '53033', tract: '53033000100' });
    });
  });
}
