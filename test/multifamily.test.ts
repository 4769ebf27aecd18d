import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import * as fc from 'fast-check';
import { casesOf } from './harness/cases.ts';
import { assumptionsFor, parseAssumptions } from '../src/valuation/multifamily/assumptions.ts';
import { engines } from './harness/store/engines.ts';
import {
  comparable,
  county,
  onEveryEngine,
  runsOn,
  postTo,
  startService,
  withSampleFiles,
  type TestService,
} from './service-fixture.ts';
import { startTestApp } from './test-app.ts';
import type { Json } from './json.ts';
import { anyPlaceAndSearch, assertSameResponses, nullable, assertRising } from './valuation-requests.ts';

const PATH = '/v1/avm/multifamily';
const places = county.parcels.slice(0, 400);
const plexes = county.parcels.filter(({ type }) => type === 'small_multifamily').slice(0, 200);
const apartmentHouses = county.parcels.filter(({ type }) => type === 'multifamily');

async function valued(service: TestService, body: unknown, path = PATH): Promise<Json> {
  const answer = await postTo(service, path, body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

const fields = fc.record({
  bedrooms: fc.integer({ min: 0, max: 5000 }),
  bathrooms: fc.integer({ min: 0, max: 10_000 }).map((halves) => halves / 2),
  total_units: fc.oneof(
    fc.integer({ min: 2, max: 4 }),
    fc.integer({ min: 5, max: 60 }),
    fc.integer({ min: 2, max: 1000 }),
  ),
  living_area: nullable(fc.integer({ min: 0, max: 500_000 })),
  lot_size: nullable(fc.integer({ min: 0, max: 500_000 })),
  year_built: nullable(fc.integer({ min: 1800, max: 2030 })),
  property_type: nullable(fc.constantFrom('small_multifamily', 'multifamily')),
  num_stories: nullable(fc.integer({ min: 2, max: 60 }).map((halves) => halves / 2)),
  condition_rating: nullable(fc.integer({ min: 0, max: 10 }).map((halves) => halves / 2)),
});
const buildingRequest = fc.record({
  ...anyPlaceAndSearch(places),
  property_fields: fields,
});

function assertInvariants({ valuation, comparables }: Json, { property_fields: asked }: Json): void {
  const { percentiles: p, mean, median } = valuation.probabilistic_distribution;
  assert.equal(valuation.estimated_value, valuation.point_value);
  assert.deepEqual([median, p.p50], [valuation.point_value, valuation.point_value]);
  assert.deepEqual([valuation.estimated_value_low, valuation.estimated_value_high], [p.p5, p.p95]);
  assert.deepEqual(valuation.confidence_interval_90, { lower: p.p5, upper: p.p95 });
  assert.ok(
    valuation.confidence_interval_95.lower <= p.p5 && p.p95 <= valuation.confidence_interval_95.upper,
  );
  const rising = [p.p5, p.p10, p.p25, p.p50, p.p75, p.p90, p.p95];
  assertRising(rising);
  assert.equal(valuation.total_units, asked.total_units);
  assert.equal(valuation.property_type, asked.total_units <= 4 ? 'small_multifamily' : 'multifamily');
  const perUnit = (usd: number): number => Math.round(usd / asked.total_units);
  assert.equal(valuation.price_per_unit, perUnit(valuation.estimated_value));
  assert.equal(valuation.price_per_unit_low, perUnit(valuation.estimated_value_low));
  assert.equal(valuation.price_per_unit_high, perUnit(valuation.estimated_value_high));
  assert.equal(valuation.price_per_unit_distribution.mean, perUnit(mean));
  for (const [name, usd] of Object.entries(p)) {
    assert.equal(valuation.price_per_unit_distribution.percentiles[name], perUnit(Number(usd)));
  }
  assertApproaches(valuation, asked);
  const similarities = comparables.items.map(({ similarity }: Json) => similarity);
  assert.deepEqual(
    similarities,
    similarities.toSorted((a: number, b: number) => b - a),
  );
  assert.equal(comparables.count, comparables.items.length);
  for (const item of comparables.items) {
    const lines = item.adjustments.reduce((sum: number, line: Json) => sum + line.amount, 0);
    assert.equal(item.sale_price + lines, item.adjusted_price);
    assert.equal(item.price_per_unit, item.total_units && Math.round(item.sale_price / item.total_units));
  }
  assertSane({ ...valuation, agreement: null });
}

function assertApproaches(valuation: Json, asked: Json): void {
  const approaches: Json[] = Object.values(valuation.approaches);
  const total = approaches.reduce((sum, { weight }) => sum + weight, 0);
  assert.ok(Math.abs(total - 1) < 1e-9 && approaches.every(({ weight }) => weight >= 0));
  for (const { weight, value, reason } of approaches) {
    assert.equal(weight === 0, reason !== null);
    if (value === null) assert.equal(weight, 0);
  }
  const sum = approaches.reduce((usd, { weight, value }) => usd + weight * (value ?? 0), 0);
  assert.ok(Math.abs(sum - valuation.point_value) <= 0.5 + 1e-6);
  const { assumptions } = valuation.approaches.income;
  if (assumptions !== null) {
    const count = assumptions.rents.reduce((units: number, group: Json) => units + group.units, 0);
    assert.equal(count, asked.total_units);
    const monthly = assumptions.rents.reduce(
      (usd: number, group: Json) => usd + group.units * group.monthly_rent,
      0,
    );
    assert.equal(assumptions.annual_rent, 12 * monthly);
  }
  const { agreement } = valuation;
  assert.equal(agreement !== null, asked.total_units <= 4);
  if (agreement === null) return;
  assert.equal(agreement.property_value, valuation.approaches.sales_comparison.value);
  assert.ok(Math.abs(agreement.difference_pct) <= agreement.measured_disagreement_pct);
}

function assertSane(value: unknown): void {
  if (typeof value === 'number') assert.ok(Number.isFinite(value) && value >= 0, `${value}`);
  else if (typeof value === 'object' && value !== null) Object.values(value).forEach(assertSane);
}

test('buildings over HTTP', async (t) => {
  await withSampleFiles(async (_files, dir) => {
    await onEveryEngine(
      t,
      (engine) => startService(engine, dir, { hasRents: true }),
      withRents,
      (services) => assertSameResponses(services, buildingRequest, valued, 40),
    );
    const [engine] = engines;
    const without = await startService(engine, dir);
    await t.test('a market without rents', (t) => withoutRents(t, without)).finally(() => without.close());
  });
});

async function withRents(t: TestContext, service: TestService): Promise<void> {
  await t.test('invariants hold for any building of 2 to 1,000 units', async () => {
    await fc.assert(
      fc.asyncProperty(buildingRequest, async (request) => {
        assertInvariants(await valued(service, request), request);
      }),
      { numRuns: runsOn(service, 70) },
    );
  });

  await t.test('a small building agrees with its property value within the measured error', async () => {
    const weights: number[] = [];
    for (const parcel of plexes.slice(0, runsOn(service, 40))) {
      const { property, multifamily } = requestsOf(parcel);
      const asProperty = (await valued(service, property, '/v1/avm/property')).valuation;
      const { agreement, approaches, point_value } = (await valued(service, multifamily)).valuation;
      assert.equal(agreement.property_value, asProperty.point_value);
      const apart = Math.abs(point_value / asProperty.point_value - 1);
      assert.ok(100 * apart <= agreement.measured_disagreement_pct + 0.01);
      assert.equal(
        agreement.better_measured,
        agreement.multifamily_mdape < agreement.property_mdape ? 'multifamily' : 'property',
      );
      assert.ok(agreement.n > 0);
      weights.push(approaches.sales_comparison.weight);
    }
    assert.ok(weights.some((weight) => weight < 1));
  });

  await t.test('a building unlike any sold here gets a wider interval and a warning', async () => {
    const of = async (total_units: number) => {
      const fields = {
        total_units,
        bedrooms: 2 * total_units,
        bathrooms: total_units,
        living_area: 900 * total_units,
      };
      return (
        await valued(service, {
          location: requestsOf(plexes[0]).multifamily.location,
          property_fields: fields,
        })
      ).valuation;
    };
    const [usual, huge] = [await of(6), await of(1000)];
    const warns = ({ warnings }: Json) => warnings.some(({ code }: Json) => code === 'approaches_disagree');
    assert.deepEqual([warns(usual), warns(huge)], [false, true]);
    assert.ok(huge.fsd > 1.2 * usual.fsd, `${huge.fsd} against ${usual.fsd}`);
  });

  await t.test('every assumption is reported with its source', async () => {
    const { approaches, rent_models } = (await valued(service, requestOfHouse(0))).valuation;
    const { multiplier, annual_rent } = approaches.gross_rent_multiplier.assumptions;
    const { vacancy, expense_ratio, cap_rate, net_operating_income } = approaches.income.assumptions;
    assert.deepEqual(
      [multiplier, cap_rate, vacancy, expense_ratio].map(({ source }) => source),
      ['market', 'market', 'default', 'default'],
    );
    const near = (a: number, b: number): void => assert.ok(Math.abs(a / b - 1) < 1e-4, `${a} ${b}`);
    near(approaches.gross_rent_multiplier.value, annual_rent * multiplier.value);
    near(net_operating_income, annual_rent * (1 - vacancy.value) * (1 - expense_ratio.value));
    near(approaches.income.value, net_operating_income / cap_rate.value);
    assert.equal(rent_models.multifamily.version, rent_models.rental.version);
  });

  await t.test('a type that contradicts the units and unknown room counts cause warnings', async () => {
    const request = requestOfHouse(1);
    request.property_fields = {
      total_units: apartmentHouses[1].attributes.totalUnits,
      bedrooms: 0,
      bathrooms: 0,
      property_type: 'small_multifamily',
    };
    const { valuation } = await valued(service, request);
    const ofFields = valuation.warnings.filter(({ field }: Json) => field !== null);
    const codes = ofFields.map(({ code, field }: Json) => `${code} ${field}`);
    assert.deepEqual(codes, [
      'property_type_mismatch property_type',
      'zero_taken_as_unknown bathrooms',
      'zero_taken_as_unknown bedrooms',
      // No building with this many units was sold here.
      'implausible_input total_units',
    ]);
    const bathrooms = valuation.inputs.find(({ field }: Json) => field === 'bathrooms');
    assert.notEqual(bathrooms.source, 'request');
  });

  await t.test(
    'GET gives the same response as POST; a dry run costs nothing and reports the highest cost',
    async () => {
      const request = requestOfHouse(2);
      const query = new URLSearchParams(
        Object.entries({ ...request.location, ...request.search_params, ...request.property_fields }).map(
          ([name, value]): [string, string] => [name, String(value)],
        ),
      );
      const got = await service.app.inject({
        method: 'GET',
        url: `${PATH}?${query}`,
        headers: { 'x-api-key': service.key },
      });
      assert.equal(comparable(got.json()), comparable(await valued(service, request)));
      const dry = await service.app.inject({
        method: 'POST',
        url: PATH,
        headers: { 'x-api-key': service.key, 'content-type': 'application/json', 'x-dry-run': 'true' },
        payload: JSON.stringify(request),
      });
      assert.deepEqual(dry.json(), { dry_run: true, credits_max: 55 });
    },
  );

  await t.test('a replay agrees', async () => {
    const { valuation } = await valued(service, requestOfHouse(3));
    const { agrees, original } = await valued(service, {}, `/v1/valuations/${valuation.valuation_id}/replay`);
    assert.equal(agrees, true);
    assert.deepEqual(original.valuation, valuation);
  });

  await t.test("an operator's figures are used, reported and recorded", () => withOperator(service));

  await t.test('comprehensive returns the same building value', async () => {
    const { location, search_params, property_fields } = requestOfHouse(4);
    const whole = await valued(
      service,
      { requests: ['multifamily-avm'], location, search_params, multifamily_fields: property_fields },
      '/v1/comprehensive',
    );
    const alone = await valued(service, requestOfHouse(4));
    assert.equal(whole.multifamily_avm.valuation.point_value, alone.valuation.point_value);
    assert.deepEqual(whole.metadata.credits_breakdown, { 'multifamily-avm': 50 + alone.comparables.count });
  });
}

async function withoutRents(t: TestContext, service: TestService): Promise<void> {
  await t.test('a market without rents values by sales only and gives the reason', async () => {
    await fc.assert(
      fc.asyncProperty(buildingRequest, async (request) => {
        const { valuation, comparables } = await valued(service, request);
        assertInvariants({ valuation, comparables }, request);
        const { sales_comparison, gross_rent_multiplier, income } = valuation.approaches;
        assert.equal(sales_comparison.weight, 1);
        assert.equal(sales_comparison.value, valuation.point_value);
        for (const approach of [gross_rent_multiplier, income]) {
          assert.deepEqual([approach.value, approach.weight, approach.assumptions], [null, 0, null]);
          assert.match(approach.reason, /has no multifamily model trained on or before .* It needs/);
        }
        assert.equal(valuation.rent_models, null);
      }),
      { numRuns: casesOf(30) },
    );
  });

  await t.test('a duplex has exactly its property value', async () => {
    for (const parcel of plexes.slice(0, casesOf(20))) {
      const { property, multifamily } = requestsOf(parcel);
      const { valuation: asProperty } = await valued(service, property, '/v1/avm/property');
      const { valuation } = await valued(service, multifamily);
      assert.deepEqual(valuation.probabilistic_distribution, asProperty.probabilistic_distribution);
      assert.deepEqual(
        [valuation.agreement.difference_pct, valuation.agreement.measured_disagreement_pct],
        [0, 0],
      );
    }
  });
}

const OPERATOR = { cap_rate: { value: 0.061, spread: 0.003 }, vacancy: 0.1, gross_rent_multiplier: 9.5 };

/**
 * Operations get the operator's assumptions file. Threads and replays read the assumptions from the valuation
 * inputs.
 */
async function withOperator(service: TestService): Promise<void> {
  const file = parseAssumptions(OPERATOR);
  const app = await startTestApp({
    ...service.operations,
    assumptionsOf: (marketId) => assumptionsFor(file, marketId),
  });
  const told = { ...service, ...app };
  const { valuation: usual } = await valued(service, requestOfHouse(0));
  const { valuation } = await valued(told, requestOfHouse(0));
  const { gross_rent_multiplier, income } = valuation.approaches;
  const { multiplier, annual_rent } = gross_rent_multiplier.assumptions;
  assert.deepEqual(multiplier, { value: 9.5, source: 'operator', spread: 0 });
  assert.equal(gross_rent_multiplier.value, Math.round(annual_rent * 9.5));
  assert.deepEqual(income.assumptions.cap_rate, { ...OPERATOR.cap_rate, source: 'operator' });
  assert.deepEqual(income.assumptions.vacancy, { value: 0.1, source: 'operator', spread: 0 });
  assert.notEqual(valuation.point_value, usual.point_value);
  // A service without the file replays the valuation from its inputs.
  const { agrees } = await valued(service, {}, `/v1/valuations/${valuation.valuation_id}/replay`);
  assert.equal(agrees, true);
  await app.app.close();
}

function requestsOf({ lat, lon, attributes }: (typeof plexes)[number]): {
  property: Json;
  multifamily: Json;
} {
  const location = { latitude: lat, longitude: lon };
  const { bedrooms, bathrooms, livingAreaSqft, totalUnits, yearBuilt } = attributes;
  const both = { living_area: livingAreaSqft, total_units: totalUnits, year_built: yearBuilt };
  return {
    property: {
      location,
      property_fields: {
        ...both,
        total_bedrooms: bedrooms,
        total_bathrooms: bathrooms,
        property_type: 'small_multifamily',
      },
    },
    multifamily: { location, property_fields: { ...both, bedrooms, bathrooms } },
  };
}

function requestOfHouse(at: number): Json {
  return { ...requestsOf(apartmentHouses[at]).multifamily, search_params: { num_comps: 5 } };
}
