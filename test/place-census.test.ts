import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { CensusDataBody, CensusVariablesBody } from '../src/schemas/census.ts';
import { importCensusAreas } from '../src/load/census-areas/import-census-areas.ts';
import { importCensusValues } from '../src/load/census-values/import-census-values.ts';
import { openTable } from '../src/tables/open-table.ts';
import { engines } from './harness/store/engines.ts';
import { startPlaceService, type PlaceAnswer, type PlaceService } from './place-fixture.ts';

type Json = PlaceAnswer['body'];

const DATA = join(import.meta.dirname, '../../shared/data/census');
const HERE = { latitude: 47.605, longitude: -122.295 };

const square = (geoids: Record<string, string>, west: number, south: number) => ({
  type: 'Feature',
  properties: geoids,
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [west, south],
        [west + 0.01, south],
        [west + 0.01, south + 0.01],
        [west, south + 0.01],
        [west, south],
      ],
    ],
  },
});
const collection = (...features: object[]): string => JSON.stringify({ type: 'FeatureCollection', features });

/** The same place is in block group 1 of 2010, and since 2020 in block group 2 of another tract. */
const OLD = '530330075001';
const NEW = '530330076002';
const AREAS_2010 = collection(square({ GEOID10: OLD }, -122.3, 47.6));
const AREAS_2020 = collection(
  square({ GEOID20: NEW }, -122.3, 47.6),
  square({ GEOID20: '5303392928', NAMELSAD20: 'Seattle CCD' }, -122.3, 47.6),
);

const row = (geoid: string, ...cells: (number | string)[]) =>
  `${{ 5: '050', 10: '060', 11: '140', 12: '150' }[geoid.length]}0000US${geoid},Area ${geoid},${cells.join(',')}\n`;
const INCOME = 'GEO_ID,NAME,B19013_001E,B19013_001M\n';
const TENURE = 'GEO_ID,NAME,B25003_001E,B25003_001M,B25003_002E,B25003_002M,B25003_003E,B25003_003M\n';
const FILES: Record<string, string> = {
  'ACSDT5Y2019.B19013.csv': INCOME + row(OLD, 50_000, 4000) + row(OLD.slice(0, 11), 55_000, 3000),
  'ACSDT5Y2021.B19013.csv': INCOME + row(NEW, 70_000, 9000) + row('53033', 106_326, 1200),
  'ACSDT5Y2023.B19013.csv':
    INCOME +
    row(NEW, '"250,000+"', '***') +
    row(NEW.slice(0, 11), -666666666, -222222222) +
    row('5303392928', 88_000, 900),
  'ACSDT5Y2023.B25003.csv':
    TENURE + row(NEW, 500, 60, 300, 50, 200, 55) + row(NEW.slice(0, 11), 0, 12, 0, 12, 0, 12),
};

const ajv = new Ajv2020({ strict: false, allowUnionTypes: true, validateFormats: false });
const isCensusData = ajv.compile(CensusDataBody);
const isCensusVariables = ajv.compile(CensusVariablesBody);

/** Each entry as `level year geoid` and one value. */
const shown = (body: Json, key: string): string[] =>
  body.acs_data.map((entry: Json) => {
    const { value, null_reason } = entry.variables[key];
    return `${entry.geography_level} ${entry.year} ${entry.geoid} ${value ?? null_reason}`;
  });

