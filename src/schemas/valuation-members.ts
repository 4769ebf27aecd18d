import { Type, type Static } from 'typebox';
import { PROPERTY_TYPES } from '../domain/property.ts';
import { answer } from './response-object.ts';
import { nullableNumber, nullableString, oneOf } from './members.ts';

const Interval = answer('Interval', {
  lower: Type.Number(),
  upper: Type.Number({ description: 'Whole USD.' }),
});

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
  mean: Type.Number({ description: 'Mean of the possible prices.' }),
  median: Type.Number({ description: 'Equal to point_value.' }),
  std: Type.Number({ description: 'Standard deviation.' }),
  percentiles: Percentiles,
});

/** The point and its distribution: what valuations of every kind tell alike. */
export const valueFigures = {
  point_value: Type.Number({ description: 'The value, whole USD.' }),
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
};

export const Estimator = answer('Estimator', {
  name: Type.String({ description: '`model`, `comparables` or `census`.' }),
  value: Type.Number({ description: 'What it says alone, whole USD.' }),
  weight: Type.Number({ description: 'Its weight in the value; weights sum to 1.' }),
});

const stratumAccuracy = {
  stratum: Type.String({ description: '`all`, or a property type.' }),
  n: Type.Integer({ description: 'Holdout sales measured on.' }),
  mdape: Type.Number({ description: 'Median of |value / price − 1|, a fraction.' }),
  ppe10: Type.Number({ description: 'Share of values within 10 % of the price, a fraction.' }),
  coverage_90: nullableNumber({
    description: 'Share of prices inside the 90 % interval, a fraction; null where too few to tell.',
  }),
  window: Type.String({ description: 'First and last day of the holdout sales.' }),
};

export const StratumAccuracy = answer('StratumAccuracy', stratumAccuracy);

export const AccuracyOfStratum = Type.Unsafe<Static<typeof StratumAccuracy> | null>({
  ...answer('ValuationAccuracy', stratumAccuracy),
  type: ['object', 'null'],
  description:
    'What this model measured of itself on holdout months before its training day, for homes like this one.',
});

export const ModelPin = answer('ModelPin', {
  id: Type.String({ description: 'As `GET /v1/models` lists it.' }),
  version: Type.String({ description: 'The day it was trained as of.' }),
  sha256: Type.String({ description: 'Hash of the model’s bytes.' }),
  data_snapshot: Type.String({ description: 'Hash of the sales or listings known at the as-of date.' }),
});

export const Adjustment = answer('Adjustment', {
  field: Type.String({ description: '`time`, `location` or the attribute that differs.' }),
  subject: Type.Unsafe<number | string | null>({
    description: 'The subject’s value of the field.',
    type: ['number', 'string', 'null'],
  }),
  comp: Type.Unsafe<number | string | null>({
    description: 'The comparable’s.',
    type: ['number', 'string', 'null'],
  }),
  amount: Type.Integer({ description: 'Whole USD added to the sale price, or rent.' }),
});

/** Where a comparable stands, and what stands there. */
export const comparablePlace = {
  comp_id: Type.String({ description: 'Record id of the sale or listing.' }),
  formatted_address: nullableString({ description: 'The address in one line, as published.' }),
  street_address: nullableString({ description: 'Number, street and unit.' }),
  city: nullableString({ description: 'City.' }),
  state_code: nullableString({ description: 'Two letters.' }),
  postal_code: nullableString({ description: 'ZIP code.' }),
  latitude: Type.Number({ description: 'Degrees north (WGS 84).' }),
  longitude: Type.Number({ description: 'Degrees east (WGS 84).' }),
  distance_mi: Type.Number({ description: 'Miles from the subject.' }),
  property_type: oneOf(PROPERTY_TYPES),
  bedrooms: nullableNumber({ description: 'As recorded.' }),
  bathrooms: nullableNumber({ description: 'As recorded.' }),
  living_area: nullableNumber({ description: 'Square feet.' }),
  lot_size: nullableNumber({ description: 'Square feet.' }),
  year_built: nullableNumber({ description: 'Year of construction.' }),
  total_units: nullableNumber({ description: 'Units in the building.' }),
  num_stories: nullableNumber({ description: 'As recorded.' }),
  condition: nullableNumber({ description: '1 poor to 5 excellent.' }),
};

export const RecordSource = answer('RecordSource', {
  name: nullableString({ description: 'Publisher.' }),
  record_id: Type.String({ description: 'Id in the publisher’s data.' }),
  license: nullableString({ description: 'As given at import.' }),
  retrieved_at: nullableString({ description: 'As given at import.' }),
});

export const ComparableSearch = answer('ComparableSearch', {
  radius_mi: Type.Number({ description: 'Miles searched.' }),
  lookback_months: nullableNumber({ description: 'Months searched; null for no limit.' }),
  candidates: Type.Integer({ description: 'Sales or listings found within the search.' }),
});
