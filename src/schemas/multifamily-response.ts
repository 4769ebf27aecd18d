import { Type, type Static, type TProperties } from 'typebox';
import { PROPERTY_TYPES } from '../domain/property.ts';
import { AddressInfo, Warning } from './address-info.ts';
import { answer } from './response-object.ts';
import { nullableInteger, nullableNumber, nullableString, oneOf } from './members.ts';
import {
  AccuracyOfStratum,
  ComparableSearch,
  Estimator,
  ModelPin,
  valueFigures,
} from './valuation-members.ts';
import { saleComparable, ValuationInput } from './property-response.ts';

/** An object that may be missing for a reason told beside it. */
function optional<P extends TProperties>(title: string, members: P, description: string) {
  const schema = answer(title, members);
  return Type.Unsafe<Static<typeof schema> | null>({ ...schema, type: ['object', 'null'], description });
}

const Assumption = answer('Assumption', {
  value: Type.Number({ description: 'The figure used.' }),
  source: oneOf(['market', 'operator', 'default'], {
    description: 'From the market’s own sales and rents, from the operator’s file, or from neither.',
  }),
  spread: Type.Number({ description: 'Its standard deviation, in its own unit.' }),
});

const UnitRents = answer('UnitRents', {
  units: Type.Integer({ description: 'How many units are like this.' }),
  bedrooms: nullableNumber({ description: 'Of each; null where the building’s are not known.' }),
  bathrooms: nullableNumber({ description: 'Of each; null where the building’s are not known.' }),
  size: nullableNumber({ description: 'Square feet of each; null without a living area.' }),
  monthly_rent: Type.Number({ description: 'Of each, whole USD.' }),
  monthly_rent_low: Type.Number({ description: 'Lower end of its 90 % interval.' }),
  monthly_rent_high: Type.Number({ description: 'Upper end of its 90 % interval.' }),
});

const rentBasis = {
  annual_rent: Type.Number({ description: 'Of all units for a year, none empty, whole USD.' }),
  rents: Type.Array(UnitRents, { description: 'The units behind it; their rooms add up to the building’s.' }),
};

const approach = {
  value: nullableNumber({ description: 'What it says alone, whole USD; null where nothing local feeds it.' }),
  weight: Type.Number({ description: 'Its weight in the value; weights sum to 1.' }),
  low: nullableNumber({ description: 'Lower 90 % bound of the price if it alone spoke.' }),
  high: nullableNumber({ description: 'Upper 90 % bound of the price if it alone spoke.' }),
  reason: nullableString({ description: 'Why its weight is 0; null where it is not.' }),
};

const Approaches = answer(
  'Approaches',
  {
    sales_comparison: answer('SalesComparison', approach, 'The building’s value as property.'),
    gross_rent_multiplier: answer('GrossRentMultiplier', {
      ...approach,
      assumptions: optional(
        'MultiplierAssumptions',
        { ...rentBasis, multiplier: Assumption },
        'value = annual_rent · multiplier; null without rents.',
      ),
    }),
    income: answer('IncomeApproach', {
      ...approach,
      assumptions: optional(
        'IncomeAssumptions',
        {
          ...rentBasis,
          vacancy: Assumption,
          expense_ratio: Assumption,
          net_operating_income: Type.Number({
            description: 'annual_rent · (1 − vacancy) · (1 − expense_ratio), whole USD.',
          }),
          cap_rate: Assumption,
        },
        'value = net_operating_income / cap_rate; null without rents.',
      ),
    }),
  },
  'Three approaches, weighted by how well each did on the market’s own sales.',
);

const Agreement = optional(
  'Agreement',
  {
    property_value: Type.Number({ description: 'What `/v1/avm/property` says of the same building.' }),
    difference_pct: Type.Number({ description: 'This value over that one, less 1, in percent.' }),
    measured_disagreement_pct: Type.Number({
      description: 'The two differed by no more on 95 of 100 sales; this value is held within it.',
    }),
    better_measured: oneOf(['property', 'multifamily'], { description: 'Which erred less on those sales.' }),
    property_mdape: nullableNumber({ description: 'Median of |value / price − 1|, a fraction.' }),
    multifamily_mdape: nullableNumber({ description: 'Median of |value / price − 1|, a fraction.' }),
    n: Type.Integer({ description: 'Sales measured on.' }),
  },
  'For 2–4 units, which can be valued as property too; null for larger buildings.',
);

const RentModel = answer('RentModel', {
  id: Type.String({ description: 'As `GET /v1/models` lists it.' }),
  version: Type.String({ description: 'The day it was trained as of.' }),
  sha256: Type.String({ description: 'Hash of the model’s bytes.' }),
});

export const MultifamilyValue = answer('MultifamilyValue', {
  valuation_id: Type.String({ description: 'By which the answer can be read and replayed.' }),
  property_type: oneOf(PROPERTY_TYPES),
  total_units: Type.Integer({ description: 'Units in the building.' }),
  currency: oneOf(['USD']),
  as_of_date: Type.String({ description: 'The value date.', format: 'date' }),
  ...valueFigures,
  price_per_unit: Type.Number({ description: 'round(estimated_value / total_units).' }),
  price_per_unit_low: Type.Number({ description: 'round(estimated_value_low / total_units).' }),
  price_per_unit_high: Type.Number({ description: 'round(estimated_value_high / total_units).' }),
  price_per_unit_distribution: answer('PricePerUnitDistribution', {
    mean: Type.Number({ description: 'Mean of the possible prices per unit.' }),
    percentiles: valueFigures.probabilistic_distribution.properties.percentiles,
  }),
  approaches: Approaches,
  agreement: Agreement,
  estimators: Type.Array(Estimator, { description: 'The approaches that have a value.' }),
  inputs: Type.Array(ValuationInput),
  accuracy: AccuracyOfStratum,
  model: ModelPin,
  rent_models: optional(
    'RentModels',
    { rental: RentModel, multifamily: RentModel },
    'The models behind the approaches by rent; null where they say nothing.',
  ),
  warnings: Type.Array(Warning),
});

export const BuildingComparables = answer('BuildingComparables', {
  count: Type.Integer({ description: 'Number of items.' }),
  items: Type.Array(
    answer('BuildingComparable', {
      ...saleComparable,
      price_per_unit: nullableInteger({
        description: 'sale_price per unit, whole USD; null where the record does not tell the units.',
      }),
    }),
  ),
  search: ComparableSearch,
});

export const MultifamilyValuationBody = answer('MultifamilyValuation', {
  address_info: AddressInfo,
  valuation: MultifamilyValue,
  comparables: BuildingComparables,
});
