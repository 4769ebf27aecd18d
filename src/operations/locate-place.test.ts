import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { PostalAddress } from '../domain/address.ts';
import { openPlaces } from '../places/open-places.ts';
import { publishAreas } from '../../test/harness/places/census-places.ts';
import { currentDatasets } from '../store/datasets.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { addressInfoOf } from './locate-place.ts';

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
