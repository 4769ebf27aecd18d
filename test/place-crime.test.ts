import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { CrimeDataBody } from '../src/schemas/crime.ts';
import { distanceMi } from '../src/geo/distance.ts';
import { importCrime } from '../src/load/crime/import-crime.ts';
import type { CrimeOptions } from '../src/load/import-options.ts';
import { engines, type TestEngine } from './harness/store/engines.ts';
import { startPlaceService, type PlaceAnswer } from './place-fixture.ts';
import type { Json } from './json.ts';

const HERE = { latitude: 43.04, longitude: -87.91 };
const HEADER =
  'incident_id,occurred_at,offense_code,offense_name,address,latitude,longitude,victim_sex,offender_race\n';
const CRIME: CrimeOptions = {
  timeZone: 'America/Chicago',
  agency: 'Springfield Police Department',
  keepPersonFields: false,
};

interface Service {
  readonly ask: (body: Json, headers?: Record<string, string>) => Promise<PlaceAnswer>;
  readonly get: (query: string) => Promise<PlaceAnswer>;
  readonly load: (
    rows: readonly string[],
    more?: { marketId?: string; crime?: Partial<CrimeOptions> },
  ) => Promise<void>;
  readonly close: () => Promise<void>;
}

async function startService(engine: TestEngine): Promise<Service> {
  const { imports, file, post, get, close } = await startPlaceService(await engine.open());
  return {
    ask: (body, headers) => post('/v1/crime-data', body, headers),
    get: (query) => get(`/v1/crime-data?${query}`),
    load: async (rows, { marketId = 'xx-springfield', crime = {} } = {}) => {
      const path = file('crime.csv', HEADER + rows.map((row) => `${row}\n`).join(''));
      await importCrime(imports, { marketId, files: [path], crime: { ...CRIME, ...crime } });
    },
    close,
  };
}

const day = (i: number): string => String((i % 28) + 1).padStart(2, '0');
/** Incident i: each has its own time and is a little further north. */
const row = (i: number, code = '120'): string =>
  `R${i},2025-0${1 + (i % 6)}-${day(i)} ${String(i % 24).padStart(2, '0')}:30,${code},,${100 + i} N OAK ST,${43.04 + i / 10_000},-87.91,F,W`;
const codes = ['120', '13A', '23C', '240', '36A', '90D', '09C'];
const ROWS = Array.from({ length: 130 }, (_, i) => row(i, codes[i % codes.length]));

const conforms = new Ajv2020({ strict: false, allowUnionTypes: true, validateFormats: false }).compile(
  CrimeDataBody,
);

