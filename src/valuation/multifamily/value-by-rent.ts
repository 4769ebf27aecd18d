import type { Home, Moment } from '../subject.ts';
import type { BoundMarket } from '../train-market.ts';
import type { Assumption } from './assumptions.ts';
import { sizeOf, type BoundBuildings } from './bind-buildings.ts';
import type { Capitalized, IncomeBuilding } from './capitalization.ts';
import { grossRentOf, type GrossRent } from './gross-rent.ts';
import type { LogMultiplier } from './multiplier.ts';

/** The figures behind the approaches by rent. */
export interface RentAssumptions {
  readonly grossRent: GrossRent;
  readonly grossRentMultiplier: Assumption;
  readonly vacancy: Assumption;
  readonly expenseRatio: Assumption;
  readonly netIncomeUsd: number;
  readonly capRate: Assumption;
}

/** Values by the two approaches by rent, whole USD. Variances are of ln USD. */
export interface ValueByRent {
  readonly multiplierUsd: number;
  readonly incomeUsd: number;
  /** How much more uncertain the building's rent is than the sales' rents. */
  readonly rentExcess: number;
  /** Variance added by the operator's own figures, to the multiplier and to the income approach. */
  readonly operatorVariance: readonly [number, number];
  readonly assumptions: RentAssumptions;
}

/** Both approaches from the same rents of the same units. */
export function valueByRent(
  market: BoundMarket,
  { rental, buildings }: { readonly rental: BoundMarket; readonly buildings: BoundBuildings },
  home: Home,
  moment: Moment,
): ValueByRent {
  const grossRent = grossRentOf(rental, home, moment);
  const building = incomeBuildingOf(market, home, grossRent);
  const multiplier = buildings.multiplierAt(building);
  const capitalized = buildings.capitalization.at(building);
  const assumptions = assumptionsOf(buildings, building, grossRent, multiplier, capitalized);
  const { vacancy, expenseRatio, capRate, grossRentMultiplier } = assumptions;
  return {
    multiplierUsd: dollars(Math.log(grossRent.annualUsd) + multiplier.logValue),
    incomeUsd: dollars(capitalized.logNetIncome - capitalized.logCapRate),
    rentExcess: Math.max(0, grossRent.logSd ** 2 - buildings.rentVariance),
    operatorVariance: [
      grossRentMultiplier.source === 'operator' ? relative(grossRentMultiplier) : 0,
      // With the market's own cap rates an error of the net share is in the cap rates too, and
      // cancels.
      capRate.source === 'operator'
        ? relative(capRate) + relativeLeft(vacancy) + relativeLeft(expenseRatio)
        : 0,
    ],
    assumptions,
  };
}

function assumptionsOf(
  buildings: BoundBuildings,
  { units }: IncomeBuilding,
  grossRent: GrossRent,
  multiplier: LogMultiplier,
  { vacancy, expenseRatio, logNetIncome, logCapRate }: Capitalized,
): RentAssumptions {
  const { operator } = buildings;
  const value = Math.exp(multiplier.logValue);
  const rate = Math.exp(logCapRate);
  return {
    grossRent,
    grossRentMultiplier: operator.grossRentMultiplier
      ? { ...operator.grossRentMultiplier, source: 'operator' }
      : { value, source: 'market', spread: value * multiplier.logSd },
    vacancy,
    expenseRatio,
    netIncomeUsd: Math.round(Math.exp(logNetIncome)),
    // The spread of cap rates is their error on sales.
    capRate: operator.capRate
      ? { ...operator.capRate, source: 'operator' }
      : { value: rate, source: 'market', spread: rate * Math.sqrt(sizeOf(buildings, units).moments[2][2]) },
  };
}

function incomeBuildingOf({ salesData }: BoundMarket, home: Home, grossRent: GrossRent): IncomeBuilding {
  const { totalUnits, yearBuilt, condition, bedrooms } = home.attributes;
  return {
    lat: home.lat,
    lon: home.lon,
    units: totalUnits ?? NaN,
    yearBuilt: yearBuilt ?? NaN,
    condition: condition ?? NaN,
    bedrooms: bedrooms ?? NaN,
    parcel: salesData.parcelCode(home),
    logAnnualRent: Math.log(grossRent.annualUsd),
  };
}

function dollars(log: number): number {
  return Math.max(1, Math.round(Math.exp(log)));
}

/** Variance of the ln of a figure; below, of the ln of 1 − figure. */
function relative({ value, spread }: Assumption): number {
  return (spread / value) ** 2;
}

function relativeLeft({ value, spread }: Assumption): number {
  return (spread / (1 - value)) ** 2;
}
