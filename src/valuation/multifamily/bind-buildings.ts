import { median } from '../order-statistics.ts';
import type { OperatorAssumptions } from './assumptions.ts';
import { countBuildings, type BuildingSales } from './building-sales.ts';
import { createCapitalization, createMultiplier, foldOf, incomeBuildingOfSale } from './capitalization.ts';
import { MULTIFAMILY, RECONCILE, SMALL_UNITS } from './multifamily-constants.ts';
import {
  APPROACHES,
  leastSquareWeights,
  meanSquare,
  momentsOf,
  shrinkMoments,
  type Moments,
} from './reconcile.ts';

/** Errors (ln price − ln value) of one sale by approach. */
interface MeasuredSale {
  readonly errors: readonly number[];
  readonly isSmall: boolean;
  readonly fold: number;
}

export type BoundBuildings = NonNullable<ReturnType<typeof bindBuildings>>;

/**
 * Building sales ready to value others, under one operator's assumptions; null where too few were
 * sold.
 */
export function bindBuildings(sales: BuildingSales, operator: OperatorAssumptions) {
  if (countBuildings(sales) < MULTIFAMILY.minBuildings) return null;
  const multiplierAt = createMultiplier(sales, operator);
  const capitalization = createCapitalization(sales, operator);
  const measured = Array.from({ length: sales.n }, (_, i): MeasuredSale => {
    const multiplier = multiplierAt(incomeBuildingOfSale(sales, i));
    const income = capitalization.outOfFold(i);
    const values = [
      sales.logSalesValue[i],
      sales.logAnnualRent[i] + multiplier.logValue,
      income.logNetIncome - income.logCapRate,
    ];
    const cap = MULTIFAMILY.errorCap;
    return {
      errors: values.map((value) => Math.min(cap, Math.max(-cap, sales.logPrice[i] - value))),
      isSmall: sales.units[i] <= SMALL_UNITS,
      fold: foldOf(sales, i),
    };
  });
  return {
    sales,
    operator,
    multiplierAt,
    capitalization,
    /** Mean squared standard deviation of the sales' ln rents. */
    rentVariance: sales.rentLogSd.reduce((sum, sd) => sum + sd ** 2, 0) / sales.n,
    small: measureSize(measured, true),
    large: measureSize(measured, false),
  };
}

export function sizeOf(buildings: BoundBuildings, units: number): MeasuredSize {
  return units <= SMALL_UNITS ? buildings.small : buildings.large;
}

export type MeasuredSize = ReturnType<typeof measureSize>;

/**
 * Out-of-sample errors of the approaches on the market's small or large buildings. A size without
 * sales uses the sales of the other size.
 */
function measureSize(measured: readonly MeasuredSale[], isSmall: boolean) {
  const own = measured.filter((sale) => sale.isSmall === isSmall);
  const ownOrAll = own.length > 0 ? own : measured;
  const folds = Array.from({ length: MULTIFAMILY.folds }, (_, fold) => {
    const others = (sales: readonly MeasuredSale[]) => sales.filter((sale) => sale.fold !== fold);
    return leastSquareWeights(
      momentsAmong(others(own), others(measured)),
      APPROACHES.map(() => true),
    );
  });
  const reconciled = ownOrAll.map(({ errors, fold }) =>
    errors.reduce((sum, error, a) => sum + folds[fold][a] * error, 0),
  );
  const salesErrors = ownOrAll.map(({ errors }) => errors[0]);
  const away = ownOrAll.map(({ errors }, i) => Math.abs(errors[0] - reconciled[i])).sort((a, b) => a - b);
  return {
    n: own.length,
    /** Mean products of the approaches' errors, shrunk. */
    moments: momentsAmong(own, measured),
    /** MdAPE of the sales comparison, and of the reconciled value. */
    propertyMdape: mdapeOf(salesErrors),
    multifamilyMdape: mdapeOf(reconciled),
    /** Width of the reconciled value's errors over that of the sales comparison; 1 = no narrower. */
    widthRatio: widthRatioOfErrors(reconciled, salesErrors),
    /** 95th percentile of |ln(reconciled value / sales comparison)|. */
    logDisagreement: quantileOf(away, RECONCILE.disagreementQuantile),
  };
}

function momentsAmong(own: readonly MeasuredSale[], all: readonly MeasuredSale[]): Moments {
  const errorsOf = (sales: readonly MeasuredSale[]) => momentsOf(sales.map(({ errors }) => errors));
  const ofAll = errorsOf(all);
  return shrinkMoments(own.length > 0 ? errorsOf(own) : ofAll, own.length, ofAll);
}

/** MdAPE of errors ln price − ln value. */
function mdapeOf(errors: readonly number[]): number {
  return median(errors.map((error) => Math.abs(Math.expm1(-error))));
}

/**
 * Ratio of the errors' widths: the largest over several quantiles, so that a few foreclosures that
 * one approach predicts do not narrow every interval. Shrunk to 1 where sales are few.
 */
function widthRatioOfErrors(reconciled: readonly number[], sales: readonly number[]): number {
  const sorted = (errors: readonly number[]) => errors.map(Math.abs).sort((a, b) => a - b);
  const [ours, theirs] = [sorted(reconciled), sorted(sales)];
  const ratios = RECONCILE.widthQuantiles.map((level) => quantileOf(ours, level) / quantileOf(theirs, level));
  const n = sales.length;
  return Math.min(1, (n * Math.max(...ratios) + RECONCILE.widthPrior) / (n + RECONCILE.widthPrior));
}

function quantileOf(sorted: readonly number[], level: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(level * sorted.length))];
}

/** The width ratio for a building whose rents or attributes are less certain than the sales'. */
export function widthRatioOf(measured: MeasuredSize, moments: Moments, weights: readonly number[]): number {
  return Math.max(measured.widthRatio, Math.sqrt(Math.min(1, meanSquare(moments, weights) / moments[0][0])));
}