for (const engine of engines) {
  test(`${engine.name}: crime around a place is listed newest first, page by page, and its total is counted`, async () => {
    const service = await startService(engine);
    await service.load(ROWS);
    const asked = { location: HERE, radius_mi: 0.5, include_crime_summary: true, limit: 20 };
    const inside = ROWS.filter(
      (_, i) => distanceMi(43.04, -87.91, Math.round((43.04 + i / 10_000) * 1000) / 1000, -87.91) <= 0.5,
    );
    const listed: Json[] = [];
    let cursor: string | null = null;
    for (let page = 0; page === 0 || cursor !== null; page++) {
      const { status, body, headers } = await service.ask({ ...asked, cursor });
      assert.equal(status, 200, JSON.stringify(body));
      assert.ok(conforms(body), JSON.stringify(conforms.errors));
      assert.equal(body.meta.count, body.crime_instances.length);
      assert.equal(body.meta.truncated, body.meta.next_cursor !== null);
      assert.equal(headers['x-credits-charged'], '11');
      assert.equal(body.summary.total, inside.length);
      const sum = (counts: Json): number => Object.values(counts).reduce((total, n) => total + n, 0);
      assert.equal(sum(body.summary.by_category), inside.length);
      assert.equal(sum(body.summary.by_severity), inside.length);
      listed.push(...body.crime_instances);
      cursor = body.meta.next_cursor;
    }
    assert.equal(listed.length, inside.length);
    assert.equal(new Set(listed.map(({ id }) => id)).size, inside.length);
    const times = listed.map(({ datetime }) => Date.parse(datetime));
    assert.deepEqual(
      times,
      times.toSorted((a, b) => b - a),
    );
    for (const { distance_mi, lat, lon } of listed) {
      assert.ok(distance_mi <= 0.5);
      assert.ok(Math.abs(distance_mi - distanceMi(43.04, -87.91, lat, lon)) <= 0.0005);
    }
    await service.close();
  });

  test(`${engine.name}: a record has the offense, the block and the local time, but no one's sex or race`, async () => {
    const service = await startService(engine);
    await service.load([
      'A-1,2025-07-04 21:15,13A,,1234-B N OAK ST #5,43.04012,-87.91034,F,W',
      'A-2,,,Loitering with a kite,8 AV / CONVENTION PL,43.04012,-87.91034,M,B',
    ]);
    const { body } = await service.ask({ location: HERE, include_crime_summary: true });
    assert.equal(typeof body.crime_instances[0].id, 'number');
    assert.ok(Number.isSafeInteger(body.crime_instances[0].id));
    assert.deepEqual(
      { ...body.crime_instances[0], id: 0, distance_mi: 0 },
      {
        id: 0,
        datetime: '2025-07-04T21:15:00-05:00',
        lat: 43.04,
        lon: -87.91,
        distance_mi: 0,
        offense_code: '13A',
        offense_category: 'Assault Offenses',
        offense_description: 'Aggravated Assault',
        severity: 'High',
        crime_type: 'Violent Crime',
        address: '1200 BLOCK N OAK ST',
        agency: 'Springfield Police Department',
        victim_sex: null,
        victim_race: null,
        victim_age_group: null,
        offender_sex: null,
        offender_race: null,
        offender_age_group: null,
        crime_against: 'Person',
        reference_id: 'A-1',
      },
    );
    const other = body.crime_instances[1];
    assert.deepEqual(
      [other.datetime, other.offense_code, other.severity, other.offense_description, other.address],
      [null, null, null, 'Loitering with a kite', '8 AV / CONVENTION PL'],
    );
    assert.deepEqual(body.summary.by_category, { 'Assault Offenses': 1, Unknown: 1 });
    assert.deepEqual(body.summary.by_severity, {
      Severe: 0,
      High: 1,
      Moderate: 0,
      Low: 0,
      Minor: 0,
      Unknown: 1,
    });
    // The operator may keep these fields. The next import without the option removes them again.
    await service.load(['A-1,2025-07-04 21:15,13A,,1234 N OAK ST,43.04012,-87.91034,F,W'], {
      crime: { keepPersonFields: true },
    });
    const kept = (await service.ask({ location: HERE })).body.crime_instances;
    assert.deepEqual([kept[0].victim_sex, kept[0].offender_race, kept[1].victim_sex], ['F', 'W', null]);
    await service.load(['A-3,2025-07-05 10:00,120,,1 N OAK ST,43.04012,-87.91034,F,W']);
    const now = (await service.ask({ location: HERE })).body.crime_instances;
    assert.deepEqual(
      now.map(({ victim_sex }: Json) => victim_sex),
      [null, null, null],
    );
    await service.close();
  });

  test(`${engine.name}: a cursor continues where it ended after an import, and works only for its own search`, async () => {
    const service = await startService(engine);
    await service.load(ROWS.slice(0, 40));
    const asked = { location: HERE, limit: 15 };
    const first = (await service.ask(asked)).body;
    const before = (await service.ask({ ...asked, cursor: first.meta.next_cursor })).body;
    await service.load([
      'NEW,2025-12-31 10:00,120,,,43.0401,-87.91,,',
      'OLD,2024-12-31 10:00,120,,,43.0401,-87.91,,',
    ]);
    const after = (await service.ask({ ...asked, cursor: first.meta.next_cursor })).body;
    assert.deepEqual(after.crime_instances, before.crime_instances);
    const newest = (await service.ask(asked)).body;
    assert.equal(newest.crime_instances[0].reference_id, 'NEW');
    for (const [cursor, location] of [
      [first.meta.next_cursor, { latitude: 43.041, longitude: -87.91 }],
      ['nonsense', HERE],
      [Buffer.from('[1,2,3]').toString('base64url'), HERE],
      [Buffer.from('{"a":1}').toString('base64url'), HERE],
    ]) {
      const { status, body } = await service.ask({ ...asked, location, cursor });
      assert.deepEqual([status, body.code], [400, 'invalid_cursor']);
    }
    await service.close();
  });

  test(`${engine.name}: no data for a place differs from no crime at a place`, async () => {
    const service = await startService(engine);
    await service.load(ROWS);
    const far = (
      await service.ask({ location: { latitude: 43.2, longitude: -87.91 }, include_crime_summary: true })
    ).body;
    assert.deepEqual(far.meta.coverage, { agencies: [], from: null, to: null, periods: [] });
    assert.deepEqual([far.summary.total, far.crime_instances], [0, []]);
    assert.equal(far.warnings[0].code, 'no_crime_data');
    const quiet = (await service.ask({ location: HERE, categories: ['Arson'] })).body;
    assert.deepEqual(quiet.crime_instances, []);
    assert.deepEqual(quiet.meta.coverage.agencies, ['Springfield Police Department']);
    assert.deepEqual(quiet.warnings, []);
    assert.equal(quiet.meta.coverage.from, '2025-01-01');
    const early = (await service.ask({ location: HERE, start: '2020-01-01', end: '2020-12-31' })).body;
    assert.deepEqual([early.crime_instances.length, early.warnings[0].code], [0, 'outside_crime_period']);
    await service.close();
  });

  test(`${engine.name}: dates are local to the place and inclusive, and categories match in any spelling`, async () => {
    const service = await startService(engine);
    await service.load([
      'N1,2025-03-01 23:59,120,,,43.04,-87.91,,',
      'N2,2025-03-02 00:00,36A,,,43.04,-87.91,,',
      'N3,2025-03-03 23:59,240,,,43.04,-87.91,,',
      'N4,2025-03-04 00:00,120,,,43.04,-87.91,,',
      'N5,,120,,,43.04,-87.91,,',
    ]);
    const ids = (body: Json): string[] => body.crime_instances.map(({ reference_id }: Json) => reference_id);
    const period = { start: '2025-03-02', end: '2025-03-03' };
    assert.deepEqual(ids((await service.ask({ location: HERE, ...period })).body), ['N3', 'N2']);
    assert.deepEqual(ids((await service.ask({ location: HERE })).body), ['N4', 'N3', 'N2', 'N1', 'N5']);
    const at = `latitude=${HERE.latitude}&longitude=${HERE.longitude}`;
    const byQuery = await service.get(
      `${at}&categories=sex_offenses_non_forcible,robbery&start=2025-03-01&limit=2`,
    );
    assert.equal(byQuery.status, 200, JSON.stringify(byQuery.body));
    assert.deepEqual(ids(byQuery.body), ['N4', 'N2']);
    assert.deepEqual(byQuery.body.query.categories, ['Robbery', 'Sex Offenses, Non-forcible']);
    const same = await service.ask({
      location: HERE,
      categories: ['Robbery', 'Sex Offenses, Non-forcible', 'ROBBERY'],
      start: '2025-03-01',
      limit: 2,
    });
    assert.deepEqual(same.body, byQuery.body);
    await service.close();
  });

  test(`${engine.name}: an incident in two markets is returned and counted once`, async () => {
    const service = await startService(engine);
    await service.load(ROWS.slice(0, 10));
    await service.load(ROWS.slice(5, 15), { marketId: 'xx-county' });
    const { body } = await service.ask({ location: HERE, include_crime_summary: true });
    assert.deepEqual([body.meta.count, body.summary.total], [15, 15]);
    await service.close();
  });

  test(`${engine.name}: search limits are exact, and a dry run reports the price`, async () => {
    const service = await startService(engine);
    await service.load(ROWS);
    const good: readonly Json[] = [
      { radius_mi: 0.1 },
      { radius_mi: 10 },
      {
        radius_mi: null,
        start: null,
        end: null,
        categories: null,
        include_crime_summary: null,
        limit: null,
        cursor: null,
      },
      { limit: 1 },
      { limit: 1000 },
      { start: '2025-01-01', end: '2025-01-01' },
      { categories: [] },
    ];
    for (const members of good) {
      const { status, body } = await service.ask({ location: HERE, ...members });
      assert.equal(status, 200, JSON.stringify([members, body]));
    }
    const bad: readonly [Json, string, string][] = [
      [{ radius_mi: 0.099 }, 'radius_mi', 'greater_than_equal'],
      [{ radius_mi: 10.001 }, 'radius_mi', 'less_than_equal'],
      [{ radius_mi: '1' }, 'radius_mi', 'number_type'],
      [{ limit: 0 }, 'limit', 'greater_than_equal'],
      [{ limit: 1001 }, 'limit', 'less_than_equal'],
      [{ limit: 1.5 }, 'limit', 'integer_type'],
      [{ start: '2025-02-30' }, 'start', 'date_format'],
      [{ start: 20250101 }, 'start', 'string_type'],
      [{ start: '2025-01-02', end: '2025-01-01' }, 'end', 'date_order'],
      [{ categories: 'Robbery' }, 'categories', 'array_type'],
      [{ categories: ['Robbery', 'Jaywalking'] }, '1', 'enum'],
      [{ include_crime_summary: 'yes' }, 'include_crime_summary', 'boolean_type'],
      [{ cursor: 5 }, 'cursor', 'string_type'],
      [{ cursor: 'x'.repeat(201) }, 'cursor', 'string_too_long'],
      [{ location: { latitude: 43 } }, 'longitude', 'missing'],
      [{ location: null }, 'location', 'object_type'],
    ];
    for (const [members, member, type] of bad) {
      const { status, body } = await service.ask({ location: HERE, ...members });
      assert.equal(status, 422, JSON.stringify([members, body]));
      assert.deepEqual([String(body.detail[0].loc.at(-1)), body.detail[0].type], [member, type]);
    }
    const dry = await service.ask({ location: HERE, limit: 250 }, { 'x-dry-run': 'true' });
    assert.deepEqual(dry.body, { dry_run: true, credits_max: 13 });
    const none = await service.ask({ location: { latitude: 20, longitude: -150 } });
    assert.equal(none.headers['x-credits-charged'], '10');
    await service.close();
  });
}
