import assert from 'node:assert/strict';
import { ADJUSTMENT_FIELDS } from '../src/domain/adjustment-fields.ts';
import { Ajv } from 'ajv';
import * as fc from 'fast-check';
import { buildOpenApi } from '../src/api/openapi.ts';
import { ROUTES } from '../src/api/routes.ts';
import { county } from './service-fixture.ts';
import type { Json } from './json.ts';
import { anyPlaceAndSearch, nullable, assertRising } from './valuation-requests.ts';

/** One building per listing. */
export const buildings = county.rents.map(({ parcel }) => parcel);
const TYPES = ['houses', 'townhomes', 'condos', 'small_multifamily', 'multifamily'] as const;
/**
 * Percentiles of a total are combined from rounded unit percentiles, and means are sums of rounded means.
 */
const ROUNDING_USD = 1;

const unit = fc.record(
  {
    bedrooms: fc.integer({ min: 0, max: 20 }).map((halves) => halves / 2),
    bathrooms: fc.integer({ min: 0, max: 20 }).map((halves) => halves / 2),
    size: nullable(fc.oneof(fc.integer({ min: 0, max: 6000 }), fc.constantFrom(0.5, 1e7))),
    is_furnished: nullable(fc.boolean()),
  },
  { requiredKeys: ['bedrooms', 'bathrooms'] },
);

/** Buildings with a few unit types as generated, and buildings in which all units differ. */
const units = fc.oneof(
  { weight: 3, arbitrary: fc.array(unit, { minLength: 1, maxLength: 4 }) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.array(unit, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 200 }))
      .map(([kinds, count]) => Array.from({ length: count }, (_, i) => kinds[i % kinds.length])),
  },
  { weight: 1, arbitrary: fc.array(unit, { minLength: 1, maxLength: 200, size: 'max' }) },
);

/** Valid requests, both realistic and unusual ones. */
export const rentalRequest = fc.record({
  ...anyPlaceAndSearch(buildings),
  property_fields: fc.record(
    {
      units,
      property_type: nullable(fc.constantFrom(...TYPES)),
      total_units: nullable(fc.oneof(fc.integer({ min: 1, max: 300 }), fc.constant(9e15))),
      condition: nullable(fc.integer({ min: 0, max: 50 }).map((tenths) => tenths / 10)),
      has_central_air: nullable(fc.boolean()),
      has_laundry: nullable(fc.boolean()),
      has_parking: nullable(fc.boolean()),
    },
    { requiredKeys: ['units'] },
  ),
});

/** Checks the documented relations between the figures of a total or a unit. */
function assertFigures(value: Json, low: string, point: string, high: string): void {
  const p = value.probabilistic_distribution.percentiles;
  const { confidence_interval_90: ninety, confidence_interval_95: ninetyFive } = value;
  for (const same of [value[point], p.p50, value.probabilistic_distribution.median])
    assert.equal(same, value.point_value);
  assert.deepEqual([value[low], value[high]], [p.p5, p.p95]);
  assert.deepEqual(ninety, { lower: p.p5, upper: p.p95 });
  assert.ok(ninetyFive.lower <= ninety.lower && ninety.upper <= ninetyFive.upper);
  const rising = [p.p5, p.p10, p.p25, p.p50, p.p75, p.p90, p.p95];
  assertRising(rising);
  assert.equal(value.confidence_score, Math.max(0, Math.min(100, Math.round(100 * (1 - value.fsd)))));
  assert.equal(value.confidence_level, value.fsd <= 0.13 ? 'high' : value.fsd <= 0.2 ? 'medium' : 'low');
  assert.ok(value.probability_within_10_pct >= 0 && value.probability_within_10_pct <= 1);
}

function assertNoBadNumber(value: unknown): void {
  if (typeof value === 'number') assert.ok(Number.isFinite(value), `${value}`);
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(assertNoBadNumber);
}

const ajv = new Ajv({ strict: false, validateFormats: false }).addSchema(buildOpenApi(ROUTES), 'openapi');
const isAnswer = ajv.compile({ $ref: 'openapi#/components/schemas/RentalValuation' });
const isValuation = ajv.compile({ $ref: 'openapi#/components/schemas/Valuation' });

