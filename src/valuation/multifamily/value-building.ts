import { percentileUsd, reshaped, type Distribution } from '../calibration/distribution.ts';
import type { AttributeSources } from '../imputation/impute-subject.ts';
import type { Home, Moment } from '../subject.ts';
import type { BoundMarket } from '../train-market.ts';
import { NO_COMPARABLES, valueHome, type ListedComparables, type ValuedHome } from '../value-home.ts';
import type { Assumption } from './assumptions.ts';
import {
  sizeOf,
  widthRatioOf,
  type BoundBuildings,
  type MeasuredSize,
  APPROACHES,
  leastSquareWeights,
  type ApproachName,
  type Moments,
} from './bind-buildings.ts';
import { describedBuilding } from './building-sales.ts';
import type { IncomeBuilding } from './capitalization.ts';
import { grossRentOf, type GrossRent } from './gross-rent.ts';
import { bracketOf, RECONCILE, SMALL_UNITS } from './multifamily-constants.ts';

/** The models of the approaches by rent. */
interface ByRent {
  readonly rental: BoundMarket;
  readonly buildings: BoundBuildings;
}

/** The models, or the reason why there are none. */
export type RentApproachModels = ByRent | { readonly reason: string };

/** One approach alone, whole USD; null where it has no data. */
export interface Approach {
  readonly name: ApproachName;
  readonly valueUsd: number | null;
  readonly weight: number;
  /** 90 % range of the price by this approach alone. */
  readonly lowUsd: number | null;
  readonly highUsd: number | null;
  /** Why its weight is 0; null where it is not. */
  readonly reason: string | null;
}

export interface ValuedBuilding {
  /** The building valued as property: the sales comparison approach. */
  readonly property: ValuedHome;
  readonly pointUsd: number;
  readonly distribution: Distribution;
  /** In the order of APPROACHES; weights sum to 1 and the point is the rounded weighted sum. */
  readonly approaches: readonly Approach[];
  /** null without approaches by rent. */
  readonly rent: RentAssumptions | null;
  /** Errors measured on sales of this size; null without approaches by rent. */
  readonly measured: MeasuredSize | null;
  /** Whether a small building was limited to the usual disagreement with its value by sales. */
  readonly isLimitedToSales: boolean;
  /** Factor on the interval where the approaches disagree more than on sales; 1 = not widened. */
  readonly disagreement: number;
}

/** 90 % of a normal distribution lie within this many standard deviations. */
const Z_90 = 1.645;

/**
 * Values a building of two or more units by three approaches: sales comparison (its value as
 * property), gross rent multiplier and direct capitalization. They are reconciled by the errors
 * measured on the market's own sales.
 *
 * @param home with a known number of units; bedrooms and bathrooms are those of all units together
 */
export function valueBuilding(
  market: BoundMarket,
  rentModels: RentApproachModels,
  home: Home,
  sources: AttributeSources,
  moment: Moment,
  listed: ListedComparables = NO_COMPARABLES,
): ValuedBuilding {
  const property = valueHome(market, home, sources, moment, {
    ...listed,
    prefers: inSameBracket(market, home),
  });
  if ('reason' in rentModels) return bySalesAlone(property, rentModels.reason);
  const { buildings } = rentModels;
  const units = home.attributes.totalUnits;
  if (units === null) throw new Error('a building is valued by its number of units');
  const byRent = valueByRent(market, rentModels, home, moment);
  const measured = sizeOf(buildings, units);
  const moments = momentsOfSubject(measured.moments, property, byRent);
  const values = [property.estimate.pointUsd, byRent.multiplierUsd, byRent.incomeUsd];
  const free = leastSquareWeights(moments, [true, true, true]);
  const reach = units <= SMALL_UNITS ? measured.logDisagreement : Infinity;
  const { weights, isLimited } = limitToSales(values, free, reach);
  const pointUsd = Math.max(1, Math.round(weightedSum(values, weights)));
  const widening = disagreementOf(pointUsd, property.estimate.pointUsd, measured);
  const width = widening * widthRatioOf(measured, moments, weights);
  return {
    property,
    pointUsd,
    distribution: reshaped(property.distribution, pointUsd, width),
    approaches: [
      salesApproach(property, weights[0], measured.n),
      ...[1, 2].map((a) => rentApproach(a, values[a], weights[a], moments, measured.n)),
    ],
    rent: byRent.assumptions,
    measured,
    isLimitedToSales: isLimited,
    disagreement: widening,
  };
}

const NO_VALUE = { valueUsd: null, weight: 0, lowUsd: null, highUsd: null } as const;

function bySalesAlone(property: ValuedHome, reason: string): ValuedBuilding {
  return {
    property,
    pointUsd: property.estimate.pointUsd,
    distribution: property.distribution,
    approaches: [
      salesApproach(property, 1, 0),
      ...APPROACHES.slice(1).map((name) => ({ name, ...NO_VALUE, reason })),
    ],
    rent: null,
    measured: null,
    isLimitedToSales: false,
    disagreement: 1,
  };
}

/**
 * The measured moments, increased where this building is less certain than the sales: its rents,
 * which both approaches by rent share, and its imputed attributes.
 */
function momentsOfSubject(moments: Moments, property: ValuedHome, byRent: ValueByRent): Moments {
  return moments.map((row, a) =>
    row.map((moment, b) => {
      if (a === 0 && b === 0) return moment + property.estimate.raw.variantsSpread ** 2;
      if (a === 0 || b === 0) return moment;
      return moment + byRent.rentExcess + (a === b ? byRent.operatorVariance[a - 1] : 0);
    }),
  );
}

