import { PROPERTY_TYPES } from '../../domain/property.ts';
import { median } from '../medians.ts';
import { intervalsByOtherMonths } from './holdout-cases.ts';
import type { HoldoutSales } from './holdout-sales.ts';
import type { ScoredSales } from './calibration.ts';
import { CALIBRATION } from './calibration-constants.ts';
import { formatDay } from '../../domain/day.ts';

/** Accuracy of a model on its holdout sales. Rates are fractions. */
export interface StratumAccuracy {
  /** 'all' or a property type. */
  readonly stratum: string;
  readonly n: number;
  /** Median of |value / price − 1|. */
  readonly mdape: number;
  /** Share of values within 10 % of the price. */
  readonly ppe10: number;
  /** Coverage of 90 % intervals calibrated on the other holdout months; null with too few sales. */
  readonly coverage90: number | null;
  /** First and last day of sale: "2014-12-15/2015-03-14". */
  readonly window: string;
}

export function measureAccuracy(holdout: HoldoutSales, scored: ScoredSales): StratumAccuracy[] {
  if (holdout.n === 0) return [];
  const covered = coveredByOtherMonths(holdout, scored);
  const first = holdout.soldOn.reduce((a, b) => Math.min(a, b));
  const last = holdout.soldOn.reduce((a, b) => Math.max(a, b));
  const window = `${formatDay(first)}/${formatDay(last)}`;
  const all = Array.from({ length: holdout.n }, (_, i) => i);
  const strata = PROPERTY_TYPES.map((type, code) => ({
    type,
    rows: all.filter((i) => holdout.type[i] === code),
  }));
  return [{ type: 'all', rows: all }, ...strata]
    .filter(({ rows }) => rows.length >= CALIBRATION.minStratum || rows.length === holdout.n)
    .map(({ type, rows }) => {
      const errors = rows.map((i) => Math.abs(Math.expm1(-scored.error[i])));
      return {
        stratum: type,
        n: rows.length,
        mdape: median(errors),
        ppe10: errors.filter((error) => error <= 0.1).length / rows.length,
        coverage90: covered === null ? null : rows.filter((i) => covered[i] === 1).length / rows.length,
        window,
      };
    });
}

/** Whether each price is in the 90 % interval calibrated on the other months; null without. */
function coveredByOtherMonths(holdout: HoldoutSales, scored: ScoredSales): Uint8Array | null {
  const interval = intervalsByOtherMonths(holdout, scored)?.of90;
  if (!interval) return null;
  return Uint8Array.from(holdout.logPrice, (log, i) => {
    const price = Math.exp(log);
    return Number(price >= interval.low[i] && price <= interval.high[i]);
  });
}
