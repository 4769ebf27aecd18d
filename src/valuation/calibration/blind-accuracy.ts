import { PROPERTY_TYPES } from '../../domain/property.ts';
import { median } from './medians.ts';
import { blindMonths, type BlindSales } from './blind-sales.ts';
import { calibrate, homeAt, type ScoredSales } from './calibration.ts';
import { CALIBRATION } from '../evidence/evidence-constants.ts';
import { formatDay } from '../../domain/day.ts';
import { distributionOf, percentileUsd } from './distribution.ts';

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

/** For each sale, whether its price lay in the interval made from all other months: no sale judges itself. */
function coveredByOtherMonths(blind: BlindSales, scored: ScoredSales): Uint8Array | null {
  const months = blindMonths(blind);
  if (months.length < 2 || blind.n < CALIBRATION.enoughScores) return null;
  const covered = new Uint8Array(blind.n);
  for (const month of months) {
    const others: number[] = [];
    for (let i = 0; i < blind.n; i++) if (blind.trainedOn[i] !== month) others.push(i);
    const calibration = calibrate(pickScored(scored, others), null);
    for (let i = 0; i < blind.n; i++) {
      if (blind.trainedOn[i] !== month) continue;
      const distribution = distributionOf(calibration, homeAt(scored, i), Math.exp(scored.logPoint[i]));
      const price = Math.exp(blind.logPrice[i]);
      if (price >= percentileUsd(distribution, 5) && price <= percentileUsd(distribution, 95)) covered[i] = 1;
    }
  }
  return covered;
}

function pickScored(scored: ScoredSales, rows: readonly number[]): ScoredSales {
  const pick = (column: Float64Array) => Float64Array.from(rows, (row) => column[row]);
  return {
    n: rows.length,
    error: pick(scored.error),
    logPoint: pick(scored.logPoint),
    type: Uint8Array.from(rows, (row) => scored.type[row]),
    lat: pick(scored.lat),
    lon: pick(scored.lon),
    variantsSpread: pick(scored.variantsSpread),
    ageDays: pick(scored.ageDays),
    difficulty: rows.map((row) => scored.difficulty[row]),
  };
}
