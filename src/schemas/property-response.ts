import { Type, type TSchema } from 'typebox';
import { PROPERTY_TYPES } from '../domain/property.ts';
import { ADJUSTMENT_FIELDS } from '../domain/adjustment-fields.ts';
import { CHANGE_CAUSES } from '../domain/change-causes.ts';
import { CONFIDENCE_LEVELS } from '../domain/confidence-level.ts';
import { AddressInfo, Warning } from './location.ts';
import { arrayOf, boolean, integer, nullable, number, oneOf, responseObject, string } from './members.ts';

export const Interval = responseObject('Interval', { lower: number(), upper: number('Whole USD.') });

const Percentiles = responseObject('Percentiles', {
  p5: number(),
  p10: number(),
  p25: number(),
  p50: number(),
  p75: number(),
  p90: number(),
  p95: number(),
});

const Distribution = responseObject('Distribution', {
  mean: number('Mean of the possible prices.'),
  median: number('Equal to point_value.'),
  std: number('Standard deviation.'),
  percentiles: Percentiles,
});

/** Members that valuations of every kind begin with. */
export const valueHead = {
  valuation_id: string('Id for reading and replaying the valuation.'),
  property_type: oneOf(PROPERTY_TYPES),
  total_units: integer('Units in the building.'),
  currency: oneOf(['USD']),
};

/** The value and its distribution, the same for every kind. */
export const valueFigures = {
  point_value: number('The value, whole USD.'),
  estimated_value: number('Equal to point_value, the median and p50.'),
  estimated_value_low: number('Equal to the lower end of the 90% interval and p5.'),
  estimated_value_high: number('Equal to the upper end of the 90% interval and p95.'),
  confidence_interval_90: Interval,
  confidence_interval_95: Interval,
  probabilistic_distribution: Distribution,
  fsd: number('Forecast standard deviation: half the width of the central 68.27% range / the value.'),
  confidence_score: number('round(100 · (1 − fsd)), 0 to 100. Not a probability.'),
  confidence_level: oneOf(
    CONFIDENCE_LEVELS,
    '`high` for an fsd of at most 0.13, `medium` for at most 0.20, else `low`.',
  ),
  probability_within_10_pct: number(
    'Probability, 0 to 1, that the price is within 10% of the value: between 0.9 and 1.1 times point_value. From the same holdout errors as the intervals, without an assumed shape. As the Common Confidence Score of MISMO.',
  ),
};

export const Estimator = responseObject('Estimator', {
  name: string('`model`, `comparables` or `census`.'),
  value: number('The value by this estimator alone, whole USD.'),
  weight: number('Its weight in the value; weights sum to 1.'),
});

const stratumAccuracy = {
  stratum: string(
    '`all`, a property type (`small_multifamily`: 2 to 4 units; `multifamily`: 5 or more), or a property type and a confidence level, such as `houses:low`.',
  ),
  n: integer('Number of holdout sales, or of cross-validated ones.'),
  mdape: number('Median of |value / price − 1|, a fraction.'),
  ppe10: number('Share of values within 10% of the price, a fraction.'),
  coverage_90: nullable.number(
    'Share of prices inside the 90% interval, a fraction; null if too few holdout sales.',
  ),
  window: string('First and last day of these sales.'),
};

export const StratumAccuracy = responseObject('StratumAccuracy', stratumAccuracy);

export const AccuracyOfStratum = nullable.object(
  responseObject('ValuationAccuracy', stratumAccuracy),
  'Accuracy of the model on holdout months before its training day, for the narrowest stratum with at least 30 holdout sales: this property type and `confidence_level`, else this property type. A type with fewer than 30 is measured on its cross-validated sales of the last year (`coverage_90` is then null); one with fewer than 30 of these by all types.',
);

export const ModelPin = responseObject('ModelPin', {
  id: string('Id in `GET /v1/models`.'),
  version: string('Its training day.'),
  sha256: string('Hash of the model’s bytes.'),
  data_snapshot: string(
    'Hash of the sales or listings, and of the published price indexes, known on the as-of date.',
  ),
});

const adjusted = (description: string) =>
  Type.Unsafe<number | string | null>({ description, type: ['number', 'string', 'null'] });