for (const engine of engines) {
  describe(engine.name, () => {
    let service: PlaceService;
    before(async () => {
      service = await startPlaceService(await engine.open());
      const market = { marketId: 'wa-king' };
      await importCensusAreas(service.imports, {
        ...market,
        files: [service.file('2010.geojson', AREAS_2010)],
      });
      await importCensusAreas(service.imports, {
        ...market,
        files: [service.file('2020.geojson', AREAS_2020)],
      });
      const files = Object.entries(FILES).map(([name, text]) => service.file(name, text));
      await importCensusValues(service.imports, { ...market, files });
    });
    after(() => service.close());

    const at = async (more: object, headers = {}): Promise<PlaceAnswer> => {
      const answer = await service.post('/v1/census-data', { location: HERE, ...more }, headers);
      if (answer.status === 200 && !('dry_run' in answer.body)) {
        assert.ok(isCensusData(answer.body), JSON.stringify(isCensusData.errors));
      }
      return answer;
    };
    const of = (body: object, headers = {}): Promise<PlaceAnswer> =>
      service.post('/v1/census-data/by-geoid', body, headers);

    test('years to 2019 use the areas of 2010, later ones those of 2020, and the newest year is the default', async () => {
      const keys = { census_keys: ['B19013_001E'] };
      const key = 'B19013_001E';
      const newest = await at(keys);
      assert.deepEqual(shown(newest.body, key), [`block_group 2023 ${NEW} 250000`]);
      assert.deepEqual(newest.body.acs_data[0].variables[key], {
        category: 'income',
        subcategory: 'median_household_income',
        value_type: 'currency',
        value: 250_000,
        base_variable: null,
        margin_of_error: null,
        null_reason: null,
        value_bound: 'at_least',
      });
      const years = await at({ ...keys, years: [2019, 2021, 2020, 2023] });
      assert.deepEqual(shown(years.body, key), [
        `block_group 2019 ${OLD} 50000`,
        `block_group 2021 ${NEW} 70000`,
        `block_group 2023 ${NEW} 250000`,
      ]);
      assert.equal(years.headers['x-credits-charged'], '3');
      const levels = await at({ ...keys, geographies: ['county', 'cousub', 'tract', 'block_group'] });
      assert.deepEqual(shown(levels.body, key), [
        'county 2021 53033 106326',
        'cousub 2023 5303392928 88000',
        `tract 2023 ${NEW.slice(0, 11)} too_few_sample_cases`,
        `block_group 2023 ${NEW} 250000`,
      ]);
      assert.deepEqual(levels.body.census_geoids, {
        state_fips: '53',
        county_fips: '033',
        cousub_fips: '92928',
        tract_fips: '007600',
        block_fips: '2',
        geoid: NEW,
      });
      assert.equal(levels.body.location_info.county, 'King County');
      assert.equal('census_geoids' in levels.body.location_info, false);
      assert.deepEqual(levels.body.warnings, []);
    });

    test('shares have their base and margin of error, or the reason why there is none', async () => {
      const { body } = await at({ geographies: ['block_group', 'tract'], census_keys: ['B25003_002E_pct'] });
      const [share, none] = body.acs_data.map((entry: Json) => entry.variables.B25003_002E_pct);
      // √(50² − 0.6²·60²) / 500 = 6.94%
      assert.deepEqual([share.value, share.margin_of_error, share.base_variable], [60, 6.94, 'B25003_001E']);
      assert.equal(share.value_type, 'percentage');
      assert.deepEqual([none.value, none.null_reason], [null, 'base_is_zero']);
    });

    test('without keys all loaded variables are returned, and categories and keys combine', async () => {
      const all = await at({});
      const keysOf = ({ body }: PlaceAnswer): string[] => Object.keys(body.acs_data[0].variables);
      const tenure = ['B25003_001E', 'B25003_002E', 'B25003_002E_pct', 'B25003_003E', 'B25003_003E_pct'];
      assert.deepEqual(keysOf(all), ['B19013_001E', ...tenure]);
      assert.equal(all.headers['x-credits-charged'], '6');
      assert.deepEqual(keysOf(await at({ categories: ['housing'] })), tenure);
      assert.deepEqual(keysOf(await at({ categories: ['housing'], census_keys: ['B19013_001E'] })), [
        'B19013_001E',
        ...tenure,
      ]);
      assert.deepEqual(keysOf(await at({ categories: [], census_keys: [], years: null })), keysOf(all));
    });

    test('a GET gives the same response as its POST, with lists repeated or separated by commas', async () => {
      const place = `latitude=${HERE.latitude}&longitude=${HERE.longitude}`;
      const posted = await at({
        years: [2021, 2023],
        geographies: ['tract', 'county'],
        census_keys: ['B19013_001E', 'B25003_002E_pct'],
      });
      for (const query of [
        'years=2021,2023&geographies=tract,county&census_keys=B19013_001E,B25003_002E_pct',
        'years=2021&years=2023&geographies=tract&geographies=county&census_keys=B19013_001E&census_keys=B25003_002E_pct',
      ]) {
        const got = await service.get(`/v1/census-data?${place}&${query}`);
        assert.equal(got.status, 200);
        assert.deepEqual(got.body, posted.body);
      }
    });

    test('geographies are recognized by the length of their GEOIDs, each returned once, in request order', async () => {
      const geoids = [NEW, '53033', OLD, NEW, '5303392928'];
      const many = await of({ geoids, census_keys: ['B19013_001E'] });
      assert.ok(isCensusData(many.body), JSON.stringify(isCensusData.errors));
      assert.deepEqual(shown(many.body, 'B19013_001E'), [
        `block_group 2023 ${NEW} 250000`,
        'county 2021 53033 106326',
        `block_group 2019 ${OLD} 50000`,
        'cousub 2023 5303392928 88000',
      ]);
      assert.deepEqual([many.body.location_info, many.body.census_geoids], [null, null]);
      const one = await of({ geoid: NEW.slice(0, 11), years: [2023] });
      assert.deepEqual(one.body.census_geoids, {
        state_fips: '53',
        county_fips: '033',
        tract_fips: '007600',
      });
    });

    test('data that is not loaded is missing or null, explained in a message, and free', async () => {
      const missing = await of({
        geoids: ['53061', NEW],
        census_keys: ['B19013_001E', 'B25064_001E', 'B25064_001E'],
      });
      assert.equal(missing.status, 200);
      assert.deepEqual(
        missing.body.acs_data.map((entry: Json) => [entry.geoid, Object.keys(entry.variables)]),
        [[NEW, ['B19013_001E', 'B25064_001E']]],
      );
      assert.equal(missing.body.acs_data[0].variables.B25064_001E.null_reason, 'not_loaded');
      assert.match(missing.body.warnings[0].message, /53061/);
      assert.equal(missing.headers['x-credits-charged'], '1');
      const away = await service.post('/v1/census-data', { location: { latitude: 47.5, longitude: -121.9 } });
      assert.deepEqual([away.status, away.body.acs_data], [200, []]);
      assert.deepEqual(
        away.body.warnings.map((warning: Json) => warning.code),
        ['no_census_area'],
      );
      assert.match(
        away.body.warnings[0].message,
        /No .*block_group.* area is loaded for this place; its county is known\.$/,
      );
      // The county is known even without imported areas.
      const county = await service.post('/v1/census-data', {
        location: { latitude: 47.5, longitude: -121.9 },
        geographies: ['county'],
      });
      assert.deepEqual(shown(county.body, 'B19013_001E'), ['county 2021 53033 106326']);
    });

    test('every limit of the requests holds on both sides', async () => {
      const fails = async (answer: Promise<PlaceAnswer>, ...wanted: [string, string][]): Promise<void> => {
        const { status, body } = await answer;
        assert.equal(status, 422, JSON.stringify(body));
        assert.deepEqual(
          body.detail.map((error: Json) => [error.loc.join('.'), error.type]),
          wanted,
        );
      };
      const works = async (answer: Promise<PlaceAnswer>): Promise<void> =>
        assert.equal((await answer).status, 200, JSON.stringify((await answer).body));
      await works(at({ years: [2009, 2099] }));
      await works(at({ years: Array.from({ length: 20 }, (_, i) => 2010 + i) }));
      await works(at({ years: null, geographies: null, census_keys: null, categories: null }));
      await fails(at({ years: [2008] }), ['body.years.0', 'greater_than_equal']);
      await fails(at({ years: [2100] }), ['body.years.0', 'less_than_equal']);
      await fails(at({ years: ['2020'] }), ['body.years.0', 'integer_type']);
      await fails(at({ years: 2020 }), ['body.years', 'array_type']);
      await fails(at({ years: Array.from({ length: 21 }, () => 2020) }), ['body.years', 'too_long']);
      await fails(at({ geographies: ['state'] }), ['body.geographies.0', 'enum']);
      await fails(
        at({ census_keys: ['B19013_001E', 'income', 'B19013_001M'] }),
        ['body.census_keys.1', 'unknown_census_key'],
        ['body.census_keys.2', 'unknown_census_key'],
      );
      await fails(at({ census_keys: ['B19013_001E', 'B19013_002E'] }), [
        'body.census_keys.1',
        'unknown_census_key',
      ]);
      await fails(at({ census_keys: ['B19013_001E_pct'] }), ['body.census_keys.0', 'unknown_census_key']);
      await fails(at({ categories: ['housing', 'weather'] }), ['body.categories.1', 'unknown_category']);
      await fails(
        service.post('/v1/census-data', { years: [1] }),
        ['body.location', 'missing'],
        ['body.years.0', 'greater_than_equal'],
      );
      await fails(
        service.get('/v1/census-data?census_keys=B19013_001E,x'),
        ['query.address', 'missing'],
        ['query.census_keys.1', 'unknown_census_key'],
      );
      await works(of({ geoids: Array.from({ length: 100 }, (_, i) => String(10_000 + i)) }));
      await fails(of({ geoids: Array.from({ length: 101 }, (_, i) => String(10_000 + i)) }), [
        'body.geoids',
        'too_long',
      ]);
      await fails(of({ geoids: [] }), ['body.geoids', 'too_short']);
      await fails(of({}), ['body.geoid', 'missing']);
      await fails(of({ geoid: null, geoids: null }), ['body.geoid', 'missing']);
      await fails(of({ geoid: '53033', geoids: ['53033'] }), ['body.geoid', 'alias_conflict']);
      await fails(of({ geoid: 53_033 }), ['body.geoid', 'string_type']);
      for (const geoid of ['53', '530331', '5303300760022', '53O33', '']) {
        await fails(of({ geoid }), ['body.geoid', 'geoid_format']);
      }
      await fails(of({ geoids: ['53033', 'x'] }), ['body.geoids.1', 'geoid_format']);
    });

    test('a dry run reports the highest cost and looks nothing up', async () => {
      const dry = { 'x-dry-run': 'true' };
      const keys = { census_keys: ['B19013_001E', 'B25003_002E_pct'] };
      assert.deepEqual(
        (await at({ ...keys, years: [2019, 2021], geographies: ['tract', 'county'] }, dry)).body,
        {
          dry_run: true,
          credits_max: 8,
        },
      );
      assert.equal((await at({}, dry)).body.credits_max, 6);
      assert.equal((await of({ geoids: ['53033', NEW], ...keys }, dry)).body.credits_max, 4);
      assert.equal((await at({ census_keys: ['B00000_001E'] }, dry)).status, 422);
    });

    test('a response of more than 50,000 figures is rejected with advice on what to request instead', async () => {
      const lines = Array.from({ length: 501 }, (_, i) => `DP05_${String(i + 1).padStart(4, '0')}E`);
      const geoids = Array.from({ length: 100 }, (_, i) => `5306100${String(i).padStart(4, '0')}`);
      const rows = geoids.map((geoid) => row(geoid, ...lines.map(() => 1)));
      const file = service.file('ACSDP5Y2021.DP05.csv', `GEO_ID,NAME,${lines.join(',')}\n${rows.join('')}`);
      await importCensusValues(service.imports, { marketId: 'wa-wide', files: [file] });
      const whole = await of({ geoids });
      assert.deepEqual([whole.status, whole.body.code], [400, 'bad_request']);
      assert.match(whole.body.detail, /would exceed 50000 figures.*census_keys or categories/);
      const part = await of({ geoids: geoids.slice(1) });
      assert.deepEqual([part.status, part.headers['x-credits-charged']], [200, '49599']);
    });

    test('the variable list matches the loaded data, and each variable can be requested', async () => {
      const { status, body } = await service.get('/v1/census-data/variables');
      assert.equal(status, 200);
      assert.ok(isCensusVariables(body), JSON.stringify(isCensusVariables.errors));
      const loaded = body.variables.filter((variable: Json) => !variable.census_key.startsWith('DP'));
      assert.equal(loaded.length, 6);
      const [income] = body.variables;
      assert.deepEqual(
        [income.census_key, income.years, income.geographies],
        ['B19013_001E', [2023, 2021, 2019], ['county', 'cousub', 'tract', 'block_group']],
      );
      const census_keys = loaded.map((variable: Json) => variable.census_key);
      const { body: asked } = await of({ geoid: NEW, census_keys });
      assert.deepEqual(Object.keys(asked.acs_data[0].variables), census_keys);
    });
  });
}

for (const engine of engines) {
  test(`${engine.name}: New York's block groups, requested by the hundred, sum to 8,379,552 people`, async (t) => {
    if (!existsSync(DATA)) return t.skip('no ../shared/data/census');
    const service = await startPlaceService(await engine.open());
    const files = [join(DATA, 'nyc_block_groups_ACSDT5Y2020.B01003-Data.csv.gz')];
    await importCensusValues(service.imports, { marketId: 'ny-nyc', files });
    const geoids: string[] = [];
    for await (const [geoid] of rowsOf(files[0])) geoids.push(geoid.slice('1500000US'.length));
    assert.equal(geoids.length, 6807);
    let people = 0;
    for (let start = 0; start < geoids.length; start += 100) {
      const { body } = await service.post('/v1/census-data/by-geoid', {
        geoids: geoids.slice(start, start + 100),
        census_keys: ['B01003_001E'],
      });
      for (const entry of body.acs_data) people += entry.variables.B01003_001E.value;
    }
    assert.equal(people, 8_379_552);
    await service.close();
  });
}

async function* rowsOf(path: string): AsyncGenerator<readonly string[]> {
  const table = await openTable(path, () => {});
  for await (const rows of table.batches) for (const { cells } of rows) yield cells;
}
