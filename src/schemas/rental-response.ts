import { Type } from 'typebox';
import { AddressInfo, Warning } from './location.ts';
import { arrayOf, boolean, integer, nullable, number, oneOf, responseObject, string } from './members.ts';
import {
  AccuracyOfStratum,
  adjustmentGrid,
  comparableList,
  comparablePlace,
  Estimator,
  inputSource,
  ModelPin,
  RecordSource,
  valueFigures,
  valueHead,
} from './property-response.ts';

/** Figures of money have their own names and descriptions here. */
const {
  point_value: _point,
  estimated_value: _value,
  estimated_value_low: _low,
  estimated_value_high: _high,
  ...uncertainty
} = valueFigures;

const UnitRent = responseObject('UnitRent', {
  unit_index: integer('Position in `units` of the request, from 0.'),
  bedrooms: number('As requested.'),
  bathrooms: number('As requested.'),
  size: nullable.number(
    'Square feet as requested, or as recorded for a home; null if unknown: see `inputs`.',
  ),
  is_furnished: boolean('As requested.'),
  point_value: number('Monthly rent, whole USD.'),
  estimated_rent: number('Equal to point_value, the median and p50.'),
  estimated_rent_low: number('Equal to the lower end of the 90% interval and p5.'),
  estimated_rent_high: number('Equal to the upper end of the 90% interval and p95.'),
  rent_per_sqft: nullable.number('Per month; null without a size.'),
  ...uncertainty,
});

const RentalInput = responseObject(
  'RentalInput',
  {
    field: string('Name of the member of `property_fields`, `features.NAME`, or `size` of its units.'),
    value: Type.Unsafe<number | boolean | string | null>({
      description: 'The figure used, or the most frequent one if it is an average.',
      type: ['number', 'boolean', 'string', 'null'],
    }),
    source: inputSource,
    support: nullable.number('Number of nearby listings that the figure is based on.'),
    unit_index: Type.Unsafe<number[] | null>({
      type: ['array', 'null'],
      items: { type: 'integer', minimum: 0 },
      description: 'The units that it applies to; null for the building.',
    }),
  },
  'A figure that the rents were computed from.',
);

export const RentalValue = responseObject('RentalValue', {
  ...valueHead,
  total_units: integer('Units in the building, not the number of units valued.'),
  period: oneOf(['monthly'], 'All rents except `annual_rent` are per month.'),
  as_of_date: string('The as-of date.', { format: 'date' }),
  units_valued: integer('Length of `units`.'),
  ...valueFigures,
  estimated_rent: number('Total of all units: equal to estimated_value.'),
  estimated_rent_low: number('Equal to estimated_value_low.'),
  estimated_rent_high: number('Equal to estimated_value_high.'),
  annual_rent: number('12 · estimated_rent.'),
  total_method: string(
    'How the errors of the units were combined: neither fully correlated nor independent.',
  ),
  units: arrayOf(UnitRent, 'In the order of the request.'),
  estimators: arrayOf(Estimator),
  inputs: arrayOf(RentalInput),
  accuracy: AccuracyOfStratum,
  model: ModelPin,
  warnings: arrayOf(Warning),
});

const RentComparable = responseObject('RentComparable', {
  ...comparablePlace,
  rent: number('Asking rent per month, whole USD.'),
  listed_date: string('First day of the listing.', { format: 'date' }),
  last_seen_date: nullable.string(
    'Last day of the listing; null if not published, or not known on the as-of date.',
    { format: 'date' },
  ),
  days_on_market: nullable.number(
    'From the first to the last day of the listing, or to the as-of date; null if never published.',
  ),
  rent_per_sqft: nullable.number('rent per square foot; null without an area.'),
  time_adjusted_rent: number('rent adjusted to the as-of date by the market’s rent index.'),
  ...adjustmentGrid,
  adjusted_rent: number('Indicated rent of the unit, whole USD.'),
  similarity: number('0 to 1; the list is ordered by it.'),
  weight: number('Weight in the comparables estimator of its units.'),
  is_furnished: nullable.boolean('As listed; null if not published.'),
  unit_index: arrayOf(Type.Integer(), 'The similar units that it is compared with and adjusted to.'),
  arms_length: nullable.boolean('Always null, because nothing is sold.'),
  source: RecordSource,
});

export const RentComparables = comparableList('RentComparables', RentComparable);

export const RentalValuationBody = responseObject('RentalValuation', {
  address_info: AddressInfo,
  valuation: RentalValue,
  comparables: RentComparables,
});