const Adjustment = responseObject('Adjustment', {
  field: oneOf(ADJUSTMENT_FIELDS),
  subject: adjusted(
    'The value for the subject: `age` in years on the as-of date, the others as in `inputs`, `other` as text: the details without a line of their own that differ, and `earlier_sale`, the price of the earlier sale by which the model knows the home. null where it is unknown (the amount then rests on the imputed value), and for lines without a value.',
  ),
  comp: adjusted('The same for the comparable.'),
  amount: integer('Whole USD added to the sale price or rent.'),
});

const percentOf = (what: string) => number(`${what}, in percent of the sale price or rent.`);

/** The adjustment grid of a comparable. */
export const adjustmentGrid = {
  adjustments: arrayOf(
    Adjustment,
    'Always these ten lines, in the order of the appraisal form. `unexplained` is what none of the others explains. The price or rent plus all amounts is the adjusted one, to the dollar.',
  ),
  net_adjustment_pct: percentOf('Sum of the adjustments'),
  gross_adjustment_pct: percentOf('Sum of the adjustments without their signs'),
  net_adjustment_pct_without_market_conditions: percentOf('Sum of the adjustments but `market_conditions`'),
  gross_adjustment_pct_without_market_conditions: percentOf(
    'Sum of the adjustments without their signs but `market_conditions`',
  ),
};

const { formatted_address, street_address, city, state_code, postal_code } = AddressInfo.properties;

/** The location and the attributes of a comparable. */
export const comparablePlace = {
  comp_id: string('Record id of the sale or listing.'),
  formatted_address,
  street_address,
  city,
  state_code,
  postal_code,
  latitude: number('Degrees north (WGS 84).'),
  longitude: number('Degrees east (WGS 84).'),
  distance_mi: number('Miles from the subject.'),
  property_type: oneOf(PROPERTY_TYPES),
  bedrooms: nullable.number('As recorded.'),
  bathrooms: nullable.number('As recorded.'),
  living_area: nullable.number('Square feet.'),
  lot_size: nullable.number('Square feet.'),
  year_built: nullable.number('Year of construction.'),
  total_units: nullable.number('Units in the building.'),
  num_stories: nullable.number('As recorded.'),
  condition: nullable.number('1 poor to 5 excellent.'),
};

export const RecordSource = responseObject('RecordSource', {
  name: nullable.string('Publisher.'),
  record_id: string('Id in the publisher’s data.'),
  license: nullable.string('As given at import.'),
  retrieved_at: nullable.string('As given at import.'),
});

const ComparableSearch = responseObject('ComparableSearch', {
  radius_mi: number('Miles searched.'),
  lookback_months: nullable.number('Months searched; null for no limit.'),
  candidates: integer('Sales or listings found within the search.'),
});

/** A list of comparables with the search that found them. */
export function comparableList<Item extends TSchema>(title: string, item: Item) {
  return responseObject(title, {
    count: integer('Number of items.'),
    items: arrayOf(item),
    search: ComparableSearch,
  });
}

export const inputSource = oneOf(['request', 'record', 'comparables', 'default'], 'Source of the figure.');

export function inputValue(description: string) {
  return Type.Unsafe<number | boolean | string | null>({
    description,
    type: ['number', 'boolean', 'string', 'null'],
  });
}

export const ValuationInput = responseObject(
  'ValuationInput',
  {
    field: string('Name of the member of `property_fields`; `features.NAME` for a market’s own feature.'),
    value: inputValue('The figure used.'),
    source: inputSource,
    support: nullable.number('Number of nearby homes that the figure is based on.'),
  },
  'A figure that the value was computed from.',
);

export const PropertyValue = responseObject('PropertyValue', {
  ...valueHead,
  as_of_date: string('The as-of date.', { format: 'date' }),
  ...valueFigures,
  price_per_sqft: nullable.number('point_value per square foot of living area; null without an area.'),
  price_per_sqft_low: nullable.number('From the lower end of the 90% interval.'),
  price_per_sqft_high: nullable.number('From the upper end of the 90% interval.'),
  estimators: arrayOf(Estimator),
  inputs: arrayOf(ValuationInput),
  accuracy: AccuracyOfStratum,
  model: ModelPin,
  warnings: arrayOf(Warning),
});

