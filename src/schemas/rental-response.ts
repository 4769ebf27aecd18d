import { Type } from 'typebox';
import { PROPERTY_TYPES } from '../domain/property.ts';
import { AddressInfo, Warning } from './address-info.ts';
import { answer } from './response-object.ts';
import { nullableBoolean, nullableNumber, nullableString, oneOf } from './members.ts';
import {
  AccuracyOfStratum,
  Adjustment,
  comparablePlace,
  ComparableSearch,
  Estimator,
  ModelPin,
  RecordSource,
  valueFigures,
} from './valuation-members.ts';

const unitIndexes = { type: 'integer', minimum: 0 } as const;

const { confidence_interval_90, confidence_interval_95, probabilistic_distribution, fsd, confidence_score } =
  valueFigures;

export const UnitRent = answer('UnitRent', {
  unit_index: Type.Integer({ description: 'Its place in `units` of the request, from 0.' }),
  bedrooms: Type.Number({ description: 'As asked.' }),
  bathrooms: Type.Number({ description: 'As asked.' }),
  size: nullableNumber({
    description: 'Square feet as asked, or as recorded of a home; null where unknown: see `inputs`.',
  }),
  is_furnished: Type.Boolean({ description: 'As asked.' }),
  point_value: Type.Number({ description: 'Monthly rent, whole USD.' }),
  estimated_rent: Type.Number({ description: 'Equal to point_value, the median and p50.' }),
  estimated_rent_low: Type.Number({ description: 'Equal to the lower end of the 90 % interval and p5.' }),
  estimated_rent_high: Type.Number({ description: 'Equal to the upper end of the 90 % interval and p95.' }),
  rent_per_sqft: nullableNumber({ description: 'A month; null without a size.' }),
  confidence_interval_90,
  confidence_interval_95,
  probabilistic_distribution,
  fsd,
  confidence_score,
});

const RentalInput = answer(
  'RentalInput',
  {
    field: Type.String({ description: 'Name of the member of `property_fields`, or `size` of its units.' }),
    value: Type.Unsafe<number | boolean | string | null>({
      description: 'What was used, or what most of it was where it is an average.',
      type: ['number', 'boolean', 'string', 'null'],
    }),
    source: oneOf(['request', 'record', 'comparables', 'default'], { description: 'Where it came from.' }),
    support: nullableNumber({ description: 'Nearby listings that the value rests on.' }),
    unit_index: Type.Unsafe<number[] | null>({
      type: ['array', 'null'],
      items: unitIndexes,
      description: 'The units that it is of; null for the building.',
    }),
  },
  'What the rents were computed with, and where each figure came from.',
);

export const RentalValue = answer('RentalValue', {
  valuation_id: Type.String({ description: 'By which the answer can be read and replayed.' }),
  property_type: oneOf(PROPERTY_TYPES),
  total_units: Type.Integer({ description: 'Units in the building, not those being valued.' }),
  currency: oneOf(['USD']),
  period: oneOf(['monthly'], { description: 'All rents but `annual_rent` are of a month.' }),
  as_of_date: Type.String({ description: 'The value date.', format: 'date' }),
  units_valued: Type.Integer({ description: 'Length of `units`.' }),
  ...valueFigures,
  estimated_rent: Type.Number({ description: 'Of all units together: equal to estimated_value.' }),
  estimated_rent_low: Type.Number({ description: 'Equal to estimated_value_low.' }),
  estimated_rent_high: Type.Number({ description: 'Equal to estimated_value_high.' }),
  annual_rent: Type.Number({ description: '12 · estimated_rent.' }),
  total_method: Type.String({
    description: 'How the units’ errors were put together: neither as if all erred alike nor as if none did.',
  }),
  units: Type.Array(UnitRent, { description: 'In the order asked.' }),
  estimators: Type.Array(Estimator),
  inputs: Type.Array(RentalInput),
  accuracy: AccuracyOfStratum,
  model: ModelPin,
  warnings: Type.Array(Warning),
});

export const RentComparable = answer('RentComparable', {
  ...comparablePlace,
  rent: Type.Number({ description: 'Asked per month, whole USD.' }),
  listed_date: Type.String({ description: 'Day on which it was first offered.', format: 'date' }),
  last_seen_date: nullableString({
    description: 'Last day on which it was offered; null where not said, or not known at the value date.',
    format: 'date',
  }),
  days_on_market: nullableNumber({
    description:
      'From the day it was listed to the last it was seen, at most to the value date; null where the publisher never says.',
  }),
  rent_per_sqft: nullableNumber({ description: 'rent per square foot; null without an area.' }),
  time_adjusted_rent: Type.Number({ description: 'rent carried to the value date by the market’s index.' }),
  adjustments: Type.Array(Adjustment, {
    description: 'rent + the sum of the amounts is adjusted_rent, to the dollar.',
  }),
  adjusted_rent: Type.Number({ description: 'What the listing says of the unit, whole USD.' }),
  similarity: Type.Number({ description: '0..1; the list is ordered by it.' }),
  weight: Type.Number({ description: 'Weight in the comparables estimator of its units.' }),
  is_furnished: nullableBoolean({ description: 'As listed; null where not said.' }),
  unit_index: Type.Array(Type.Integer(), {
    description: 'The units it is compared with, which are alike; it is adjusted to them.',
  }),
  arms_length: nullableBoolean({ description: 'Null: nothing is sold.' }),
  source: RecordSource,
});

export const RentComparables = answer('RentComparables', {
  count: Type.Integer({ description: 'Number of items.' }),
  items: Type.Array(RentComparable),
  search: ComparableSearch,
});

export const RentalValuationBody = answer('RentalValuation', {
  address_info: AddressInfo,
  valuation: RentalValue,
  comparables: RentComparables,
});
