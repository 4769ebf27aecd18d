import type { RatioCases } from './cases.ts';
import { casesOf, isHit } from './cases.ts';
import type { StratumStudy } from './stratum.ts';
import { RESAMPLES, studyStratum } from './stratum.ts';
import { medianOf, orderBy } from './order.ts';

const PRICE_TIERS = 5;

/** A ratio study per distinct key, sorted by key. */
export function studyGroups(
  cases: RatioCases,
  keys: readonly string[],
  resamples = RESAMPLES,
): Map<string, StratumStudy> {
  const rowsOf = new Map<string, number[]>();
  for (let row = 0; row < cases.n; row++) {
    const rows = rowsOf.get(keys[row]);
    if (rows) rows.push(row);
    else rowsOf.set(keys[row], [row]);
  }
  const cells = new Map<string, StratumStudy>();
  for (const key of [...rowsOf.keys()].sort())
    cells.set(key, studyStratum(casesOf(cases, rowsOf.get(key) ?? []), resamples));
  return cells;
}

/**
 * The fifth of each case by market proxy, '1' (lowest) … '5'. Tiers by price alone would make every
 * model look regressive, because a low price is partly an error of the price. A case without a
 * value uses its price.
 */
export function priceTiers(cases: RatioCases): string[] {
  const ratios: number[] = [];
  for (let row = 0; row < cases.n; row++) {
    if (isHit(cases.value[row])) ratios.push(cases.value[row] / cases.price[row]);
  }
  const median = medianOf(ratios);
  const proxy = cases.price.map((usd, row) =>
    isHit(cases.value[row]) ? 0.5 * usd + (0.5 * cases.value[row]) / median : usd,
  );
  const tiers = new Array<string>(cases.n);
  for (const [position, row] of orderBy(proxy).entries()) {
    tiers[row] = String(Math.floor((position * PRICE_TIERS) / cases.n) + 1);
  }
  return tiers;
}

/** One point of the hit-rate/accuracy curve: only values with fsd ≤ `fsdMax`. */
interface CurvePoint {
  readonly fsdMax: number;
  readonly n: number;
  readonly hitRate: number;
  readonly mdape: number;
  readonly ppe10: number;
}

/** Thresholds of the hit-rate/accuracy curve; lenders' limits are between 0.10 and 0.20. */
const FSD_THRESHOLDS = [0.05, 0.075, 0.1, 0.125, 0.15, 0.175, 0.2, 0.25, 0.3, 0.4, 0.5, 1];

/** The hit-rate/accuracy curve; points without a value are left out. */
export function hitRateCurve(cases: RatioCases): CurvePoint[] {
  const fsd = cases.fsd;
  if (!fsd) return [];
  const points: CurvePoint[] = [];
  for (const fsdMax of FSD_THRESHOLDS) {
    const errors: number[] = [];
    for (let row = 0; row < cases.n; row++) {
      if (fsd[row] <= fsdMax && isHit(cases.value[row])) {
        errors.push(Math.abs(cases.value[row] - cases.price[row]) / cases.price[row]);
      }
    }
    if (errors.length === 0) continue;
    const ppe10 = errors.filter((error) => error <= 0.1).length / errors.length;
    points.push({
      fsdMax,
      n: errors.length,
      hitRate: errors.length / cases.n,
      mdape: medianOf(errors),
      ppe10,
    });
  }
  return points;
}
