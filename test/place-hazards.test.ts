import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { writeTiff } from './harness/load/tiff.ts';
import { importFire } from '../src/load/fire/import-fire.ts';
import { importFlood } from '../src/load/flood/import-flood.ts';
import { engines } from './harness/store/engines.ts';
import { startPlaceService, type PlaceService } from './place-fixture.ts';

const FLOOD = join(import.meta.dirname, '../../shared/data/flood');

/** A raster in degrees around 47.6° N 122.3° W: cells of 0.01°, the first column zero, the second without data. */
const raster = writeTiff({
  columns: 20,
  rows: 20,
  cellAt: (row, column) => (column === 0 ? 0 : column === 1 ? NaN : row / 250),
  tile: 16,
  compression: 'deflate',
  tags: {
    33550: { type: 'double', values: [0.01, 0.01, 0] },
    33922: { type: 'double', values: [0, 0, 0, -122.4, 47.7, 0] },
    34735: { type: 'short', values: [1, 1, 0, 3, 1024, 0, 1, 2, 1025, 0, 1, 1, 2048, 0, 1, 4326] },
  },
});

const square = (west: number, south: number, size: number) => [
  [
    [west, south],
    [west + size, south],
    [west + size, south + size],
    [west, south + size],
    [west, south],
  ],
];
const feature = (properties: object, rings: number[][][]) => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Polygon', coordinates: rings },
});
const collection = (...features: object[]): string => JSON.stringify({ type: 'FeatureCollection', features });

const AE = {
  DFIRM_ID: '55079C',
  VERSION_ID: '2.3.2.1',
  FLD_AR_ID: '55079C_7',
  STUDY_TYP: 'NP',
  FLD_ZONE: 'AE',
  ZONE_SUBTY: 'FLOODWAY',
  SFHA_TF: 'T',
  STATIC_BFE: 584.5,
  V_DATUM: 'NAVD88',
  LEN_UNIT: 'Feet',
  SOURCE_CIT: '55079C_STUDY1',
};
const shaded = {
  ...AE,
  FLD_AR_ID: '55079C_8',
  FLD_ZONE: 'X',
  ZONE_SUBTY: '0.2 PCT ANNUAL CHANCE FLOOD HAZARD',
  SFHA_TF: 'F',
  STATIC_BFE: -9999,
  V_DATUM: null,
  LEN_UNIT: ' ',
};
const floodFile = collection(feature(AE, square(-88, 43, 0.1)), feature(shaded, square(-88.05, 43, 0.2)));
const panels = collection(
  feature(
    { DFIRM_ID: '55079C', FIRM_PAN: '55079C0089E', PANEL_TYP: 'COUNTYWIDE, PANEL PRINTED' },
    square(-88.1, 42.9, 0.5),
  ),
);

const NOTHING = {
  version_id: null,
  fld_ar_id: null,
  study_typ: null,
  fld_zone: null,
  zone_subty: null,
  sfha_tf: null,
  static_bfe: null,
  v_datum: null,
  len_unit: null,
  source_cit: null,
  user_label: null,
  annual_risk: null,
  sfha: null,
};

