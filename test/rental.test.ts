import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import * as fc from 'fast-check';
import { formatDay } from '../src/domain/day.ts';
import { batchesAnswerAsSingles } from './batch-matches-single.ts';
import { assertInvariants, buildings, rentalRequest } from './rental-fixture.ts';
import {
  county,
  AS_OF,
  comparable,
  getFrom,
  onEveryEngine,
  runsOn,
  postTo,
  startService,
  withSampleFiles,
  type TestService,
} from './service-fixture.ts';
import type { Json } from './json.ts';
import { assertSameResponses } from './valuation-requests.ts';

const PATH = '/v1/avm/rental';

const post = (
  service: TestService,
  body: unknown,
  { path = PATH, headers = {} }: { path?: string; headers?: Record<string, string> } = {},
) => postTo(service, path, body, headers);
const bodyOf = async (service: TestService, body: unknown) => (await post(service, body)).body;
const get = (service: TestService, query: Record<string, string>) =>
  getFrom(service, `${PATH}?${new URLSearchParams(query)}`);

test('rents by the unit', async (t) => {
  await withSampleFiles(async (files, dir) => {
    await onEveryEngine(
      t,
      (engine) => startService(engine, dir, { hasRents: true }),
      async (t, service) => {
        await t.test('batches give the same responses as single requests', () =>
          batchesAnswerAsSingles(service),
        );
        await rentalTests(t, service, files.rents, dir);
      },
      (services) => assertSameResponses(services, rentalRequest, bodyOf, 20),
    );
  });
});

const duplex = buildings.find(({ type }) => type === 'small_multifamily') ?? buildings[0];
const TWO_UNITS = [
  { bedrooms: 2, bathrooms: 1, size: 850 },
  { bedrooms: 1, bathrooms: 1, is_furnished: true },
];
const byPoint = {
  location: { latitude: duplex.lat, longitude: duplex.lon },
  search_params: { num_comps: 12, date: formatDay(AS_OF - 5) },
  property_fields: { units: TWO_UNITS, has_laundry: true },
};

async function rentalTests(
  t: TestContext,
  service: TestService,
  rentsFile: string,
  dir: string,
): Promise<void> {
  await t.test('every response to a valid request satisfies the documented invariants', async () => {
    await fc.assert(
      fc.asyncProperty(rentalRequest, async (request) => {
        const { status, body } = await post(service, request);
        assert.equal(status, 200, JSON.stringify(body));
        assertInvariants(request, body);
      }),
      { numRuns: runsOn(service, 60) },
    );
  });
  await t.test('identical units get identical values, whatever other units there are', () =>
    assertAlikeUnits(service),
  );
  await t.test("a building of one unit rents for that unit's rent", async () => {
    const { body } = await post(service, { ...byPoint, property_fields: { units: [TWO_UNITS[0]] } });
    const [one] = body.valuation.units;
    for (const name of ['point_value', 'probabilistic_distribution', 'confidence_interval_95', 'fsd'])
      assert.deepEqual(body.valuation[name], one[name]);
  });
  await t.test('unknown amenities are listed with the number of listings behind them', () =>
    assertInputs(service),
  );
  await t.test("a GET gives exactly its POST's response, with one flat unit or several as JSON", () =>
    assertSameByQuery(service),
  );
  await t.test('a query that repeats its units, or does not send JSON, is rejected with its location', () =>
    assertQueryRefusals(service),
  );
  await t.test('a valuation is read back unchanged, and a replay agrees byte for byte', async () => {
    const { body } = await post(service, byPoint);
    assert.equal(body.comparables.count, byPoint.search_params.num_comps);
    assert.equal(await replayAgrees(service, body), true);
  });
  await t.test(
    'it costs 30, plus one per comparable and one per unit after the first; a dry run reports the highest cost',
    () => assertCredits(service),
  );
  await t.test('the rents in a comprehensive response equal those of the valuation alone', async () => {
    const { property_fields: fields, ...rest } = byPoint;
    const asked = { ...rest, rental_fields: fields, requests: ['rental-avm'] };
    const { body } = await post(service, asked, { path: '/v1/comprehensive' });
    const alone = (await post(service, byPoint)).body;
    const { address_info, rental_avm, metadata } = body;
    assert.equal(comparable({ address_info, ...rental_avm }), comparable(alone));
    assert.deepEqual(metadata.credits_breakdown, { 'rental-avm': 31 + alone.comparables.count });
  });
  await t.test(
    'a date before the first rental model is reported as such, not as a market without rents',
    async () => {
      const early = { ...byPoint, search_params: { date: '1990-01-01' } };
      const { status, body } = await post(service, early);
      assert.deepEqual([status, body.code], [404, 'insufficient_data']);
      assert.match(body.detail, /^Market \S+ has no rental model trained on or before 1990-01-01/);
    },
  );
  await t.test('the number of listed comparables never changes a rent', async () => {
    const points = new Set<string>();
    for (const search of [{ num_comps: 0 }, { num_comps: 20 }, { num_comps: 5, radius_mi: 0.1 }]) {
      const { body } = await post(service, { ...byPoint, search_params: search });
      points.add(JSON.stringify(body.valuation.units));
    }
    assert.equal(points.size, 1);
  });
  await t.test('listings after the as-of date change no byte, also in a replay', () =>
    assertLaterListingsChangeNothing(service, rentsFile, dir),
  );
}

