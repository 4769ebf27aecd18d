import type { Static } from 'typebox';
import type {
  Agreement,
  Approaches,
  BuildingComparable,
  MultifamilyValuation,
  MultifamilyValue,
  RentBasis,
} from '../../operations/multifamily/multifamily-valuation.ts';
import type { Approach } from '../../valuation/multifamily/value-building.ts';
import { buildingFieldNameOf } from '../../schemas/field-names.ts';
import type { MultifamilyValuationBody } from '../../schemas/multifamily-response.ts';
import { presentAddress } from './address.ts';
import { presentSale } from './property.ts';
import { presentAccuracy, presentFigures, presentModelPin, presentSearch } from './valuation-members.ts';

type Body = Static<typeof MultifamilyValuationBody>;
type Valuation = Body['valuation'];

/** A typed answer under its wire names. Nothing is computed or rounded here. */
export function presentMultifamilyValuation(answer: MultifamilyValuation): Body {
  const { comparables } = answer;
  return {
    address_info: presentAddress(answer.addressInfo),
    valuation: presentValue(answer.valuation),
    comparables: {
      count: comparables.count,
      items: comparables.items.map(presentBuilding),
      search: presentSearch(comparables.search),
    },
  };
}

function presentValue(value: MultifamilyValue): Valuation {
  return {
    valuation_id: value.valuationId,
    property_type: value.propertyType,
    total_units: value.totalUnits,
    currency: value.currency,
    as_of_date: value.asOfDate,
    ...presentFigures(value),
    price_per_unit: value.pricePerUnit,
    price_per_unit_low: value.pricePerUnitLow,
    price_per_unit_high: value.pricePerUnitHigh,
    price_per_unit_distribution: value.pricePerUnitDistribution,
    approaches: presentApproaches(value.approaches),
    agreement: value.agreement && presentAgreement(value.agreement),
    estimators: [...value.estimators],
    inputs: value.inputs.map((input) => ({ ...input, field: buildingFieldNameOf(input.field) })),
    accuracy: value.accuracy && presentAccuracy(value.accuracy),
    model: presentModelPin(value.model),
    rent_models: value.rentModels,
    warnings: [...value.warnings],
  };
}

function presentApproaches({
  salesComparison,
  grossRentMultiplier,
  income,
}: Approaches): Valuation['approaches'] {
  const byMultiplier = grossRentMultiplier.assumptions;
  const byIncome = income.assumptions;
  return {
    sales_comparison: presentApproach(salesComparison),
    gross_rent_multiplier: {
      ...presentApproach(grossRentMultiplier),
      assumptions: byMultiplier && {
        ...presentRents(byMultiplier),
        multiplier: byMultiplier.multiplier,
      },
    },
    income: {
      ...presentApproach(income),
      assumptions: byIncome && {
        ...presentRents(byIncome),
        vacancy: byIncome.vacancy,
        expense_ratio: byIncome.expenseRatio,
        net_operating_income: byIncome.netOperatingIncome,
        cap_rate: byIncome.capRate,
      },
    },
  };
}

function presentApproach(approach: Approach): Valuation['approaches']['sales_comparison'] {
  const { valueUsd, weight, lowUsd, highUsd, reason } = approach;
  return { value: valueUsd, weight, low: lowUsd, high: highUsd, reason };
}

function presentRents({ annualRent, rents }: RentBasis) {
  return {
    annual_rent: annualRent,
    rents: rents.map(({ units, bedrooms, bathrooms, size, ...rent }) => ({
      units,
      bedrooms,
      bathrooms,
      size,
      monthly_rent: rent.monthlyRent,
      monthly_rent_low: rent.monthlyRentLow,
      monthly_rent_high: rent.monthlyRentHigh,
    })),
  };
}

function presentAgreement(agreement: Agreement): NonNullable<Valuation['agreement']> {
  return {
    property_value: agreement.propertyValue,
    difference_pct: agreement.differencePct,
    measured_disagreement_pct: agreement.measuredDisagreementPct,
    better_measured: agreement.betterMeasured,
    property_mdape: agreement.propertyMdape,
    multifamily_mdape: agreement.multifamilyMdape,
    n: agreement.n,
  };
}

function presentBuilding(sale: BuildingComparable): Body['comparables']['items'][number] {
  return { ...presentSale(sale, buildingFieldNameOf), price_per_unit: sale.pricePerUnit };
}
