import { PROPERTY_TYPES } from '../../domain/property.ts';
import { median } from './medians.ts';
import { intervalsByOtherMonths } from './blind-cases.ts';
import type { BlindSales } from './blind-sales.ts';
import type { ScoredSales } from './calibration.ts';
import { CALIBRATION } from '../evidence/evidence-constants.ts';
import { formatDay } from '../../domain/day.ts';

/** What a model measured of itself on its blind months. Rates are fractions. */
export interface StratumAccuracy {
  /** 'all' or a property type. */
  readonly stratum: string;
  readonly n: number;
  /** Median of |value / price − 1|. */
  readonly mdape: number;
  /** Share of values within 10 % of the price. */
  readonly ppe10: number;
  /** Share of prices within the 90 % interval that the other blind months would have given; null with one month or too few sales. */
  readonly coverage90: number | null;
  /** First and last blind day of sale: "2014-12-15/2015-03-14". */
  readonly window: string;
}

export function measureAccuracy(blind: BlindSales, scored: ScoredSales): StratumAccuracy[] {
  if (blind.n === 0) return [];
  const covered = coveredByOtherMonths(blind, scored);
  const first = blind.soldOn.reduce((a, b) => Math.min(a, b));
  const last = blind.soldOn.reduce((a, b) => Math.max(a, b));
  const window = `${formatDay(first)}/${formatDay(last)}`;
  const all = Array.from({ length: blind.n }, (_, i) => i);
  const strata = PROPERTY_TYPES.map((type, code) => ({
    type,
    rows: all.filter((i) => blind.type[i] === code),
  }));
  return [{ type: 'all', rows: all }, ...strata]
    .filter(({ rows }) => rows.length >= CALIBRATION.minStratum || rows.length === blind.n)
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

/** For each sale, whether its price lay in the 90 % interval made from all other months; null without one. */
function coveredByOtherMonths(blind: BlindSales, scored: ScoredSales): Uint8Array | null {
  const interval = intervalsByOtherMonths(blind, scored)?.of90;
  if (!interval) return null;
  return Uint8Array.from(blind.logPrice, (log, i) => {
    const price = Math.exp(log);
    return Number(price >= interval.low[i] && price <= interval.high[i]);
  });
}