/** Comparables in the building's own bracket of units are listed first; the estimator uses all. */
function inSameBracket({ columns }: BoundMarket, { attributes }: Home): (row: number) => boolean {
  const bracket = bracketOf(attributes.totalUnits ?? 0);
  return (row) => bracketOf(columns.attributes.totalUnits[row]) === bracket;
}

/** Moves weights to the sales comparison until the weighted sum is within `logReach` of it. */
function limitToSales(values: readonly number[], weights: readonly number[], logReach: number) {
  const [sales] = values;
  const sum = weightedSum(values, weights);
  const bound = sales * Math.exp(Math.sign(sum - sales) * logReach);
  if (Math.abs(sum - sales) <= Math.abs(bound - sales)) return { weights, isLimited: false };
  const share = (bound - sales) / (sum - sales);
  const byRent = weights.slice(1).map((weight) => share * weight);
  return { weights: [1 - byRent.reduce((total, weight) => total + weight, 0), ...byRent], isLimited: true };
}

/**
 * Widens the interval of a building that is unlike all sales: where the reconciled value is farther
 * from the sales comparison than on 95 of 100 sales, in proportion, up to a limit.
 */
function disagreementOf(pointUsd: number, salesUsd: number, { logDisagreement }: MeasuredSize): number {
  const away = Math.abs(Math.log(pointUsd / salesUsd));
  const least = Math.max(RECONCILE.leastDisagreement, logDisagreement);
  return Math.min(RECONCILE.mostDisagreement, Math.max(1, away / least));
}

function weightedSum(values: readonly number[], weights: readonly number[]): number {
  return values.reduce((sum, value, a) => sum + weights[a] * value, 0);
}

function salesApproach({ estimate, distribution }: ValuedHome, weight: number, n: number): Approach {
  const [lowUsd, highUsd] = [percentileUsd(distribution, 5), percentileUsd(distribution, 95)];
  const reason = reasonOf(weight, n);
  return { name: APPROACHES[0], valueUsd: estimate.pointUsd, weight, lowUsd, highUsd, reason };
}

function rentApproach(a: number, valueUsd: number, weight: number, moments: Moments, n: number): Approach {
  const away = Z_90 * Math.sqrt(moments[a][a]);
  return {
    name: APPROACHES[a],
    valueUsd,
    weight,
    lowUsd: Math.max(1, Math.round(valueUsd * Math.exp(-away))),
    highUsd: Math.round(valueUsd * Math.exp(away)),
    reason: reasonOf(weight, n),
  };
}

function reasonOf(weight: number, n: number): string | null {
  if (weight > 0) return null;
  return `Its errors on the market's own sales (${n} of this size) are such that it adds nothing to the others.`;
}

/** Values by the two approaches by rent, whole USD. Variances are of ln USD. */
type ValueByRent = ReturnType<typeof valueByRent>;

function valueByRent(market: BoundMarket, { rental, buildings }: ByRent, home: Home, moment: Moment) {
  const grossRent = grossRentOf(rental, home, moment);
  const building = incomeBuildingOf(market, home, grossRent);
  const multiplier = buildings.multiplierAt(building);
  const { vacancy, expenseRatio, logNetIncome, logCapRate } = buildings.capitalization.at(building);
  const { operator } = buildings;
  const value = Math.exp(multiplier.logValue);
  const rate = Math.exp(logCapRate);
  const grossRentMultiplier: Assumption = operator.grossRentMultiplier
    ? { ...operator.grossRentMultiplier, source: 'operator' }
    : { value, source: 'market', spread: value * multiplier.logSd };
  // The spread of cap rates is their error on sales.
  const rateSpread = rate * Math.sqrt(sizeOf(buildings, building.units).moments[2][2]);
  const capRate: Assumption = operator.capRate
    ? { ...operator.capRate, source: 'operator' }
    : { value: rate, source: 'market', spread: rateSpread };
  const netIncomeUsd = Math.round(Math.exp(logNetIncome));
  return {
    multiplierUsd: dollars(Math.log(grossRent.annualUsd) + multiplier.logValue),
    incomeUsd: dollars(logNetIncome - logCapRate),
    /** How much more uncertain the building's rent is than the sales' rents. */
    rentExcess: Math.max(0, grossRent.logSd ** 2 - buildings.rentVariance),
    /** Added by the operator's own figures, to the multiplier and to the income approach. */
    operatorVariance: [
      grossRentMultiplier.source === 'operator' ? logVariance(grossRentMultiplier) : 0,
      // With the market's own cap rates an error of the net share is in the cap rates too, and
      // cancels.
      capRate.source === 'operator'
        ? logVariance(capRate) + logVarianceOfComplement(vacancy) + logVarianceOfComplement(expenseRatio)
        : 0,
    ],
    assumptions: { grossRent, grossRentMultiplier, vacancy, expenseRatio, netIncomeUsd, capRate },
  };
}

/** The figures behind the approaches by rent. */
export type RentAssumptions = ValueByRent['assumptions'];

function incomeBuildingOf({ salesData }: BoundMarket, home: Home, grossRent: GrossRent): IncomeBuilding {
  return {
    ...describedBuilding(home),
    parcel: salesData.parcelCode(home),
    logAnnualRent: Math.log(grossRent.annualUsd),
  };
}

function dollars(log: number): number {
  return Math.max(1, Math.round(Math.exp(log)));
}

/** Variance of the ln of a figure; below, of the ln of 1 − figure. */
function logVariance({ value, spread }: Assumption): number {
  return (spread / value) ** 2;
}

function logVarianceOfComplement({ value, spread }: Assumption): number {
  return (spread / (1 - value)) ** 2;
}
