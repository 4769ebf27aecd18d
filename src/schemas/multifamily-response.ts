import { Type, type TProperties } from 'typebox';
import { AddressInfo, Warning } from './location.ts';
import { arrayOf, boolean, integer, nullable, number, oneOf, responseObject, string } from './members.ts';
import {
  AccuracyOfStratum,
  comparableList,
  Estimator,
  ModelPin,
  PropertyValuationBody,
  saleComparable,
  ValuationInput,
  valueFigures,
  valueHead,
} from './property-response.ts';
import { RentalValuationBody } from './rental-response.ts';

const Assumption = responseObject('Assumption', {
  value: number('The figure used.'),
  source: oneOf(
    ['market', 'operator', 'default'],
    'From the market’s own sales and rents, from the operator’s file, or from neither.',
  ),
  spread: number('Its standard deviation, in its own unit.'),
});

const UnitRents = responseObject('UnitRents', {
  units: integer('Number of units of this type.'),
  bedrooms: nullable.number('Per unit; null if unknown for the building.'),
  bathrooms: nullable.number('Per unit; null if unknown for the building.'),
  size: nullable.number('Square feet of each; null without a living area.'),
  monthly_rent: number('Per unit, whole USD.'),
  monthly_rent_low: number('Lower end of its 90% interval.'),
  monthly_rent_high: number('Upper end of its 90% interval.'),
});

const approach = {
  value: nullable.number('The value by this approach alone, whole USD; null without local data.'),
  weight: number('Its weight in the value; weights sum to 1.'),
  low: nullable.number('Lower end of the 90% interval by this approach alone.'),
  high: nullable.number('Upper end of the 90% interval by this approach alone.'),
  reason: nullable.string('Why its weight is 0; null if it is not.'),
};

/** The assumptions of an approach based on rent, and its formula. */
function assumptionsOf<P extends TProperties>(title: string, members: P, formula: string) {
  const rentBasis = {
    annual_rent: number('Of all units for a year without vacancy, whole USD.'),
    rents: arrayOf(UnitRents, 'The unit mix; its rooms add up to those of the building.'),
  };
  return nullable.object(
    responseObject(title, { ...rentBasis, ...members }),
    `${formula}; null without rents.`,
  );
}

const Approaches = responseObject(
  'Approaches',
  {
    sales_comparison: responseObject('SalesComparison', approach, 'From sales of similar buildings.'),
    gross_rent_multiplier: responseObject('GrossRentMultiplier', {
      ...approach,
      assumptions: assumptionsOf(
        'MultiplierAssumptions',
        { multiplier: Assumption },
        'value = annual_rent · multiplier',
      ),
    }),
    income: responseObject('IncomeApproach', {
      ...approach,
      assumptions: assumptionsOf(
        'IncomeAssumptions',
        {
          vacancy: Assumption,
          expense_ratio: Assumption,
          net_operating_income: number('annual_rent · (1 − vacancy) · (1 − expense_ratio), whole USD.'),
          cap_rate: Assumption,
        },
        'value = net_operating_income / cap_rate',
      ),
    }),
  },
  'Three approaches to value, weighted by their accuracy on the market’s own sales.',
);

const Agreement = nullable.object(
  responseObject('Agreement', {
    property_value: number('The value of the same building by `/v1/avm/property`.'),
    difference_pct: number('How much higher this value is, in percent of property_value.'),
    measured_disagreement_pct: number(
      'The two values differed by at most this on 95% of sales; this value is kept within it.',
    ),
    better_measured: oneOf(['property', 'multifamily'], 'Which was more accurate on those sales.'),
    property_mdape: nullable.number('Median of |value / price − 1|, a fraction.'),
    multifamily_mdape: nullable.number('Median of |value / price − 1|, a fraction.'),
    n: integer('Number of sales.'),
  }),
  'For 2–4 units, which can also be valued as property; null for larger buildings.',
);

const { id, version, sha256 } = ModelPin.properties;
const RentModel = responseObject('RentModel', { id, version, sha256 });

export const MultifamilyValue = responseObject('MultifamilyValue', {
  ...valueHead,
  as_of_date: string('The as-of date.', { format: 'date' }),
  ...valueFigures,
  price_per_unit: number('round(estimated_value / total_units).'),
  price_per_unit_low: number('round(estimated_value_low / total_units).'),
  price_per_unit_high: number('round(estimated_value_high / total_units).'),
  price_per_unit_distribution: responseObject('PricePerUnitDistribution', {
    mean: number('Mean of the possible prices per unit.'),
    percentiles: valueFigures.probabilistic_distribution.properties.percentiles,
  }),
  approaches: Approaches,
  agreement: Agreement,
  estimators: arrayOf(Estimator, 'The approaches that have a value.'),
  inputs: arrayOf(ValuationInput),
  accuracy: AccuracyOfStratum,
  model: ModelPin,
  rent_models: nullable.object(
    responseObject('RentModels', { rental: RentModel, multifamily: RentModel }),
    'The models of the approaches based on rent; null if these have no value.',
  ),
  warnings: arrayOf(Warning),
});

export const BuildingComparables = comparableList(
  'BuildingComparables',
  responseObject('BuildingComparable', {
    ...saleComparable,
    price_per_unit: nullable.integer('sale_price per unit, whole USD; null if the units are not recorded.'),
  }),
);

export const MultifamilyValuationBody = responseObject('MultifamilyValuation', {
  address_info: AddressInfo,
  valuation: MultifamilyValue,
  comparables: BuildingComparables,
});

/** A valuation of any kind. */
export const ValuationBody = Type.Union(
  [PropertyValuationBody, RentalValuationBody, MultifamilyValuationBody],
  { title: 'Valuation', description: 'The response of the operation that made it.' },
);

export const ReplayBody = responseObject('Replay', {
  valuation_id: string('The replayed valuation.'),
  agrees: boolean('Whether the recomputed value is the same, byte for byte (except ids).'),
  original: ValuationBody,
  replayed: ValuationBody,
});
