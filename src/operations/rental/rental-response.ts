import { formatDay } from '../../domain/day.ts';
import type { RentEstimate } from '../../valuation/rental/census-rent.ts';
import type { RentalUnit, ValuedUnit } from '../../valuation/rental/value-units.ts';
import type { PropertyValue, RentalValue, UnitRent } from '../valuation/responses.ts';
import { perSqft, valueFigures } from '../valuation/value-figures.ts';
import type { DescribedBuilding } from './rental-subject.ts';

/** The rents of a building: of each unit, and the total. */
export interface BuildingRents {
  readonly total: RentEstimate;
  /** In the order of the building's units. */
  readonly units: readonly RentEstimate[];
  /** Correlation of the errors of two units of a building. */
  readonly correlation: number;
}

type Rest = 'estimators' | 'inputs' | 'accuracy' | 'model' | 'warnings';

/**
 * The members of a rental value before its sources. Money is in whole dollars per month; figures per square
 * foot are in cents.
 */
export function rentalMembers(
  valuationId: string,
  { home, units }: DescribedBuilding,
  asOf: number,
  { total, units: estimates, correlation }: BuildingRents,
): Omit<RentalValue, Rest> {
  const figures = valueFigures(total.pointUsd, total.distribution);
  return {
    valuationId,
    propertyType: home.type,
    totalUnits: home.attributes.totalUnits ?? 1,
    currency: 'USD',
    period: 'monthly',
    asOfDate: formatDay(asOf),
    unitsValued: units.length,
    ...figures,
    estimatedRent: figures.estimatedValue,
    estimatedRentLow: figures.estimatedValueLow,
    estimatedRentHigh: figures.estimatedValueHigh,
    annualRent: 12 * figures.pointValue,
    totalMethod: totalMethodOf(units.length, correlation),
    units: units.map((unit, index) => unitRentOf(unit, estimates[index], index)),
  };
}

function unitRentOf(unit: RentalUnit, estimate: RentEstimate, unitIndex: number): UnitRent {
  const { pointValue, estimatedValue, estimatedValueLow, estimatedValueHigh, ...spread } = valueFigures(
    estimate.pointUsd,
    estimate.distribution,
  );
  return {
    unitIndex,
    bedrooms: unit.bedrooms,
    bathrooms: unit.bathrooms,
    size: unit.sizeSqft,
    isFurnished: unit.isFurnished,
    pointValue,
    estimatedRent: estimatedValue,
    estimatedRentLow: estimatedValueLow,
    estimatedRentHigh: estimatedValueHigh,
    rentPerSqft: perSqft(pointValue, unit.sizeSqft),
    ...spread,
  };
}

/** A sentence that explains how the units' distributions were combined into the total's. */
function totalMethodOf(units: number, correlation: number): string {
  if (units === 1) return 'One unit: the total is its rent, with its distribution.';
  const rho = correlation.toFixed(2);
  return (
    `The point is the sum of the units' rents. At each percentile the total lies √((1 − ρ) · Σd² + ρ · (Σd)²) from ` +
    `it, where d are the units' distances and ρ = ${rho} is the correlation of two units' errors within a building.`
  );
}

/**
 * The estimate of each estimator for all units together. A unit's rent is Σ weight · value of its estimators.
 * The same holds for the total: an estimator's weight is its share of the total rent.
 */
export function totalEstimators(units: readonly ValuedUnit[]): PropertyValue['estimators'] {
  const total = units.reduce((sum, { valued }) => sum + valued.estimate.pointUsd, 0);
  const names = new Set(
    units.flatMap(({ valued }) => valued.estimate.estimators.map((estimator) => estimator.name)),
  );
  return [...names].map((name) => {
    let alone = 0;
    let weighed = 0;
    let weight = 0;
    for (const { valued } of units) {
      const { estimators, pointUsd } = valued.estimate;
      // A unit without comparables has one estimator, whose estimate also counts for the others.
      const own = estimators.find((estimator) => estimator.name === name);
      alone += own?.valueUsd ?? pointUsd;
      weighed += own ? own.weight * own.valueUsd : 0;
      weight += own ? (own.weight * pointUsd) / total : 0;
    }
    return { name, value: Math.round(weight > 0 ? weighed / weight : alone), weight };
  });
}