/** Checks the documented invariants of one response. */
export function assertInvariants(asked: Json, answer: Json): void {
  assert.equal(isAnswer(answer), true, JSON.stringify(isAnswer.errors));
  assert.equal(isValuation(answer), true, 'valid as a past valuation');
  const { valuation, comparables } = answer;
  const askedUnits: Json[] = asked.property_fields.units;
  assertFigures(valuation, 'estimated_value_low', 'estimated_value', 'estimated_value_high');
  assertFigures(valuation, 'estimated_rent_low', 'estimated_rent', 'estimated_rent_high');
  assert.equal(valuation.annual_rent, 12 * valuation.estimated_rent);
  assert.equal(valuation.period, 'monthly');
  assert.equal(valuation.units_valued, askedUnits.length);
  assert.deepEqual(
    valuation.units.map((one: Json) => [one.unit_index, one.bedrooms, one.bathrooms, one.is_furnished]),
    askedUnits.map((one, i) => [i, one.bedrooms, one.bathrooms, one.is_furnished ?? false]),
  );
  for (const one of valuation.units) {
    assertFigures(one, 'estimated_rent_low', 'estimated_rent', 'estimated_rent_high');
    assert.ok(one.estimated_rent_low > 0);
    const perSqft = one.size ? Math.round((100 * one.point_value) / one.size) / 100 : null;
    assert.equal(one.rent_per_sqft, perSqft);
  }
  assertTotal(valuation);
  assertNoBadNumber(valuation);
  assertComparables(asked, valuation, comparables);
}

/**
 * The point value is the sum of the units. The bounds are wider than those of independent units and narrower
 * than the sums of the bounds.
 */
function assertTotal({ units: parts, ...total }: Json): void {
  const sum = (of: (one: Json) => number): number =>
    parts.reduce((all: number, one: Json) => all + of(one), 0);
  assert.equal(
    total.point_value,
    sum((one) => one.point_value),
  );
  for (const [bound, side] of [
    ['estimated_rent_low', -1],
    ['estimated_rent_high', 1],
  ] as const) {
    const away = side * (total[bound] - total.point_value);
    const together = sum((one) => Math.abs(one[bound] - one.point_value));
    const apart = Math.sqrt(sum((one) => (one[bound] - one.point_value) ** 2));
    assert.ok(away <= together + ROUNDING_USD, `${bound}: ${away} of ${together}`);
    // A total is never below one dollar.
    if (total[bound] > 1) assert.ok(away >= apart - ROUNDING_USD, `${bound}: ${away} of ${apart}`);
  }
  const weights = total.estimators.reduce((all: number, one: Json) => all + one.weight, 0);
  assert.ok(Math.abs(weights - 1) < 1e-9);
  const weighed = total.estimators.reduce((all: number, one: Json) => all + one.weight * one.value, 0);
  // The point value of each unit and of each estimator is rounded.
  assert.ok(Math.abs(weighed - total.point_value) <= parts.length + 1, `${weighed} ${total.point_value}`);
}

function assertComparables(asked: Json, valuation: Json, { count, items }: Json): void {
  assert.equal(count, items.length);
  assert.ok(count <= asked.search_params.num_comps);
  assert.equal(new Set(items.map((item: Json) => item.comp_id)).size, count);
  for (const item of items) {
    const lines = item.adjustments.reduce((all: number, line: Json) => all + line.amount, 0);
    assert.equal(item.rent + lines, item.adjusted_rent);
    const fields = item.adjustments.map(({ field }: Json) => field);
    assert.deepEqual(fields, ADJUSTMENT_FIELDS);
    assert.equal(item.rent + item.adjustments[0].amount, item.time_adjusted_rent);
    assert.ok(item.similarity > 0 && item.similarity <= 1 && item.weight >= 0);
    assert.ok(item.listed_date <= valuation.as_of_date);
    assert.ok(item.last_seen_date === null || item.last_seen_date <= valuation.as_of_date);
    assert.ok(item.days_on_market >= 0);
    assert.ok(item.unit_index.length > 0);
    for (const index of item.unit_index) {
      const { bedrooms, bathrooms } = valuation.units[index];
      const line = item.adjustments.find(({ field }: Json) => field === 'bedrooms');
      if (line) assert.equal(line.subject, bedrooms);
      else if (item.bedrooms !== null) assert.equal(item.bedrooms, bedrooms);
      assert.equal(bathrooms, valuation.units[item.unit_index[0]].bathrooms);
    }
    assertNoBadNumber(item);
  }
  const similarities = items.map((item: Json) => item.similarity);
  assert.deepEqual(
    similarities,
    similarities.toSorted((a: number, b: number) => b - a),
  );
}
