import { median } from '../order-statistics.ts';
import type { OperatorAssumptions } from './assumptions.ts';
import { countBuildings, type BuildingSales } from './building-sales.ts';
import { createCapitalization, createMultiplier, foldOf, incomeBuildingOfSale } from './capitalization.ts';
import { MULTIFAMILY, RECONCILE, SMALL_UNITS } from './multifamily-constants.ts';
import { solve } from '../linear-algebra.ts';

/** Errors (ln price − ln value) of one sale by approach. */
interface MeasuredSale {
  readonly errors: readonly number[];
  readonly isSmall: boolean;
  readonly fold: number;
}

export type BoundBuildings = NonNullable<ReturnType<typeof bindBuildings>>;

/** Building sales ready to value others, under one operator's assumptions; null where too few were sold. */
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

/** The approaches, in the order of weights and moments. */
export const APPROACHES = ['sales_comparison', 'gross_rent_multiplier', 'income'] as const;
export type ApproachName = (typeof APPROACHES)[number];

/** Symmetric matrix of mean products of the approaches' errors, row by row. */
export type Moments = readonly (readonly number[])[];

/** Mean products about zero, so that a biased approach is penalized like an imprecise one. */
export function momentsOf(errors: readonly (readonly number[])[]): number[][] {
  return APPROACHES.map((_, a) =>
    APPROACHES.map((__, b) => errors.reduce((sum, row) => sum + row[a] * row[b], 0) / errors.length),
  );
}

/** A bracket's moments shrunk to those of all sales, then its correlations shrunk to their mean. */
export function shrinkMoments(bracket: Moments, n: number, all: Moments): number[][] {
  const share = n / (n + RECONCILE.bracketPrior);
  const pooled = all.map((row, a) =>
    row.map((moment, b) => (n === 0 ? moment : share * bracket[a][b] + (1 - share) * moment)),
  );
  const sd = pooled.map((row, a) => Math.sqrt(row[a]));
  const pairs = pooled.flatMap((row, a) => row.slice(0, a).map((moment, b) => moment / (sd[a] * sd[b])));
  const mean = pairs.reduce((sum, correlation) => sum + correlation, 0) / pairs.length;
  return pooled.map((row, a) =>
    row.map((moment, b) =>
      a === b
        ? moment
        : (1 - RECONCILE.correlationShrink) * moment + RECONCILE.correlationShrink * mean * sd[a] * sd[b],
    ),
  );
}

/**
 * Weights with the least mean square error that are not negative and sum to 1, for approaches with
 * correlated errors. Every subset is tried, because the best weights are the unconstrained best of
 * some subset.
 *
 * @param available approaches without data have weight 0
 */
export function leastSquareWeights(moments: Moments, available: readonly boolean[]): number[] {
  const indexes = moments.map((_, a) => a).filter((a) => available[a]);
  let best: { weights: number[]; square: number } | null = null;
  for (let mask = 1; mask < 1 << indexes.length; mask++) {
    const subset = indexes.filter((_, at) => mask & (1 << at));
    const weights = unconstrainedWeights(moments, subset);
    if (weights === null || weights.some((weight) => weight < 0)) continue;
    const square = meanSquare(moments, weights);
    if (best === null || square < best.square) best = { weights, square };
  }
  if (best === null) throw new Error('no approach is available');
  return best.weights;
}

/** wᵀ·M·w: the mean square error of the weighted value. */
export function meanSquare(moments: Moments, weights: readonly number[]): number {
  return moments.reduce(
    (sum, row, a) => sum + weights[a] * row.reduce((inner, moment, b) => inner + moment * weights[b], 0),
    0,
  );
}

/** M⁻¹·1 over its sum, for a subset; null where errors are too similar to determine weights. */
function unconstrainedWeights(moments: Moments, subset: readonly number[]): number[] | null {
  const one = subset.map(() => 1);
  // A single approach has all the weight, even with errors of zero.
  const solved =
    subset.length === 1
      ? one
      : solve(
          subset.map((a) => subset.map((b) => moments[a][b])),
          one,
        );
  const total = solved?.reduce((sum, value) => sum + value, 0) ?? 0;
  if (solved === null || !(total > 0)) return null;
  const weights = moments.map(() => 0);
  subset.forEach((a, at) => (weights[a] = solved[at] / total));
  return weights;
}
