import { buildingFieldNameOf } from '../../schemas/field-names.ts';
import type { Assumption } from '../../valuation/multifamily/assumptions.ts';
import type { MeasuredSize } from '../../valuation/multifamily/bind-buildings.ts';
import { SMALL_UNITS } from '../../valuation/multifamily/multifamily-constants.ts';
import type { Approach, ValuedBuilding } from '../../valuation/multifamily/value-building.ts';
import type { RentAssumptions } from '../../valuation/multifamily/value-by-rent.ts';
import type { BoundActiveMarket } from '../markets.ts';
import { propertyMembers, saleComparableOf, type PropertyInputs } from '../property/compute-property.ts';
import { comparablesList } from '../valuation/comparable-members.ts';
import type { SearchParams } from '../valuation/requests.ts';
import type { MultifamilyValuation, MultifamilyValue, PropertyValue } from '../valuation/responses.ts';

type Approaches = MultifamilyValue['approaches'];
type Agreement = NonNullable<MultifamilyValue['agreement']>;
type Percentiles = PropertyValue['probabilisticDistribution']['percentiles'];

/**
 * Builds the response for a building: the members of a property value, and those of its units. All money is
 * in whole dollars.
 */
export function multifamilyValueOf(
  valuationId: string,
  market: BoundActiveMarket,
  inputs: Pick<PropertyInputs, 'asOf' | 'subject'>,
  valued: ValuedBuilding,
  rest: Pick<MultifamilyValue, 'rentModels' | 'warnings'>,
): MultifamilyValue {
  const { property, pointUsd, distribution } = valued;
  const reconciled = { ...property, estimate: { ...property.estimate, pointUsd }, distribution };
  const members = propertyMembers(valuationId, market, inputs, reconciled, buildingFieldNameOf);
  const { common, outcome } = members;
  const perUnit = (usd: number): number => Math.round(usd / common.totalUnits);
  return {
    ...common,
    pricePerUnit: perUnit(common.estimatedValue),
    pricePerUnitLow: perUnit(common.estimatedValueLow),
    pricePerUnitHigh: perUnit(common.estimatedValueHigh),
    pricePerUnitDistribution: {
      mean: perUnit(common.probabilisticDistribution.mean),
      percentiles: mapPercentiles(common.probabilisticDistribution.percentiles, perUnit),
    },
    approaches: approachesOf(valued),
    agreement: common.totalUnits <= SMALL_UNITS ? agreementOf(valued, outcome.accuracy) : null,
    ...outcome,
    estimators: estimatorsOf(valued),
    ...rest,
  };
}

function estimatorsOf({ approaches }: ValuedBuilding): PropertyValue['estimators'] {
  return approaches.flatMap(({ name, valueUsd, weight }) =>
    valueUsd === null ? [] : [{ name, value: valueUsd, weight }],
  );
}

function mapPercentiles(percentiles: Percentiles, change: (usd: number) => number): Percentiles {
  const { p5, p10, p25, p50, p75, p90, p95 } = percentiles;
  return {
    p5: change(p5),
    p10: change(p10),
    p25: change(p25),
    p50: change(p50),
    p75: change(p75),
    p90: change(p90),
    p95: change(p95),
  };
}

function approachesOf({ approaches, rent }: ValuedBuilding): Approaches {
  const [salesComparison, multiplier, income] = approaches;
  const basis = rent && rentBasisOf(rent);
  return {
    salesComparison: approachMembers(salesComparison),
    grossRentMultiplier: {
      ...approachMembers(multiplier),
      assumptions: rent && basis && { ...basis, multiplier: rounded(rent.grossRentMultiplier) },
    },
    income: {
      ...approachMembers(income),
      assumptions: rent &&
        basis && {
          ...basis,
          vacancy: rounded(rent.vacancy),
          expenseRatio: rounded(rent.expenseRatio),
          netOperatingIncome: rent.netIncomeUsd,
          capRate: rounded(rent.capRate),
        },
    },
  };
}

function approachMembers(approach: Approach): Approaches['salesComparison'] {
  const { valueUsd, weight, lowUsd, highUsd, reason } = approach;
  return { value: valueUsd, weight, low: lowUsd, high: highUsd, reason };
}

/** Six digits are more precise than any of the assumptions. */
function rounded({ value, source, spread }: Assumption): Assumption {
  return { value: Number(value.toPrecision(6)), source, spread: Number(spread.toPrecision(6)) };
}

function rentBasisOf({ grossRent }: RentAssumptions) {
  return {
    annualRent: grossRent.annualUsd,
    rents: grossRent.mix.map((group) => ({
      units: group.count,
      bedrooms: group.bedrooms,
      bathrooms: group.bathrooms,
      size: group.sizeSqft,
      monthlyRent: group.monthlyRentUsd,
      monthlyRentLow: group.lowUsd,
      monthlyRentHigh: group.highUsd,
    })),
  };
}

/** Without rents the building value is the property value, with the accuracy of the property model. */
function agreementOf(valued: ValuedBuilding, accuracy: PropertyValue['accuracy']): Agreement {
  const { measured, pointUsd, property } = valued;
  const propertyValue = property.estimate.pointUsd;
  const differencePct = Math.round(10_000 * (pointUsd / propertyValue - 1)) / 100;
  if (measured === null) {
    return {
      propertyValue,
      differencePct,
      measuredDisagreementPct: 0,
      betterMeasured: 'property',
      propertyMdape: accuracy?.mdape ?? null,
      multifamilyMdape: accuracy?.mdape ?? null,
      n: accuracy?.n ?? 0,
    };
  }
  return { propertyValue, differencePct, ...measuredAgreement(measured) };
}

function measuredAgreement(measured: MeasuredSize): Omit<Agreement, 'propertyValue' | 'differencePct'> {
  const { n, propertyMdape, multifamilyMdape, logDisagreement } = measured;
  return {
    // Rounded up, so that a difference within the limit is never reported as larger.
    measuredDisagreementPct: Math.ceil(10_000 * Math.expm1(logDisagreement)) / 100,
    betterMeasured: multifamilyMdape < propertyMdape ? 'multifamily' : 'property',
    propertyMdape,
    multifamilyMdape,
    n,
  };
}

/** The comparables, each with its price per unit. */
export function buildingComparablesOf(
  market: BoundActiveMarket,
  search: SearchParams,
  { property }: ValuedBuilding,
): MultifamilyValuation['comparables'] {
  const items = property.comparables.items.map((listed) => {
    const sale = saleComparableOf(market, listed, buildingFieldNameOf);
    const pricePerUnit = sale.totalUnits ? Math.round(sale.salePrice / sale.totalUnits) : null;
    return { ...sale, pricePerUnit };
  });
  return comparablesList(search, items, property.comparables.candidates);
}