for (const engine of engines) {
  describe(`${engine.name}: hazards of a place`, () => {
    let service: PlaceService;
    const at = (latitude: number, longitude: number) => ({ location: { latitude, longitude } });
    before(async () => {
      service = await startPlaceService(await engine.open());
      const { imports, file } = service;
      await importFire(imports, { marketId: 'wa-king', files: [file('bp.tif', raster)] });
      const availability = file('panels.geojson', panels);
      await importFlood(imports, {
        marketId: 'wi-test',
        files: [file('flood.geojson', floodFile)],
        availability,
      });
      if (existsSync(FLOOD)) {
        const files = ['100', '500'].map((years) =>
          join(FLOOD, `cambridge_FEMA_FloodPlains${years}Year.geojson.gz`),
        );
        await importFlood(imports, { marketId: 'ma-cambridge', files });
      }
    });
    after(() => service.close());

    test('fire risk returns probability, level, category, chance and years of the cell', async () => {
      const { status, body, headers } = await service.post('/v1/fire-risk', at(47.615, -122.295));
      assert.equal(status, 200);
      assert.equal(headers['x-credits-charged'], '10');
      assert.deepEqual(body.fire_risk, {
        has_fire_risk: true,
        risk_value: Math.fround(8 / 250),
        risk_level: 9,
        risk_category: 'high',
        risk_category_display: 'High',
        description:
          'Level 9 of 11: the map gives this location a 1-in-31 chance of burning in a year. This is the chance of the map cell burning, not of a house being lost.',
        data_source: 'USDA Forest Service',
        annual_chance: '1-in-31',
        return_period_years: 31,
        location: { latitude: 47.615, longitude: -122.295 },
      });
      assert.equal(body.location_info.latitude, 47.615);
      assert.ok(!('census_geoids' in body.location_info));
    });

    test('zero is zero and no data is unknown, both in a hole of the raster and outside it', async () => {
      const zero = await service.post('/v1/fire-risk', at(47.615, -122.395));
      assert.deepEqual(
        [
          zero.body.fire_risk.has_fire_risk,
          zero.body.fire_risk.risk_value,
          zero.body.fire_risk.risk_category,
        ],
        [true, 0, 'none'],
      );
      assert.deepEqual(
        [zero.body.fire_risk.annual_chance, zero.body.fire_risk.return_period_years],
        [null, null],
      );
      for (const place of [at(47.615, -122.385), at(40, -100), at(-90, 0), at(90, 180)]) {
        const { status, body } = await service.post('/v1/fire-risk', place);
        assert.equal(status, 200);
        const { has_fire_risk, risk_value, risk_level, risk_category } = body.fire_risk;
        assert.deepEqual([has_fire_risk, risk_value, risk_level, risk_category], [false, null, 0, 'unknown']);
        assert.equal(body.fire_risk.data_source, 'USDA Forest Service');
      }
    });

    test('flood zone returns the most hazardous area that contains the place, with sentinels as null', async () => {
      const high = await service.post('/v1/flood-zone', at(43.05, -87.95));
      assert.equal(high.status, 200);
      assert.equal(high.headers['x-credits-charged'], '10');
      assert.deepEqual(high.body.fema_flood_zone, {
        version_id: '2.3.2.1',
        fld_ar_id: '55079C_7',
        study_typ: null,
        fld_zone: 'AE',
        zone_subty: 'FLOODWAY',
        sfha_tf: 'T',
        static_bfe: 584.5,
        v_datum: 'NAVD88',
        len_unit: 'Feet',
        source_cit: '55079C_STUDY1',
        user_label: 'High Risk',
        annual_risk: '1%',
        sfha: true,
      });
      const moderate = await service.post('/v1/flood-zone', at(43.15, -87.95));
      const { fld_zone, static_bfe, len_unit, user_label, annual_risk, sfha } = moderate.body.fema_flood_zone;
      assert.deepEqual(
        [fld_zone, static_bfe, len_unit, user_label, annual_risk, sfha],
        ['X', null, null, 'Moderate Risk', '0.2%', false],
      );
    });

    test('a mapped place without a flood area has low risk, and outside the map everything is null', async () => {
      const studied = await service.post('/v1/flood-zone', at(43.35, -87.65));
      assert.deepEqual(studied.body.fema_flood_zone, {
        ...NOTHING,
        fld_zone: 'X',
        zone_subty: 'AREA OF MINIMAL FLOOD HAZARD',
        sfha_tf: 'F',
        user_label: 'Low Risk',
        sfha: false,
      });
      const outside = await service.post('/v1/flood-zone', at(44, -87));
      assert.equal(outside.status, 200);
      assert.deepEqual(outside.body.fema_flood_zone, NOTHING);
      assert.deepEqual(studied.body.warnings, []);
      assert.deepEqual(
        outside.body.warnings.map(({ code }: { code: string }) => code),
        ['no_flood_data'],
      );
    });

    test(
      'real flood areas of Cambridge: with elevation, floodway, shaded, and the gaps between them',
      { skip: !existsSync(FLOOD) && `there is no ${FLOOD}` },
      async () => {
        const zoneAt = async (lat: number, lon: number) => {
          const { body } = await service.post('/v1/flood-zone', at(lat, lon));
          const { fld_zone, zone_subty, static_bfe, v_datum, user_label, annual_risk } = body.fema_flood_zone;
          return [fld_zone, zone_subty, static_bfe, v_datum, user_label, annual_risk];
        };
        assert.deepEqual(await zoneAt(42.370236712613, -71.12478444978011), [
          'AE',
          null,
          3.5,
          'NAVD88',
          'High Risk',
          '1%',
        ]);
        assert.deepEqual(await zoneAt(42.397026747818, -71.153134591071), [
          'AE',
          'FLOODWAY',
          null,
          null,
          'High Risk',
          '1%',
        ]);
        assert.deepEqual(await zoneAt(42.38850661589721, -71.1543260520068), [
          'X',
          '0.2 PCT ANNUAL CHANCE FLOOD HAZARD',
          null,
          null,
          'Moderate Risk',
          '0.2%',
        ]);
        assert.deepEqual(await zoneAt(42.36558318819392, -71.08640948600193), [
          null,
          null,
          null,
          null,
          null,
          null,
        ]);
      },
    );

    for (const path of ['/v1/fire-risk', '/v1/flood-zone']) {
      test(`${path}: GET gives the same response as POST, and a dry run costs ten and runs nothing`, async () => {
        const post = await service.post(path, at(43.05, -87.95));
        const get = await service.get(`${path}?latitude=43.05&longitude=-87.95`);
        assert.deepEqual([get.status, get.body], [200, post.body]);
        const dry = await service.post(path, at(43.05, -87.95), { 'x-dry-run': 'true' });
        assert.deepEqual(dry.body, { dry_run: true, credits_max: 10 });
        assert.equal(dry.headers['x-credits-charged'], undefined);
      });

      test(`${path}: every limit of the request holds, with all errors at once`, async () => {
        const refused: readonly [unknown, readonly (readonly string[])[]][] = [
          [{}, [['body', 'location']]],
          [{ location: null }, [['body', 'location']]],
          [{ location: {} }, [['body', 'location']]],
          [at(90.01, 0), [['body', 'location', 'latitude']]],
          [
            at(-90.01, -180.01),
            [
              ['body', 'location', 'latitude'],
              ['body', 'location', 'longitude'],
            ],
          ],
          [at(0, 180.01), [['body', 'location', 'longitude']]],
          [{ location: { latitude: 43 } }, [['body', 'location', 'longitude']]],
          [{ location: { longitude: 43 } }, [['body', 'location', 'latitude']]],
          [
            { location: { latitude: '43', longitude: true } },
            [
              ['body', 'location', 'latitude'],
              ['body', 'location', 'longitude'],
            ],
          ],
          [{ location: { address: 'x'.repeat(501) } }, [['body', 'location', 'address']]],
          [[], [['body']]],
        ];
        for (const [body, locations] of refused) {
          const answer = await service.post(path, body);
          assert.equal(answer.status, 422, JSON.stringify(body));
          const found = answer.body.detail.map((error: { loc: string[] }) => error.loc);
          assert.deepEqual(found, locations, JSON.stringify(body));
        }
        for (const place of [at(90, 180), at(-90, -180)])
          assert.equal((await service.post(path, place)).status, 200);
        const nulls = { location: { latitude: 43, longitude: -88, address: null, maps_api_response: null } };
        assert.equal((await service.post(path, nulls)).status, 200);
        assert.equal((await service.get(`${path}?latitude=43`)).status, 422);
      });

      test(`${path}: unknown members cause warnings, and are rejected in strict mode`, async () => {
        const body = { ...at(43.05, -87.95), radius_mi: 3 };
        const lax = await service.post(path, body);
        assert.deepEqual(
          lax.body.warnings.map((warning: { field: string }) => warning.field),
          ['radius_mi'],
        );
        assert.equal((await service.post(path, body, { prefer: 'handling=strict' })).status, 422);
      });

      test(`${path}: an unknown address is a 404`, async () => {
        const { status, body } = await service.post(path, { location: { address: '1 Nowhere St, Nowhere' } });
        assert.deepEqual([status, body.code], [404, 'address_not_found']);
      });
    }
  });
}
