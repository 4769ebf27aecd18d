import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { importFlood } from '../src/load/flood/import-flood.ts';
import { checkLedger, readUsage } from '../src/store/credit-ledger.ts';
import { engines } from './harness/store/engines.ts';
import { startPlaceService, type PlaceService } from './place-fixture.ts';

const PATH = '/v1/comprehensive';
const INSIDE = { latitude: 43.05, longitude: -87.95 };
const HOME = { total_bedrooms: 3, total_bathrooms: 2 };
const floodFile = JSON.stringify({
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      properties: { FLD_AR_ID: '1', FLD_ZONE: 'AE', SFHA_TF: 'T', STATIC_BFE: 584.5 },
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [-88, 43],
            [-87.9, 43],
            [-87.9, 43.1],
            [-88, 43.1],
            [-88, 43],
          ],
        ],
      },
    },
  ],
});

for (const engine of engines) {
  describe(`everything about one place, on ${engine.name}`, () => {
    let service: PlaceService;
    before(async () => {
      service = await startPlaceService(await engine.open());
      const file = service.file('flood.geojson', floodFile);
      await importFlood(service.imports, { marketId: 'wi-test', files: [file] });
    });
    after(() => service.close());

    test('place sections need only the location, and sections that were not requested are null', async () => {
      const { status, body } = await service.post(PATH, { location: INSIDE });
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(body.property_avm, null);
      assert.equal(body.location_data.flood_zone.fld_zone, 'AE');
      assert.equal(body.location_data.fire_risk.has_fire_risk, false);
      assert.deepEqual(body.location_data.crime.crime_instances, []);
      assert.deepEqual(body.census_data.acs_data, []);
      assert.deepEqual(body.errors, {});
      assert.deepEqual(Object.keys(body.metadata.credits_breakdown), [
        'census-data',
        'crime-data',
        'fire-risk',
        'flood-zone',
      ]);
    });

    test('each section equals the response of its own operation', async () => {
      const whole = (await service.post(PATH, { location: INSIDE })).body;
      const flood = (await service.post('/v1/flood-zone', { location: INSIDE })).body;
      const fire = (await service.post('/v1/fire-risk', { location: INSIDE })).body;
      const crime = (await service.post('/v1/crime-data', { location: INSIDE })).body;
      const census = (await service.post('/v1/census-data', { location: INSIDE })).body;
      assert.deepEqual(whole.location_data.flood_zone, flood.fema_flood_zone);
      assert.deepEqual(whole.location_data.fire_risk, fire.fire_risk);
      assert.deepEqual(whole.location_data.crime.query, crime.query);
      assert.deepEqual(whole.census_data.acs_data, census.acs_data);
      const { census_geoids: geoids, ...location } = whole.address_info;
      assert.deepEqual(location, flood.location_info);
      assert.deepEqual(whole.census_data.census_geoids, geoids);
    });

    test('a section that fails is null with its reason and costs nothing, and the others succeed', async () => {
      const asked = { location: INSIDE, property_fields: HOME, requests: ['property-avm', 'flood-zone'] };
      const { status, body, headers } = await service.post(PATH, asked);
      assert.equal(status, 200);
      assert.equal(body.property_avm, null);
      assert.deepEqual(
        [body.errors['property-avm'].status, body.errors['property-avm'].code],
        [404, 'outside_coverage'],
      );
      assert.deepEqual(body.metadata.credits_breakdown, { 'flood-zone': 10 });
      assert.equal(body.metadata.credits_used, 10);
      assert.equal(Number(headers['x-credits-charged']), 10);
    });

    test("if every section fails, the response is the first one's error", async () => {
      const asked = {
        location: INSIDE,
        property_fields: HOME,
        rental_fields: { units: [{ bedrooms: 1, bathrooms: 1, fully_furnished: true }] },
        requests: ['rental-avm', 'property-avm'],
      };
      const { status, body } = await service.post(PATH, asked);
      assert.deepEqual([status, body.code], [404, 'outside_coverage']);
    });

    test('a location that cannot be found is a 404 for all sections', async () => {
      const { status, body } = await service.post(PATH, { location: { address: '1 Nowhere Rd' } });
      assert.deepEqual([status, body.code], [404, 'address_not_found']);
    });

    test('metadata holds version, request, time and a breakdown that sums to the charged credits', async () => {
      const { body } = await service.post(PATH, { location: INSIDE }, { 'x-request-id': 'my-own' });
      const { metadata } = body;
      assert.equal(metadata.api_version, 'v1.0.0');
      assert.equal(metadata.request_id, 'my-own');
      assert.equal(new Date(metadata.response_timestamp).toISOString(), metadata.response_timestamp);
      assert.ok(metadata.compute_ms >= 0);
      const parts: number[] = Object.values(metadata.credits_breakdown);
      assert.equal(
        parts.reduce((sum, part) => sum + part, 0),
        metadata.credits_used,
      );
    });

    test('a comprehensive request and each single place request add one ledger line, and rejections add none', async () => {
      const { store } = service.imports;
      const before = await readUsage(store, 'self', '2026-06');
      const charged = { credits: 0 };
      for (const path of [PATH, '/v1/crime-data', '/v1/fire-risk', '/v1/flood-zone', '/v1/census-data']) {
        const { status, headers } = await service.post(path, { location: INSIDE });
        assert.equal(status, 200, path);
        charged.credits += Number(headers['x-credits-charged']);
      }
      assert.equal((await service.post(PATH, { location: {} })).status, 422);
      const sum = (all: typeof before, of: 'requests' | 'credits') =>
        all.reduce((total, one) => total + one[of], 0);
      const after = await readUsage(store, 'self', '2026-06');
      assert.deepEqual(
        [sum(after, 'requests') - sum(before, 'requests'), sum(after, 'credits') - sum(before, 'credits')],
        [5, charged.credits],
      );
      assert.deepEqual((await checkLedger(store)).differences, []);
    });

    test('a dry run costs nothing and reports the highest cost', async () => {
      const asked = { location: INSIDE, property_fields: HOME, search_params: { num_comps: 5 } };
      const { status, body } = await service.post(PATH, asked, { 'x-dry-run': 'true' });
      assert.equal(status, 200);
      assert.equal(body.dry_run, true);
      assert.ok(body.credits_max >= 30 + 5 + 10 + 10 + 10, `${body.credits_max}`);
    });

    const refusals: readonly [string, object, (string | number)[], string][] = [
      ['a valuation without its home', { requests: ['property-avm'] }, ['property_fields'], 'missing'],
      ['an unknown section', { requests: ['weather'] }, ['requests', 0], 'enum'],
      [
        'a malformed census key',
        { census: { census_keys: ['income'] } },
        ['census', 'census_keys', 0],
        'unknown_census_key',
      ],
      [
        'a census key that is not loaded',
        { census: { census_keys: ['B99999_001E'] } },
        ['census', 'census_keys', 0],
        'unknown_census_key',
      ],
      ['too wide a search', { crime: { radius_mi: 10.5 } }, ['crime', 'radius_mi'], 'less_than_equal'],
      [
        'a period that ends before it begins',
        { crime: { start: '2026-02-01', end: '2026-01-01' } },
        ['crime', 'end'],
        'date_order',
      ],
      [
        'a unit with too many bedrooms',
        { rental_fields: { units: [{ bedrooms: 11, bathrooms: 1 }] } },
        ['rental_fields', 'units', 0, 'bedrooms'],
        'less_than_equal',
      ],
      [
        'a duplex with one unit',
        { multifamily_fields: { bedrooms: 2, bathrooms: 2, total_units: 1 } },
        ['multifamily_fields', 'total_units'],
        'greater_than_equal',
      ],
      [
        'a future date',
        { search_params: { date: '2026-07-01' } },
        ['search_params', 'date'],
        'date_in_future',
      ],
    ];
    for (const [what, members, loc, type] of refusals) {
      test(`${what} is rejected with its location`, async () => {
        const { status, body } = await service.post(PATH, { location: INSIDE, ...members });
        assert.equal(status, 422, JSON.stringify(body));
        assert.deepEqual(
          body.detail.map((error: { loc: unknown; type: string }) => [error.loc, error.type]),
          [[['body', ...loc], type]],
        );
      });
    }
  });
}