export const saleComparable = {
  ...comparablePlace,
  sale_price: number('Price paid, whole USD.'),
  sale_date: string('Day of sale.', { format: 'date' }),
  days_since_sale: integer('From the day of sale to the as-of date.'),
  price_per_sqft: nullable.number('sale_price per square foot; null without an area.'),
  time_adjusted_price: number('sale_price adjusted to the as-of date by the market’s price index.'),
  ...adjustmentGrid,
  adjusted_price: number('Indicated value of the subject, whole USD.'),
  similarity: number('0 to 1; the list is ordered by it.'),
  weight: number('Weight in the comparables estimator.'),
  arms_length: nullable.boolean('As published; null if the publisher does not report it.'),
  source: RecordSource,
};

const SaleComparable = responseObject('SaleComparable', {
  ...saleComparable,
  choice: Type.Optional(
    oneOf(
      ['similar', 'pinned', 'added'],
      'Only in a valuation with changes: why the sale is in the set. `similar` sales fill it up.',
    ),
  ),
});
export const Comparables = comparableList('Comparables', SaleComparable);

const CorrectedFact = responseObject('CorrectedFact', {
  field: string('Name of the member of `property_fields`.'),
  before: inputValue('The figure used before.'),
  after: inputValue('The corrected figure.'),
});

const ExcludedComparable = responseObject('ExcludedComparable', {
  comp_id: string(),
  reason: string(),
  formatted_address: nullable.string(),
  sale_price: number('Whole USD.'),
  sale_date: string('Day of sale.', { format: 'date' }),
  adjusted_price: number('What it would indicate, whole USD.'),
  similarity: number('0 to 1.'),
});

const OverriddenAdjustment = responseObject('OverriddenAdjustment', {
  comp_id: string(),
  field: oneOf(ADJUSTMENT_FIELDS),
  computed_amount: integer('The line as computed, whole USD.'),
  amount: integer('The line as used, whole USD.'),
  reason: string(),
});

const Renovations = responseObject(
  'Renovations',
  {
    items: arrayOf(
      responseObject('Renovation', {
        description: string(),
        cost: number(),
        year: nullable.integer('Year of completion; null if planned.'),
        is_planned: boolean('It counts in the value as repaired only.'),
        amount: integer('What it adds to the value, whole USD.'),
      }),
    ),
    as_is: number('The value, with completed renovations: equal to `point_value`.'),
    as_repaired: responseObject('ValueAsRepaired', {
      estimated_value: number('With the planned renovations done, whole USD.'),
      estimated_value_low: number('Lower end of its 90% prediction range.'),
      estimated_value_high: number('Upper end of its 90% prediction range.'),
    }),
  },
  'Amounts are cost × `value_share`. Without a share they rest on an assumption that is not measured.',
);

export const ValuationChanges = responseObject(
  'ValuationChanges',
  {
    before: responseObject(
      'ValueBefore',
      { ...valueFigures, estimators: arrayOf(Estimator) },
      'The value without the changes. `valuation` has the same members with them.',
    ),
    split: arrayOf(
      responseObject('ChangeShare', {
        cause: oneOf(CHANGE_CAUSES),
        amount: integer('Whole USD.'),
      }),
      'What each kind of change does to the value, in this order. The amounts add up to the difference of the two values.',
    ),
    facts: arrayOf(CorrectedFact),
    excluded: arrayOf(ExcludedComparable),
    adjustments: arrayOf(OverriddenAdjustment),
    renovations: nullable.object(Renovations),
    facts_reason: Type.Optional(string('Of a challenge: why the facts are corrected.')),
    assessment: Type.Optional(
      responseObject(
        'Assessment',
        { value: number('USD.'), year: nullable.integer() },
        'Of a challenge: the assessed value that is appealed.',
      ),
    ),
  },
  'Only if the request chose comparables, corrected facts, overrode adjustments or gave renovations.',
);

export const PropertyValuationBody = responseObject('PropertyValuation', {
  address_info: AddressInfo,
  valuation: PropertyValue,
  comparables: Comparables,
  changes: Type.Optional(ValuationChanges),
});

export const DryRun = responseObject('DryRun', {
  dry_run: boolean(),
  credits_max: integer('The maximum cost of the request.'),
});
