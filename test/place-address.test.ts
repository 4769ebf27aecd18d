import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { importAddresses } from '../src/load/import-parcels.ts';
import { engines } from './harness/store/engines.ts';
import { startPlaceService, type PlaceService } from './place-fixture.ts';

const ADDRESSES = [
  'address,city,state_code,postal_code,latitude,longitude',
  ...[100, 104, 110, 116].map((number) => `${number} Elm St,Riverton,WI,53001,43,-88.0${number}`),
  ...[7, 9, 13].map((number) => `${number} Oak Ave,Riverton,WI,53002,43.02,-88.${100 + number}`),
  // King County's business addresses repeat the city and ZIP in the street like this.
  '12 PINE ST LAKETON 53009,LAKETON,WI,53009,43.5,-88.5',
].join('\n');

const codesOf = (warnings: readonly { readonly code: string }[]): string[] =>
  warnings.map(({ code }) => code);

for (const engine of engines) {
  describe(engine.name, () => {
    let service: PlaceService;
    before(async () => {
      const store = await engine.open();
      service = await startPlaceService(store);
      const files = [service.file('addresses.csv', ADDRESSES)];
      await importAddresses(service.imports, { marketId: 'wi-river', files });
    });
    after(() => service.close());

    const ask = (path: string, address: string, more: object = {}) =>
      service.post(path, { location: { address }, ...more });

    test('place requests accept an address by its neighbors, street, ZIP or city, and report the match type', async () => {
      for (const [address, code, formatted] of [
        ['106 Elm Street, Riverton, WI', 'address_interpolated', '106 Elm St, Riverton, WI 53001'],
        ['Elm St, Riverton, WI', 'address_street_level', 'Elm St, Riverton, WI 53001'],
        ['1 Unknown Way, Riverton, WI 53002', 'address_postal_code_level', 'Riverton, WI 53002'],
        ['Riverton, WI', 'address_city_level', 'Riverton, WI'],
      ]) {
        // No map is loaded here. The fire response says so itself, the flood response in a warning.
        for (const [path, own] of [
          ['/v1/flood-zone', ['no_flood_data']],
          ['/v1/fire-risk', []],
        ] as const) {
          const { status, body } = await ask(path, address);
          assert.equal(status, 200, JSON.stringify(body));
          assert.deepEqual(codesOf(body.warnings), [code, ...own]);
          const { latitude, longitude } = body.location_info;
          assert.doesNotMatch(`${latitude} ${longitude}`, /\.\d{8}/, 'no more digits than are known');
          assert.equal(body.location_info.formatted_address, formatted);
        }
      }
      const there = await ask('/v1/flood-zone', '104 Elm St, Riverton');
      assert.deepEqual(codesOf(there.body.warnings), ['no_flood_data']);
    });

    test('an unknown place name is not asked for a house number', async () => {
      for (const address of ['New York, NY', '98101', 'nowhere']) {
        const { status, body } = await ask('/v1/flood-zone', address);
        assert.deepEqual([status, body.code], [404, 'address_not_found']);
        assert.match(body.detail, /is not in the address index of any market loaded here; check it/);
      }
    });

    test('metrics count how precisely places were found, and why others were not', async () => {
      const countOf = async (outcome: string): Promise<number> => {
        const { body } = await service.app.inject({ url: '/metrics' });
        const line = new RegExp(`^locate_outcome_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm');
        return Number(line.exec(body)?.[1] ?? 0);
      };
      for (const [outcome, address] of [
        ['address', '104 Elm St, Riverton'],
        ['interpolated', '106 Elm Street, Riverton, WI'],
        ['address_not_found', 'nowhere'],
      ]) {
        const before = await countOf(outcome);
        await ask('/v1/fire-risk', address);
        assert.equal((await countOf(outcome)) - before, 1, outcome);
      }
    });

    test('the nearest address is written without the city and ZIP that its file repeats', async () => {
      const { body } = await service.post('/v1/fire-risk', {
        location: { latitude: 43.5005, longitude: -88.5 },
      });
      assert.equal(body.location_info.formatted_address, '12 PINE ST, LAKETON, WI 53009');
      const [nearest] = body.warnings;
      assert.equal(nearest.code, 'address_nearest');
      assert.match(nearest.message, /the nearest one, 12 PINE ST, is 184 feet away/);
    });

    test('a valuation with only a ZIP or city is rejected with what was found', async () => {
      const property_fields = { total_bedrooms: 3, total_bathrooms: 2 };
      for (const [address, found] of [
        ['1 Unknown Way, Riverton, WI 53002', /only its ZIP \(Riverton, WI 53002\) is known/],
        ['Riverton, WI', /only its city \(Riverton, WI\) is known/],
      ] as const) {
        const { status, body } = await ask('/v1/avm/property', address, { property_fields });
        assert.deepEqual([status, body.code], [404, 'address_not_found']);
        assert.match(body.detail, found);
        assert.ok(Array.isArray(body.candidates));
      }
      const far = await ask('/v1/avm/property', '300 Elm St, Riverton, WI', { property_fields });
      assert.deepEqual(far.body.candidates[0], {
        formatted_address: '116 Elm St, Riverton, WI 53001',
        latitude: 43,
        longitude: -88.0116,
      });
      const known = await ask('/v1/avm/property', '106 Elm St, Riverton, WI', { property_fields });
      assert.equal(known.body.code, 'outside_coverage', 'located, although no market covers it');
    });
  });
}
