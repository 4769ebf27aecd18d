import type { PropertyInputs } from '../src/operations/valuation-types.ts';
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { ADJUSTMENT_FIELDS } from '../src/domain/adjustment-fields.ts';
import * as fc from 'fast-check';
import { billingPeriodAt } from '../src/domain/billing-period.ts';
import { formatDay } from '../src/domain/day.ts';
import { PROPERTY_TYPES } from '../src/domain/property.ts';
import { describeHome } from '../src/operations/property/describe-home.ts';
import { computeMissingDetails } from '../src/operations/property/compute-property.ts';
import { propertyMissingDetails, readValuedParcel } from '../src/operations/past/past-valuations.ts';
import { computeFromInputs } from '../src/operations/value.ts';
import { checkLedger } from '../src/store/credit-ledger.ts';
import { findValuation } from '../src/store/valuation-log.ts';
import {
  AS_OF,
  comparable,
  county,
  getFrom,
  MARKET_ID,
  onEveryEngine,
  runsOn,
  postTo,
  startService,
  withSampleFiles,
  type TestService,
} from './service-fixture.ts';
import type { Json } from './json.ts';
import { anyPlaceAndSearch, assertSameResponses, nullable, assertRising } from './valuation-requests.ts';

const homes = county.parcels.filter((parcel) => parcel.type === 'houses').slice(0, 400);

const post = (service: TestService, body: unknown, url = '/v1/avm/property') => postTo(service, url, body);
const bodyOf = async (service: TestService, body: unknown) => (await post(service, body)).body;

const propertyRequest = fc.record({
  ...anyPlaceAndSearch(homes),
  property_fields: fc.record({
    total_bedrooms: fc.integer({ min: 0, max: 50 }),
    total_bathrooms: fc.integer({ min: 0, max: 100 }).map((halves) => halves / 2),
    living_area: nullable(fc.integer({ min: 0, max: 20_000 })),
    lot_size: nullable(fc.integer({ min: 0, max: 500_000 })),
    year_built: nullable(fc.integer({ min: 1800, max: 2030 })),
    property_type: nullable(fc.constantFrom(...PROPERTY_TYPES)),
    condition: nullable(fc.integer({ min: 0, max: 5 })),
    has_pool: nullable(fc.boolean()),
    num_stories: nullable(fc.integer({ min: 1, max: 5 })),
  }),
});

function assertInvariants(body: Json): void {
  const { valuation, comparables } = body;
  const p = valuation.probabilistic_distribution.percentiles;
  const low90 = valuation.confidence_interval_90;
  const low95 = valuation.confidence_interval_95;
  assert.equal(valuation.estimated_value, valuation.point_value);
  assert.equal(valuation.probabilistic_distribution.median, valuation.point_value);
  assert.equal(p.p50, valuation.point_value);
  assert.deepEqual([valuation.estimated_value_low, valuation.estimated_value_high], [p.p5, p.p95]);
  assert.deepEqual(low90, { lower: p.p5, upper: p.p95 });
  assert.ok(low95.lower <= low90.lower && low90.upper <= low95.upper);
  const rising = [p.p5, p.p10, p.p25, p.p50, p.p75, p.p90, p.p95];
  assertRising(rising);
  assert.equal(valuation.confidence_score, Math.max(0, Math.min(100, Math.round(100 * (1 - valuation.fsd)))));
  assert.equal(
    valuation.confidence_level,
    valuation.fsd <= 0.13 ? 'high' : valuation.fsd <= 0.2 ? 'medium' : 'low',
  );
  assert.ok(valuation.probability_within_10_pct >= 0 && valuation.probability_within_10_pct <= 1);
  assert.equal(comparables.count, comparables.items.length);
  for (const item of comparables.items) {
    const lines = item.adjustments.reduce((sum: number, line: Json) => sum + line.amount, 0);
    assert.equal(item.sale_price + lines, item.adjusted_price);
    const fields = item.adjustments.map(({ field }: Json) => field);
    assert.deepEqual(fields, ADJUSTMENT_FIELDS);
    assert.equal(item.sale_price + item.adjustments[0].amount, item.time_adjusted_price);
    assert.ok(item.similarity > 0 && item.similarity <= 1);
  }
  const similarities = comparables.items.map((item: Json) => item.similarity);
  assert.deepEqual(
    similarities,
    similarities.toSorted((a: number, b: number) => b - a),
  );
  assertSaneNumbers(valuation);
}

function assertSaneNumbers(value: unknown): void {
  if (typeof value === 'number') assert.ok(Number.isFinite(value) && value >= 0, `${value}`);
  else if (typeof value === 'object' && value !== null) Object.values(value).forEach(assertSaneNumbers);
}

