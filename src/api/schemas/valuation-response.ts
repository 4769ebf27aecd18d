import { Type, type Static, type TProperties } from 'typebox';
import { PROPERTY_TYPES } from '../../domain/property.ts';
import { nullableBoolean, nullableNumber, nullableString, oneOf } from './members.ts';

/** Every object of an answer names all of its members: nothing unlisted can leak into the wire. */
function answer<P extends TProperties>(title: string, members: P, description?: string) {
  return Type.Object(members, {
    title,
    additionalProperties: false,
    ...(description ? { description } : {}),
  });
}

export const AddressInfo = answer('AddressInfo', {
  formatted_address: nullableString(),
  street_address: nullableString(),
  city: nullableString(),
  state: nullableString(),
  state_code: nullableString(),
  county: nullableString(),
  postal_code: nullableString(),
  latitude: nullableNumber(),
  longitude: nullableNumber(),
  geohash8: nullableString(),
  census_geoids: Type.Unsafe<Record<string, string> | null>({
    type: ['object', 'null'],
    additionalProperties: { type: 'string' },
  }),
});

export const Warning = answer('Warning', {
  code: Type.String(),
  field: nullableString({ description: 'The member it concerns, as the caller wrote it.' }),
  message: Type.String(),
});

const Interval = answer('Interval', { lower: Type.Number(), upper: Type.Number() });

const Percentiles = answer('Percentiles', {
  p5: Type.Number(),
  p10: Type.Number(),
  p25: Type.Number(),
  p50: Type.Number(),
  p75: Type.Number(),
  p90: Type.Number(),
  p95: Type.Number(),
});

const Distribution = answer('Distribution', {
  mean: Type.Number(),
  median: Type.Number(),
  std: Type.Number(),
  percentiles: Percentiles,
});

const Estimator = answer('Estimator', {
  name: Type.String(),
  value: Type.Number(),
  weight: Type.Number(),
});

const ValuationInput = answer(
  'ValuationInput',
  {
    field: Type.String(),
    value: Type.Unsafe<number | boolean | string | null>({ type: ['number', 'boolean', 'string', 'null'] }),
    source: oneOf(['request', 'record', 'comparables', 'default']),
    support: nullableNumber({ description: 'Nearby homes that the value rests on.' }),
  },
  'What the value was computed with, and where each figure came from.',
);

const stratumAccuracy = {
  stratum: Type.String({ description: '`all`, or a property type.' }),
  n: Type.Integer({ description: 'Blind sales measured on.' }),
  mdape: Type.Number({ description: 'Median of |value / price − 1|, a fraction.' }),
  ppe10: Type.Number({ description: 'Share of values within 10 % of the price, a fraction.' }),
  coverage_90: nullableNumber({
    description: 'Share of prices inside the 90 % interval, a fraction; null where too few to tell.',
  }),
  window: Type.String({ description: 'First and last day of the blind sales.' }),
};

export const StratumAccuracy = answer('StratumAccuracy', stratumAccuracy);

const AccuracyOfStratum = Type.Unsafe<Static<typeof StratumAccuracy> | null>({
  ...answer('ValuationAccuracy', stratumAccuracy),
  type: ['object', 'null'],
  description:
    'What this model measured of itself on blind months before its training day, for homes like this one.',
});

const ModelPin = answer('ModelPin', {
  id: Type.String(),
  version: Type.String(),
  sha256: Type.String(),
  data_snapshot: Type.String({ description: 'Hash of the sales known at the as-of date.' }),
});

export const PropertyValue = answer('PropertyValue', {
  valuation_id: Type.String(),
  property_type: oneOf(PROPERTY_TYPES),
  total_units: Type.Integer(),
  currency: oneOf(['USD']),
  as_of_date: Type.String({ format: 'date' }),
  point_value: Type.Number(),
  estimated_value: Type.Number({ description: 'Equal to point_value, the median and p50.' }),
  estimated_value_low: Type.Number({ description: 'Equal to the lower end of the 90 % interval and p5.' }),
  estimated_value_high: Type.Number({ description: 'Equal to the upper end of the 90 % interval and p95.' }),
  confidence_interval_90: Interval,
  confidence_interval_95: Interval,
  probabilistic_distribution: Distribution,
  fsd: Type.Number({
    description: 'Forecast standard deviation: half of the central 68.27 % over the value.',
  }),
  confidence_score: Type.Number({ description: 'round(100 · (1 − fsd)), 0..100.' }),
  price_per_sqft: nullableNumber(),
  price_per_sqft_low: nullableNumber(),
  price_per_sqft_high: nullableNumber(),
  estimators: Type.Array(Estimator),
  inputs: Type.Array(ValuationInput),
  accuracy: AccuracyOfStratum,
  model: ModelPin,
  warnings: Type.Array(Warning),
});

const Adjustment = answer('Adjustment', {
  field: Type.String({ description: '`time`, `location` or the attribute that differs.' }),
  subject: Type.Unsafe<number | string | null>({ type: ['number', 'string', 'null'] }),
  comp: Type.Unsafe<number | string | null>({ type: ['number', 'string', 'null'] }),
  amount: Type.Integer({ description: 'Whole USD added to the sale price.' }),
});

export const SaleComparable = answer('SaleComparable', {
  comp_id: Type.String(),
  formatted_address: nullableString(),
  street_address: nullableString(),
  city: nullableString(),
  state_code: nullableString(),
  postal_code: nullableString(),
  latitude: Type.Number(),
  longitude: Type.Number(),
  distance_mi: Type.Number(),
  property_type: oneOf(PROPERTY_TYPES),
  bedrooms: nullableNumber(),
  bathrooms: nullableNumber(),
  living_area: nullableNumber(),
  lot_size: nullableNumber(),
  year_built: nullableNumber(),
  total_units: nullableNumber(),
  num_stories: nullableNumber(),
  condition: nullableNumber(),
  sale_price: Type.Number(),
  sale_date: Type.String({ format: 'date' }),
  days_since_sale: Type.Integer(),
  price_per_sqft: nullableNumber(),
  time_adjusted_price: Type.Number(),
  adjustments: Type.Array(Adjustment, {
    description: 'sale_price + the sum of the amounts is adjusted_price, to the dollar.',
  }),
  adjusted_price: Type.Number(),
  similarity: Type.Number({ description: '0..1; the list is ordered by it.' }),
  weight: Type.Number({ description: 'Weight in the comparables estimator.' }),
  arms_length: nullableBoolean(),
  source: answer('RecordSource', {
    name: nullableString(),
    record_id: Type.String(),
    license: nullableString(),
    retrieved_at: nullableString(),
  }),
});

export const Comparables = answer('Comparables', {
  count: Type.Integer(),
  items: Type.Array(SaleComparable),
  search: answer('ComparableSearch', {
    radius_mi: Type.Number(),
    lookback_months: nullableNumber(),
    candidates: Type.Integer({ description: 'Sales found within the search.' }),
  }),
});

export const PropertyValuationBody = answer('PropertyValuation', {
  address_info: AddressInfo,
  valuation: PropertyValue,
  comparables: Comparables,
});

export const DryRun = answer('DryRun', {
  dry_run: Type.Boolean(),
  credits_max: Type.Integer({ description: 'The most that the request would cost.' }),
});

export const ReplayBody = answer('Replay', {
  valuation_id: Type.String(),
  agrees: Type.Boolean({
    description: 'Whether the value computed again is the same, byte for byte (ids aside).',
  }),
  original: PropertyValuationBody,
  replayed: PropertyValuationBody,
});
