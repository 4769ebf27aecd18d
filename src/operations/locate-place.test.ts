import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { PostalAddress } from '../domain/address.ts';
import { composeOperations } from '../cli/compose-operations.ts';
import { openPlaces } from '../places/open-places.ts';
import { publishAreas } from '../../test/harness/places/census-places.ts';
import { currentDatasets } from '../store/datasets.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { addressInfoOf, locate } from './locate-place.ts';

const SEATTLE = { lat: 47.6, lon: -122.33 };
const address = (stateCode: string): PostalAddress => ({
  street: '1 A St',
  city: 'B',
  stateCode,
  postalCode: '',
});

for (const engine of engines) {
  const store = await engine.open();
  const deps = openPlaces(store, () => currentDatasets(store));
  describe(engine.name, () => {
    after(() => store.close());

    test('without any import, county and state come from the national atlas', async () => {
      const info = await addressInfoOf(deps, { ...SEATTLE, address: null, matchLevel: 'point' });
      assert.deepEqual(
        [info.county, info.stateCode, info.state, info.censusGeoids],
        ['King County', 'WA', 'Washington', { state_fips: '53', county_fips: '033' }],
      );
      const sea = await addressInfoOf(deps, { lat: 40, lon: -40, address: null, matchLevel: 'point' });
      assert.deepEqual([sea.county, sea.stateCode, sea.state, sea.censusGeoids], [null, null, null, null]);
    });

    test('the atlas is not used if the address names another state', async () => {
      const elsewhere = await addressInfoOf(deps, {
        ...SEATTLE,
        address: address('XX'),
        matchLevel: 'point',
      });
      assert.deepEqual([elsewhere.county, elsewhere.stateCode, elsewhere.censusGeoids], [null, 'XX', null]);
      const here = await addressInfoOf(deps, { ...SEATTLE, address: address('wa'), matchLevel: 'point' });
      assert.deepEqual([here.county, here.state], ['King County', 'Washington']);
    });

    test('a ZIP code of another state is a warning, but not near a border', async () => {
      const operations = composeOperations(store);
      const warned = async (address: string, at = { lat: 43.04, lon: -87.95 }) => {
        const { warnings } = await locate(operations, { ...at, address, mapsPlace: null }, 'area');
        return warnings.map(({ code, message }) => `${code}: ${message}`);
      };
      for (const zip of ['53202', '54999', '00042', '']) assert.deepEqual(await warned(`1 A St ${zip}`), []);
      for (const zip of ['99999', '60601-1234', '10001']) {
        const short = zip.slice(0, 5);
        assert.deepEqual(await warned(`1 A St, Milwaukee, WI ${zip}`), [
          `postal_code_differs: The ZIP code ${short} is not in Wisconsin, where this place is; check the address.`,
        ]);
      }
      const kansasCity = { lat: 39.1, lon: -94.6 };
      for (const zip of ['66101', '64105']) assert.deepEqual(await warned(`1 A St ${zip}`, kansasCity), []);
      assert.equal((await warned('1 A St 53202', kansasCity)).length, 1);
      assert.deepEqual(await warned('1 A St, B, XX 53202'), [], 'a generated county is in no state');
      await operations.valuationLog.close();
    });

    test('imported areas come before the atlas, and are named by it where no file names them', async () => {
      const record = { geoid: '530330001001', level: 'block_group', vintage: 2020, name: null };
      await publishAreas(store, 'xx-a', 'census-areas', [
        { record, west: -90, south: 40, east: -89, north: 41 },
      ]);
      const info = await addressInfoOf(deps, { lat: 40.5, lon: -89.5, address: null, matchLevel: 'point' });
      assert.deepEqual(
        [info.county, info.stateCode, info.censusGeoids],
        [
          'King County',
          'WA',
          {
            state_fips: '53',
            county_fips: '033',
            tract_fips: '000100',
            block_fips: '1',
            geoid: '530330001001',
          },
        ],
      );
    });
  });
}