/** When all comparables of the estimator are returned, a client can reproduce its value from them. */
function assertEstimatorAddsUp(body: Json): void {
  const weights = body.comparables.items.map((item: Json) => item.weight);
  const total = weights.reduce((sum: number, weight: number) => sum + weight, 0);
  if (Math.abs(total - 1) > 1e-9) return;
  const value = body.comparables.items.reduce(
    (sum: number, item: Json) => sum + item.weight * item.adjusted_price,
    0,
  );
  const estimator = body.valuation.estimators.find((one: Json) => one.name === 'comparables');
  assert.equal(Math.round(value), estimator.value);
}

test('the whole service', async (t) => {
  await withSampleFiles(async (files, dir) => {
    await onEveryEngine(
      t,
      (engine) => startService(engine, dir, { threads: 2 }),
      (t, service) => serviceTests(t, service, files.sales, dir),
      (services) => assertSameResponses(services, propertyRequest, bodyOf, 60),
    );
  });
});

async function serviceTests(
  t: TestContext,
  service: TestService,
  salesFile: string,
  dir: string,
): Promise<void> {
  const house = homes.find((parcel) => county.sales.some((sale) => sale.parcel === parcel)) ?? homes[0];
  const byAddress = {
    location: { address: `${house.address.street}, ${house.address.city}` },
    search_params: { num_comps: 20, date: formatDay(AS_OF - 5) },
    property_fields: { total_bedrooms: 3, total_bathrooms: 2 },
  };

  await t.test('every response to a valid request satisfies the documented invariants', async () => {
    await fc.assert(
      fc.asyncProperty(propertyRequest, async (request) => {
        const { status, body } = await post(service, request);
        assert.equal(status, 200, JSON.stringify(body));
        assertInvariants(body);
        assertEstimatorAddsUp(body);
      }),
      { numRuns: runsOn(service, 120) },
    );
  });

  await t.test('an address returns its home, its record and comparables marked as generated', async () => {
    const { status, body } = await post(service, byAddress);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.comparables.count, 20);
    assertEstimatorAddsUp(body);
    assert.ok(Math.abs(body.address_info.latitude - house.lat) < 1e-4);
    assert.ok(body.valuation.inputs.some((input: Json) => input.source === 'record'));
    for (const item of body.comparables.items) {
      assert.equal(item.source.name, 'Generated sample county (not real)');
    }
  });

  await t.test('each response adds one ledger line with its reported cost', async () => {
    const { store, clock } = service.operations;
    const linesOf = async () =>
      store.db.selectFrom('credit_ledger').select(['requestId', 'operation', 'entry', 'credits']).execute();
    const before = new Set((await linesOf()).map((line) => line.requestId));
    const { body } = await post(service, byAddress);
    const two = { location: byAddress.location, property_fields: byAddress.property_fields };
    const whole = await post(service, two, '/v1/comprehensive');
    assert.equal(whole.status, 200, JSON.stringify(whole.body));
    const added = (await linesOf()).filter((line) => !before.has(line.requestId));
    assert.deepEqual(
      added.map(({ operation, entry, credits }) => `${operation} ${entry} ${credits}`).sort(),
      [
        `avm:property charge ${30 + body.comparables.count}`,
        `comprehensive charge ${whole.body.metadata.credits_used}`,
      ],
    );
    assert.deepEqual((await checkLedger(store)).differences, []);
    const period = billingPeriodAt(clock().getTime());
    const usage = (await getFrom(service, `/v1/usage?period=${period}`)).body;
    const sum = (await linesOf()).reduce((total, { credits }) => total + credits, 0);
    assert.equal(usage.credits_used, sum);
  });

  await t.test('the number and radius of listed comparables never change the value', async () => {
    const values = new Set<number>();
    for (const search of [{ num_comps: 0 }, { num_comps: 20 }, { num_comps: 5, radius_mi: 0.1 }]) {
      const { body } = await post(service, { ...byAddress, search_params: search });
      values.add(body.valuation.point_value);
    }
    assert.equal(values.size, 1);
  });

  await t.test("a GET gives exactly its POST's response", async () => {
    const { location, search_params: search, property_fields: fields } = byAddress;
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...location, ...search, ...fields })) {
      query.set(name, String(value));
    }
    const posted = await post(service, byAddress);
    const gotten = await getFrom(service, `/v1/avm/property?${query}`);
    assert.equal(comparable(gotten.body), comparable(posted.body));
  });

  await t.test('a valuation is read back unchanged, and a replay agrees byte for byte', async () => {
    const { body } = await post(service, byAddress);
    const id = body.valuation.valuation_id;
    assert.deepEqual((await getFrom(service, `/v1/valuations/${id}`)).body, body);
    assert.equal(await replayAgrees(service, id), true);
  });

  await t.test('a value computed in a thread equals the one computed in process, byte for byte', async () => {
    const { operations } = service;
    const id: string = (await post(service, byAddress)).body.valuation.valuation_id;
    const record = await findValuation(operations.store, 'self', id);
    assert.ok(record);
    const inputs: PropertyInputs = JSON.parse(record.inputs);
    const [there, here] = [
      await operations.computeValue('property', inputs, id),
      await computeFromInputs(operations, 'property', inputs, id),
    ];
    assert.equal(JSON.stringify(there), JSON.stringify(here));
  });

  await t.test(
    'missing details start from the reported value, are the same in a thread, and store nothing',
    async () => {
      const { operations } = service;
      const asked = { ...byAddress, property_fields: { total_bedrooms: 3, total_bathrooms: 2 } };
      const { valuation } = (await post(service, asked)).body;
      const record = await findValuation(operations.store, 'self', valuation.valuation_id);
      assert.ok(record);
      const there = await propertyMissingDetails(operations, valuation.valuation_id, { accountId: 'self' });
      assert.deepEqual(there, await computeMissingDetails(operations, JSON.parse(record.inputs)));
      assert.deepEqual(
        [there.valueUsd, there.lowUsd, there.highUsd],
        [valuation.point_value, valuation.estimated_value_low, valuation.estimated_value_high],
      );
      const ofOthers = propertyMissingDetails(operations, valuation.valuation_id, { accountId: 'acme' });
      await assert.rejects(ofOthers, { code: 'not_found' }, 'a valuation of another account');
      const filled = valuation.inputs.filter((input: Json) => input.source === 'comparables');
      assert.equal(there.details.length, filled.filter((input: Json) => input.support > 0).length);
    },
  );

  await t.test('without entered details, a home is described by its record', async () => {
    const described = await describeHome(service.operations, {
      location: { address: byAddress.location.address, lat: null, lon: null, mapsPlace: null },
      asOf: AS_OF,
    });
    for (const [name, attribute] of [
      ['total_bedrooms', 'bedrooms'],
      ['living_area', 'livingAreaSqft'],
    ] as const) {
      const input = described.inputs.find(({ field }) => field === name);
      const recorded = house.attributes[attribute];
      assert.deepEqual([input?.source, input?.value], ['record', recorded], attribute);
    }
    assert.equal(described.marketId, MARKET_ID);
    assert.equal(described.firstServed.property, AS_OF - 30);
  });

  await t.test('a home is described with its parcel and its last sale known on the date', async () => {
    const isRecent = (day: number): boolean => day > AS_OF - 29 && day <= AS_OF;
    const sale = county.sales.find(
      ({ parcel, recordedOn, isDuplicate }) =>
        parcel.type === 'houses' && !isDuplicate && isRecent(recordedOn),
    );
    assert.ok(sale);
    const { parcel, recordedOn, soldOn, priceUsd } = sale;
    const address = `${parcel.address.street}, ${parcel.address.city}`;
    const lastSaleOn = async (asOf: number) => {
      const location = { address, lat: null, lon: null, mapsPlace: null };
      const { parcelId, lastSale } = await describeHome(service.operations, { location, asOf });
      assert.equal(parcelId, parcel.parcelId);
      return lastSale && [lastSale.saleDate, lastSale.salePrice];
    };
    assert.deepEqual(await lastSaleOn(AS_OF), [formatDay(soldOn), priceUsd]);
    assert.notDeepEqual(await lastSaleOn(recordedOn - 1), [formatDay(soldOn), priceUsd]);
    // A stored value keeps the sale that was the last one on its date.
    for (const asOf of [AS_OF, recordedOn - 1]) {
      const { status, body } = await postTo(service, '/v1/avm/property', {
        location: { address },
        search_params: { date: formatDay(asOf) },
        property_fields: { total_bedrooms: 3, total_bathrooms: 2 },
      });
      assert.equal(status, 200, JSON.stringify(body));
      const { valuation_id: id } = body.valuation;
      const { parcelId, lastSale } = await readValuedParcel(service.operations, id, { accountId: 'self' });
      assert.equal(parcelId, parcel.parcelId);
      assert.deepEqual(lastSale && [lastSale.saleDate, lastSale.salePrice], await lastSaleOn(asOf));
      const ofOthers = readValuedParcel(service.operations, id, { accountId: 'acme' });
      await assert.rejects(ofOthers, { code: 'not_found' });
    }
  });

  await t.test('each unit of an address is listed with the record that its own value uses', async () => {
    // Before the date of the parcel file, only sales describe the units.
    const describe = (address: string) =>
      describeHome(service.operations, {
        location: { address, lat: null, lon: null, mapsPlace: null },
        asOf: AS_OF - 1,
      });
    const sold = county.sales.find(({ parcel }) => / #/.test(parcel.address.street));
    assert.ok(sold);
    const { street, city } = sold.parcel.address;
    const { units } = await describe(`${street.split(' #')[0]}, ${city}`);
    assert.ok(units.length > 1);
    for (const unit of units) {
      const { inputs } = await describe(unit.address);
      const area = inputs.find(({ field }) => field === 'living_area');
      assert.equal(unit.livingAreaSqft, area?.source === 'record' ? area.value : null, unit.address);
    }
    assert.ok(units.some(({ livingAreaSqft }) => livingAreaSqft !== null));
  });

  await t.test('the value in a comprehensive response equals that of the valuation alone', async () => {
    const alone = await post(service, byAddress);
    const response = await service.app.inject({
      method: 'POST',
      url: '/v1/comprehensive',
      headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
      payload: JSON.stringify({ ...byAddress, requests: ['property-avm', 'fire-risk'] }),
    });
    const { address_info, property_avm, metadata } = response.json();
    assert.equal(comparable({ address_info, ...property_avm }), comparable(alone.body));
    assert.deepEqual(metadata.credits_breakdown, { 'property-avm': 50, 'fire-risk': 10 });
  });

  await t.test('rents in a market with sales only are insufficient data, not outside coverage', async () => {
    const asked = { ...byAddress, property_fields: { units: [{ bedrooms: 2, bathrooms: 1 }] } };
    const { status, body } = await post(service, asked, '/v1/avm/rental');
    assert.deepEqual([status, body.code], [404, 'insufficient_data'], JSON.stringify(body));
    const far = { ...asked, location: { latitude: 10, longitude: 10 } };
    const outside = await post(service, far, '/v1/avm/rental');
    assert.deepEqual([outside.status, outside.body.code], [404, 'outside_coverage']);
  });

  await t.test(
    'a place without sales is outside coverage, and for a date before the first model the error names the first date',
    async () => {
      const outside = await post(service, { ...byAddress, location: { latitude: 10, longitude: 10 } });
      assert.deepEqual([outside.status, outside.body.code], [404, 'outside_coverage']);
      const early = { ...byAddress, search_params: { date: formatDay(AS_OF - 400) } };
      const before = await post(service, early);
      assert.deepEqual([before.status, before.body.code], [404, 'insufficient_data']);
      assert.match(before.body.detail, new RegExp(formatDay(AS_OF - 30)));
    },
  );

  await t.test(
    'sales recorded after the as-of date change no byte when imported later, also in a replay',
    async () => {
      const before = await post(service, byAddress);
      await service.importFile('sales', await writeLaterSales(salesFile, dir));
      await new Promise((resolve) => setTimeout(resolve, 1100)); // the market list is cached for a second
      const after = await post(service, byAddress);
      assert.equal(comparable(after.body), comparable(before.body));
      const known = await post(service, { ...byAddress, search_params: { date: formatDay(AS_OF) } });
      assert.notEqual(known.body.valuation.model.data_snapshot, before.body.valuation.model.data_snapshot);
      assert.equal(await replayAgrees(service, before.body.valuation.valuation_id), true);
    },
  );
}

async function replayAgrees(service: TestService, valuationId: string): Promise<boolean> {
  const response = await service.app.inject({
    method: 'POST',
    url: `/v1/valuations/${valuationId}/replay`,
    headers: { 'x-api-key': service.key },
  });
  assert.equal(response.statusCode, 200, response.body);
  return response.json().agrees;
}

/**
 * Writes the sales file with fifty more sales at absurd prices that closed before the tests' as-of date but
 * were recorded after it.
 */
async function writeLaterSales(salesFile: string, dir: string): Promise<string> {
  const [header, ...rows] = (await readFile(salesFile, 'utf8')).trimEnd().split('\n');
  const columns = header.split(',');
  const later = rows.slice(0, 50).map((row, i) => {
    const cells = row.split(',');
    cells[columns.indexOf('record_id')] = `later-${i}`;
    cells[columns.indexOf('sale_date')] = formatDay(AS_OF - 10);
    cells[columns.indexOf('recorded_date')] = formatDay(AS_OF - 2);
    cells[columns.indexOf('sale_price')] = '5000000';
    return cells.join(',');
  });
  const path = join(dir, 'later.csv');
  await writeFile(path, [header, ...rows, ...later, ''].join('\n'));
  return path;
}
