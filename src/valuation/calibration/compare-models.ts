import { median } from '../order-statistics.ts';
import { BLEND } from './calibration-constants.ts';
import type { Blend } from './blend.ts';
import { scoredSales } from './holdout-cases.ts';
import { saleKey, type HoldoutSales } from './holdout-sales.ts';

/** Sales predicted out of sample, and how their two estimates are blended. */
interface Predictions {
  readonly holdout: HoldoutSales;
  readonly blend: Blend;
}

export interface Comparison {
  /** Sales that both have predicted. */
  readonly n: number;
  readonly from: number;
  readonly to: number;
  /** Median of |value / price − 1|, of the candidate and of the current model. */
  readonly candidateMdape: number;
  readonly currentMdape: number;
  /** Mean difference of the absolute errors (ln USD), positive if the candidate's are larger, and its standard error. */
  readonly difference: number;
  readonly standardError: number;
  /** Mean absolute error of the current model. */
  readonly currentError: number;
}

/** Fewer sales cannot show that a model is worse. */
const MIN_SALES = 30;
/** A candidate that is worse by more than this many standard errors does not become active. */
const WORSE_BY = 2;
/**
 * Nor one whose mean error is less than this share larger. Two fits of King County that differ in their random numbers
 * only differ by up to 0.4% (`FIT='{"seed":4}' node bench/accuracy-fit.ts king`). A refit on nearly the same sales differs
 * by 0.0004% on each of them, which is many standard errors and means nothing.
 */
const LEAST_LOSS = 0.005;

/**
 * Compares two models on the newest holdout month of the candidate, sale by sale. Neither model has seen the sales. Null
 * where both have predicted too few of them.
 */
export function compareModels(candidate: Predictions, current: Predictions): Comparison | null {
  const errorOf = new Map(errorsOf(current).map(({ key, error }) => [key, error]));
  const newest = candidate.holdout.trainedOn.reduce((last, day) => Math.max(last, day), -Infinity);
  const pairs = errorsOf(candidate).flatMap(({ key, trainedOn, soldOn, error }) => {
    const other = errorOf.get(key);
    return trainedOn === newest && other !== undefined ? [{ soldOn, error, other }] : [];
  });
  if (pairs.length < MIN_SALES) return null;
  const days = pairs.map(({ soldOn }) => soldOn);
  const differences = pairs.map(({ error, other }) => sizeOf(error) - sizeOf(other));
  const difference = meanOf(differences);
  const variance = meanOf(differences.map((each) => (each - difference) ** 2));
  const mdape = (errors: readonly number[]) => median(errors.map((error) => Math.abs(Math.expm1(-error))));
  return {
    n: pairs.length,
    from: days.reduce((a, b) => Math.min(a, b)),
    to: days.reduce((a, b) => Math.max(a, b)),
    candidateMdape: mdape(pairs.map(({ error }) => error)),
    currentMdape: mdape(pairs.map(({ other }) => other)),
    difference,
    standardError: Math.sqrt(variance / (pairs.length - 1)),
    currentError: meanOf(pairs.map(({ other }) => sizeOf(other))),
  };
}

export function isWorse({ difference, standardError, currentError }: Comparison): boolean {
  return difference > Math.max(WORSE_BY * standardError, LEAST_LOSS * currentError);
}

/** ln price − ln value of each sale. Two models may have their sales in different orders: equal sales have equal keys. */
function errorsOf({ holdout, blend }: Predictions) {
  const { soldOn, lat, lon, logPrice, trainedOn } = holdout;
  return Array.from(scoredSales(holdout, blend).error, (error, i) => ({
    key: saleKey(soldOn[i], lat[i], lon[i], logPrice[i]),
    trainedOn: trainedOn[i],
    soldOn: soldOn[i],
    error,
  }));
}

/** Capped, so that a foreclosure does not decide. */
function sizeOf(error: number): number {
  return Math.min(BLEND.errorCap, Math.abs(error));
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
