import { Type } from 'typebox';
import { PROPERTY_TYPES } from '../domain/property.ts';
import { AddressInfo, Warning } from './address-info.ts';
import { answer } from './response-object.ts';
import { nullableBoolean, nullableNumber, oneOf } from './members.ts';
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

export const ValuationInput = answer(
  'ValuationInput',
  {
    field: Type.String({ description: 'Name of the member of `property_fields`.' }),
    value: Type.Unsafe<number | boolean | string | null>({
      description: 'What was used.',
      type: ['number', 'boolean', 'string', 'null'],
    }),
    source: oneOf(['request', 'record', 'comparables', 'default'], { description: 'Where it came from.' }),
    support: nullableNumber({ description: 'Nearby homes that the value rests on.' }),
  },
  'What the value was computed with, and where each figure came from.',
);

export const PropertyValue = answer('PropertyValue', {
  valuation_id: Type.String({ description: 'By which the answer can be read and replayed.' }),
  property_type: oneOf(PROPERTY_TYPES),
  total_units: Type.Integer({ description: 'Units in the building.' }),
  currency: oneOf(['USD']),
  as_of_date: Type.String({ description: 'The value date.', format: 'date' }),
  ...valueFigures,
  price_per_sqft: nullableNumber({
    description: 'point_value per square foot of living area; null without an area.',
  }),
  price_per_sqft_low: nullableNumber({ description: 'From the lower end of the 90 % interval.' }),
  price_per_sqft_high: nullableNumber({ description: 'From the upper end of the 90 % interval.' }),
  estimators: Type.Array(Estimator),
  inputs: Type.Array(ValuationInput),
  accuracy: AccuracyOfStratum,
  model: ModelPin,
  warnings: Type.Array(Warning),
});

export const saleComparable = {
  ...comparablePlace,
  sale_price: Type.Number({ description: 'Paid, whole USD.' }),
  sale_date: Type.String({ description: 'Day of sale.', format: 'date' }),
  days_since_sale: Type.Integer({ description: 'From the day of sale to the value date.' }),
  price_per_sqft: nullableNumber({ description: 'sale_price per square foot; null without an area.' }),
  time_adjusted_price: Type.Number({
    description: 'sale_price carried to the value date by the market’s index.',
  }),
  adjustments: Type.Array(Adjustment, {
    description: 'sale_price + the sum of the amounts is adjusted_price, to the dollar.',
  }),
  adjusted_price: Type.Number({ description: 'What the sale says of the subject, whole USD.' }),
  similarity: Type.Number({ description: '0..1; the list is ordered by it.' }),
  weight: Type.Number({ description: 'Weight in the comparables estimator.' }),
  arms_length: nullableBoolean({ description: 'As the publisher says; null where it does not.' }),
  source: RecordSource,
};

export const SaleComparable = answer('SaleComparable', saleComparable);

export const Comparables = answer('Comparables', {
  count: Type.Integer({ description: 'Number of items.' }),
  items: Type.Array(SaleComparable),
  search: ComparableSearch,
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