async function assertAlikeUnits(service: TestService): Promise<void> {
  const [larger, furnished] = TWO_UNITS;
  const valued = async (asked: readonly Json[]): Promise<Json[]> => {
    const fields = { units: asked, property_type: 'multifamily', total_units: 20 };
    return (await post(service, { ...byPoint, property_fields: fields })).body.valuation.units;
  };
  const [alone] = await valued([larger]);
  const many = await valued([furnished, larger, furnished, larger]);
  assert.deepEqual({ ...many[1], unit_index: 0 }, alone);
  assert.deepEqual({ ...many[3], unit_index: 0 }, alone);
  assert.deepEqual({ ...many[2], unit_index: 0 }, many[0]);
}

async function assertInputs(service: TestService): Promise<void> {
  const { inputs } = (await post(service, byPoint)).body.valuation;
  const byField = new Map(inputs.map((input: Json) => [input.field, input]));
  const input = (field: string): Json => Object(byField.get(field));
  assert.equal(byField.size, inputs.length);
  for (const field of ['property_type', 'total_units', 'condition', 'has_central_air', 'has_parking'])
    assert.ok(byField.has(field), field);
  assert.deepEqual([input('has_laundry').value, input('has_laundry').source], [true, 'request']);
  assert.equal(input('has_laundry').unit_index, null);
  assert.deepEqual([input('size').source, input('size').unit_index], ['comparables', [1]]);
  assert.ok(input('size').support > 0);
  for (const name of ['bedrooms', 'bathrooms']) assert.ok(!byField.has(name), name);

  const listed = new Set(county.rents.map(({ parcel }) => parcel));
  const unlisted = county.parcels.find((one) => one.type === 'small_multifamily' && !listed.has(one));
  assert.ok(unlisted);
  const elsewhere = { latitude: unlisted.lat, longitude: unlisted.lon };
  const fields = { units: [TWO_UNITS[0]], property_type: 'small_multifamily' };
  const nobodys = (await post(service, { location: elsewhere, property_fields: fields })).body;
  const parking = nobodys.valuation.inputs.find(({ field }: Json) => field === 'has_parking');
  assert.deepEqual([typeof parking.value, parking.source], ['boolean', 'comparables']);
  assert.ok(parking.support > 0);
}

async function assertSameByQuery(service: TestService): Promise<void> {
  const { location, search_params: search } = byPoint;
  const flat = (members: Json): Record<string, string> =>
    Object.fromEntries(Object.entries(members).map(([name, value]) => [name, String(value)]));
  const around = { ...flat(location), ...flat(search), has_laundry: '1', off_street_parking: 'false' };
  const fields = { has_laundry: true, has_parking: false };
  const posted = async (asked: readonly Json[]): Promise<string> =>
    comparable((await post(service, { ...byPoint, property_fields: { units: asked, ...fields } })).body);
  const one = await get(service, { ...around, bedrooms: '1', bathrooms: '1.5', fully_furnished: 'true' });
  assert.equal(one.status, 200, JSON.stringify(one.body));
  assert.equal(comparable(one.body), await posted([{ bedrooms: 1, bathrooms: 1.5, is_furnished: true }]));
  const several = await get(service, { ...around, units: JSON.stringify(TWO_UNITS) });
  assert.equal(comparable(several.body), await posted(TWO_UNITS));
  const strange = [{ ...TWO_UNITS[0], view: 'sea' }];
  const warned = await get(service, { ...around, units: JSON.stringify(strange) });
  assert.equal(comparable(warned.body), await posted(strange));
  assert.deepEqual(warned.body.valuation.warnings[0].field, 'view');
}

