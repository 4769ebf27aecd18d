import { formatDay, type Day } from '../../domain/day.ts';
import type { Warning } from '../../domain/warning.ts';
import type { RentEstimate } from '../../valuation/rental/census-rent.ts';
import type { RentalUnit, ValuedBuilding, ValuedUnit } from '../../valuation/rental/value-units.ts';
import type { BoundActiveMarket } from '../markets.ts';
import type { PropertyValue } from '../property/property-valuation.ts';
import { rentalInputsOf } from './rental-inputs.ts';
import type { DescribedBuilding } from './rental-subject.ts';
import type { RentalValue, UnitRent } from './rental-valuation.ts';
import { accuracyOf, modelPinOf, perSqft, valueFigures } from '../valuation/value-figures.ts';

/** Contract §2, rounded: per-sqft figures to the cent, all other money whole USD a month. */
export function rentalValueOf(
  valuationId: string,
  market: BoundActiveMarket,
  building: DescribedBuilding,
  valued: ValuedBuilding,
  asOf: Day,
  dataSnapshot: string,
  warnings: readonly Warning[],
): RentalValue {
  const { home } = building;
  const figures = valueFigures(valued.total.pointUsd, valued.total.distribution);
  return {
    valuationId,
    propertyType: home.type,
    totalUnits: home.attributes.totalUnits ?? 1,
    currency: 'USD',
    period: 'monthly',
    asOfDate: formatDay(asOf),
    unitsValued: valued.units.length,
    figures,
    annualRent: 12 * figures.pointValue,
    totalMethod: totalMethodOf(valued.units.length, valued.correlation),
    units: valued.units.map(({ unit, valued: { estimate, distribution } }, index) =>
      unitRentOf(unit, { pointUsd: estimate.pointUsd, distribution }, index),
    ),
    estimators: totalEstimators(valued.units),
    inputs: rentalInputsOf(building, valued.units),
    accuracy: accuracyOf(market, home.type),
    model: modelPinOf(market, dataSnapshot),
    warnings,
  };
}

/** One unit's members, as every rental answer tells them. */
export function unitRentOf(unit: RentalUnit, estimate: RentEstimate, unitIndex: number): UnitRent {
  const figures = valueFigures(estimate.pointUsd, estimate.distribution);
  const { bedrooms, bathrooms, sizeSqft, isFurnished } = unit;
  const rentPerSqft = perSqft(figures.pointValue, sizeSqft);
  return { unitIndex, bedrooms, bathrooms, sizeSqft, isFurnished, figures, rentPerSqft };
}

/** How the units' distributions became the total's, in a sentence. */
export function totalMethodOf(units: number, correlation: number): string {
  if (units === 1) return 'One unit: the total is its rent, with its distribution.';
  const rho = correlation.toFixed(2);
  return (
    `The point is the sum of the units' rents. At each percentile the total lies √((1 − ρ) · Σd² + ρ · (Σd)²) from ` +
    `it, where d are the units' distances and ρ = ${rho} is the correlation of two units' errors within a building.`
  );
}

/**
 * What each estimator says of all units together. A unit's estimators add up to its rent as Σ weight · value; so do
 * these to the total, each weighing what it makes up of the rents.
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
      // A unit without comparables has one estimator, which speaks for the others too.
      const own = estimators.find((estimator) => estimator.name === name);
      alone += own?.valueUsd ?? pointUsd;
      weighed += own ? own.weight * own.valueUsd : 0;
      weight += own ? (own.weight * pointUsd) / total : 0;
    }
    return { name, value: Math.round(weight > 0 ? weighed / weight : alone), weight };
  });
}
