import type { RatioCases } from './cases.ts';
import type { Figure } from './figures.ts';
import { FIGURES, figuresOf, createScratch } from './figures.ts';
import type { Prepared } from './prepare.ts';
import { prepare } from './prepare.ts';
import { seededRandom } from '../random.ts';

/** Strata with fewer cases are marked small. */
export const SMALL_STRATUM = 30;

/** Seed of every bootstrap, so that the same cases give the same intervals. */
const BOOTSTRAP_SEED = 7;

/** A 95 % bootstrap interval. */
export type Interval95 = readonly [low: number, high: number];

export interface FsdQuintile {
  readonly quintile: number;
  readonly n: number;
  readonly fsdMean: number;
  /** Share of prices within ± fsd of the value; 0.6827 when calibrated. */
  readonly within: number;
  readonly standardError: number;
  readonly ci95: Interval95 | null;
}

/** The ratio study of a set of cases. A figure is null where it is undefined. */
export interface StratumStudy {
  readonly n: number;
  readonly isSmall: boolean;
  readonly figures: Readonly<Record<Figure, number | null>>;
  readonly ci95: Readonly<Record<Figure, Interval95 | null>>;
  readonly fsdHonesty: readonly FsdQuintile[];
}

/** Figures of the cases with bootstrap intervals. */
export function studyStratum(cases: RatioCases, resamples = RESAMPLES): StratumStudy {
  const prepared = prepare(cases);
  const scratch = createScratch(cases.n);
  const point = figuresOf(prepared, new Int32Array(cases.n).fill(1), scratch);
  const ci95 = bootstrap(prepared, cases.n, resamples);
  const figures = {} as Record<Figure, number | null>;
  for (const figure of FIGURES) figures[figure] = Number.isFinite(point[figure]) ? point[figure] : null;
  return {
    n: cases.n,
    isSmall: cases.n < SMALL_STRATUM,
    figures,
    ci95,
    fsdHonesty: fsdHonestyOf(prepared, point, ci95),
  };
}

/** Resamples per interval: the bounds' noise, about 5 % of the width, is not printed. */
export const RESAMPLES = 200;

/** Percentile bootstrap: cases drawn with replacement, misses included. */
function bootstrap(prepared: Prepared, n: number, wanted: number): Record<Figure, Interval95 | null> {
  const random = seededRandom(BOOTSTRAP_SEED);
  const resamples = n > 1 ? wanted : 0;
  const draws = {} as Record<Figure, Float64Array>;
  for (const figure of FIGURES) draws[figure] = new Float64Array(resamples);
  const weights = new Int32Array(n);
  const scratch = createScratch(n);
  for (let resample = 0; resample < resamples; resample++) {
    weights.fill(0);
    for (let i = 0; i < n; i++) weights[Math.floor(random() * n)]++;
    const figures = figuresOf(prepared, weights, scratch);
    for (const figure of FIGURES) draws[figure][resample] = figures[figure];
  }
  const intervals = {} as Record<Figure, Interval95 | null>;
  for (const figure of FIGURES) intervals[figure] = centralInterval(draws[figure]);
  return intervals;
}

/** The 2.5 and 97.5 percentiles of the defined draws; null unless nine in ten are defined. */
function centralInterval(draws: Float64Array): Interval95 | null {
  const defined = draws.filter(Number.isFinite).sort();
  if (defined.length === 0 || defined.length < 0.9 * draws.length) return null;
  const last = defined.length - 1;
  return [defined[Math.round(0.025 * last)], defined[Math.round(0.975 * last)]];
}

function fsdHonestyOf(
  prepared: Prepared,
  point: Record<Figure, number>,
  ci95: Record<Figure, Interval95 | null>,
): FsdQuintile[] {
  const { fsd, fsdQuintile } = prepared;
  if (!fsd || !fsdQuintile) return [];
  const quintiles: FsdQuintile[] = [];
  for (const [index, figure] of HONESTY_FIGURES.entries()) {
    let n = 0;
    let sum = 0;
    for (let row = 0; row < fsd.length; row++) {
      if (fsdQuintile[row] !== index) continue;
      n++;
      sum += fsd[row];
    }
    if (n === 0) continue;
    const within = point[figure];
    const standardError = Math.sqrt((within * (1 - within)) / n);
    quintiles.push({ quintile: index + 1, n, fsdMean: sum / n, within, standardError, ci95: ci95[figure] });
  }
  return quintiles;
}

const HONESTY_FIGURES = [
  'fsdHonesty1',
  'fsdHonesty2',
  'fsdHonesty3',
  'fsdHonesty4',
  'fsdHonesty5',
] as const satisfies readonly Figure[];