async function assertQueryRefusals(service: TestService): Promise<void> {
  const where = { latitude: String(duplex.lat), longitude: String(duplex.lon) };
  const refusals: readonly [Record<string, string>, (string | number)[], string][] = [
    [{ bedrooms: '1', bathrooms: '1', units: JSON.stringify(TWO_UNITS) }, ['units'], 'alias_conflict'],
    [{ units: '[{"bedrooms": 1' }, ['units'], 'json_invalid'],
    [{ units: '7' }, ['units'], 'array_type'],
    [{ units: '[]' }, ['units'], 'too_short'],
    [{ units: '[{"bathrooms": 1}]' }, ['units', 0, 'bedrooms'], 'missing'],
    [{ bathrooms: '1' }, ['bedrooms'], 'missing'],
    [{ bedrooms: 'two', bathrooms: '1' }, ['bedrooms'], 'number_type'],
    [{ bedrooms: '1', bathrooms: '11' }, ['bathrooms'], 'less_than_equal'],
    [{ condition: '3' }, ['units'], 'missing'],
  ];
  for (const [query, loc, type] of refusals) {
    const { status, body } = await get(service, { ...where, ...query });
    assert.equal(status, 422, JSON.stringify(body));
    const errors = body.detail.map((error: Json) => [error.loc, error.type]);
    assert.deepEqual(errors, [[['query', ...loc], type]]);
  }
}

async function assertCredits(service: TestService): Promise<void> {
  const { headers, body } = await post(service, byPoint);
  assert.equal(Number(headers['x-credits-charged']), 30 + 1 + body.comparables.count);
  const dry = await post(service, byPoint, { headers: { 'x-dry-run': 'true' } });
  assert.deepEqual(dry.body, { dry_run: true, credits_max: 30 + 1 + 12 });
}

async function replayAgrees(service: TestService, body: Json): Promise<boolean> {
  const id = body.valuation.valuation_id;
  const headers = { 'x-api-key': service.key };
  const read = await service.app.inject({ url: `/v1/valuations/${id}`, headers });
  assert.deepEqual(read.json(), body);
  const url = `/v1/valuations/${id}/replay`;
  const replayed = await service.app.inject({ method: 'POST', url, headers });
  assert.equal(replayed.statusCode, 200, replayed.body);
  assert.deepEqual(replayed.json().replayed, body);
  return replayed.json().agrees;
}

async function assertLaterListingsChangeNothing(
  service: TestService,
  rentsFile: string,
  dir: string,
): Promise<void> {
  const before = await post(service, byPoint);
  await service.importFile('rents', await writeLaterRents(rentsFile, dir));
  await new Promise((resolve) => setTimeout(resolve, 1100)); // the market list is cached for a second
  const after = await post(service, byPoint);
  assert.equal(comparable(after.body), comparable(before.body));
  const today = { ...byPoint, search_params: { date: formatDay(AS_OF) } };
  const known = (await post(service, today)).body.valuation.model.data_snapshot;
  assert.notEqual(known, before.body.valuation.model.data_snapshot);
  assert.equal(await replayAgrees(service, before.body), true);
}

/**
 * Writes the file with fifty more listings after the tests' as-of date, and with a longer time on market for
 * listings active on that date.
 */
async function writeLaterRents(rentsFile: string, dir: string): Promise<string> {
  const [header, ...rows] = (await readFile(rentsFile, 'utf8')).trimEnd().split('\n');
  const at = (name: string): number => header.split(',').indexOf(name);
  const seenLonger = rows.map((row) => {
    const cells = row.split(',');
    if (cells[at('last_seen_date')] > formatDay(AS_OF - 5)) cells[at('last_seen_date')] = formatDay(AS_OF);
    return cells.join(',');
  });
  const later = rows.slice(0, 50).map((row, i) => {
    const cells = row.split(',');
    cells[at('record_id')] = `later-${i}`;
    cells[at('listed_date')] = formatDay(AS_OF - 2);
    cells[at('last_seen_date')] = formatDay(AS_OF);
    cells[at('rent')] = '9000';
    return cells.join(',');
  });
  const path = join(dir, 'later-rents.csv');
  await writeFile(path, [header, ...seenLonger, ...later, ''].join('\n'));
  return path;
}
