import type { Day } from '../../domain/day.ts';
import type { Warning } from '../../domain/warning.ts';
import type { Assumption } from '../../valuation/multifamily/assumptions.ts';
import type { MeasuredSize } from '../../valuation/multifamily/bind-buildings.ts';
import { SMALL_UNITS } from '../../valuation/multifamily/multifamily-constants.ts';
import type { ValuedBuilding } from '../../valuation/multifamily/value-building.ts';
import type { RentAssumptions } from '../../valuation/multifamily/value-by-rent.ts';
import type { DescribedSubject } from '../property/describe-subject.ts';
import type { BoundActiveMarket } from '../markets.ts';
import type {
  Agreement,
  Approaches,
  BuildingComparableList,
  MultifamilyValue,
  RentBasis,
  RentModels,
} from './multifamily-valuation.ts';
import { comparableListOf, propertyValueOf } from '../property/property-answer.ts';
import type { Percentiles, PropertyValue, SearchParams } from '../property/property-valuation.ts';

/** What an answer tells besides the value. */
export interface AnswerContext {
  readonly asOf: Day;
  readonly dataSnapshot: string;
  readonly rentModels: RentModels | null;
  readonly warnings: readonly Warning[];
}

/** Contract §2, rounded: all money whole. */
export function multifamilyValueOf(
  valuationId: string,
  market: BoundActiveMarket,
  subject: DescribedSubject,
  valued: ValuedBuilding,
  { asOf, dataSnapshot, rentModels, warnings }: AnswerContext,
): MultifamilyValue {
  const { property, pointUsd, distribution } = valued;
  const reconciled = { ...property, estimate: { ...property.estimate, pointUsd }, distribution };
  const {
    pricePerSqft: _each,
    pricePerSqftLow: _low,
    pricePerSqftHigh: _high,
    ...common
  } = propertyValueOf(valuationId, market, subject, reconciled, asOf, dataSnapshot, warnings);
  const perUnit = (usd: number): number => Math.round(usd / common.totalUnits);
  return {
    ...common,
    estimators: estimatorsOf(valued),
    pricePerUnit: perUnit(common.estimatedValue),
    pricePerUnitLow: perUnit(common.estimatedValueLow),
    pricePerUnitHigh: perUnit(common.estimatedValueHigh),
    pricePerUnitDistribution: {
      mean: perUnit(common.distribution.mean),
      percentiles: mapPercentiles(common.distribution.percentiles, perUnit),
    },
    approaches: approachesOf(valued),
    agreement: common.totalUnits <= SMALL_UNITS ? agreementOf(valued, common.accuracy) : null,
    rentModels,
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
    salesComparison,
    grossRentMultiplier: {
      ...multiplier,
      assumptions: rent && basis && { ...basis, multiplier: told(rent.grossRentMultiplier) },
    },
    income: {
      ...income,
      assumptions: rent &&
        basis && {
          ...basis,
          vacancy: told(rent.vacancy),
          expenseRatio: told(rent.expenseRatio),
          netOperatingIncome: rent.netIncomeUsd,
          capRate: told(rent.capRate),
        },
    },
  };
}

/** Six digits are more than any assumption is known to. */
function told({ value, source, spread }: Assumption): Assumption {
  return { value: Number(value.toPrecision(6)), source, spread: Number(spread.toPrecision(6)) };
}

function rentBasisOf({ grossRent }: RentAssumptions): RentBasis {
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

/** Without rents the two values are one, measured as property is. */
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
    // Upwards, so that no difference within it is told as larger.
    measuredDisagreementPct: Math.ceil(10_000 * Math.expm1(logDisagreement)) / 100,
    betterMeasured: multifamilyMdape < propertyMdape ? 'multifamily' : 'property',
    propertyMdape,
    multifamilyMdape,
    n,
  };
}

/** The list as asked for, each sale with what it fetched a unit. */
export function buildingComparablesOf(
  market: BoundActiveMarket,
  search: SearchParams,
  { property }: ValuedBuilding,
): BuildingComparableList {
  const list = comparableListOf(market, search, property);
  return {
    ...list,
    items: list.items.map((item) => {
      const units = item.attributes.totalUnits;
      return { ...item, pricePerUnit: units ? Math.round(item.salePrice / units) : null };
    }),
  };
}
