import type { Day } from '../../domain/day.ts';
import { LEVEL_JUMPS } from '../model/constants.ts';

export interface DatedResiduals {
  readonly soldOn: Float64Array;
  readonly residual: Float64Array;
}

/** A day from which all prices of a market are higher or lower by `size` (log). */
export interface LevelJump {
  readonly day: Day;
  readonly size: number;
}

/** Sum of the jumps up to a day. */
export function jumpsUntil(jumps: readonly LevelJump[], day: number): number {
  return jumps.reduce((sum, jump) => (day >= jump.day ? sum + jump.size : sum), 0);
}

/**
 * Days on which the level of the residuals jumps. A smoother takes months to follow a jump and then overshoots
 * it: with jumps of 35% in the last three months, values were up to 20% off. The largest jump is found first,
 * then the next in what is left.
 */
export function findLevelJumps({ soldOn, residual }: DatedResiduals): LevelJump[] {
  const { most, leastSize, leastZ, residualClip } = LEVEL_JUMPS;
  const jumps: LevelJump[] = [];
  while (jumps.length < most) {
    const left = residual.map((r, i) => r - jumpsUntil(jumps, soldOn[i]));
    const found = largestJump(windowSums({ soldOn, residual: left }, residualClip));
    if (found === null || Math.abs(found.size) < leastSize || Math.abs(found.z) < leastZ) break;
    jumps.push({ day: found.day, size: found.size });
  }
  return jumps.toSorted((a, b) => a.day - b.day);
}

/**
 * The same jumps with sizes estimated from residuals that still contain what the first estimate missed. One that turns
 * out smaller than `leastSize` is no jump: in spring 2022 such jumps made Milwaukee's values five months ahead 2% higher.
 */
export function refineLevelJumps(jumps: readonly LevelJump[], left: DatedResiduals): LevelJump[] {
  const sums = windowSums(left, LEVEL_JUMPS.residualClip);
  return jumps
    .map(({ day, size }) => ({ day, size: size + (jumpOn(sums, day)?.size ?? 0) }))
    .filter(({ size }) => Math.abs(size) >= LEVEL_JUMPS.leastSize);
}

/** Cumulated sums by day of sale, for means and slopes between any two days. */
interface WindowSums {
  readonly days: readonly Day[];
  /** Of the sales before each day, and of all at the end: count, time, time², residual, time × residual. */
  readonly sums: readonly (readonly number[])[];
  /** Of a residual around the level of its month. */
  readonly variance: number;
}

function windowSums({ soldOn, residual }: DatedResiduals, clip: number): WindowSums {
  const order = [...soldOn.keys()].sort((a, b) => soldOn[a] - soldOn[b]);
  const days: Day[] = [];
  const sums: number[][] = [];
  const total = [0, 0, 0, 0, 0];
  const origin = order.length === 0 ? 0 : soldOn[order[0]];
  let squares = 0;
  let within = 0;
  // The level of the last sales: residuals are clipped around it, and their variance is around it.
  let level = 0;
  for (const [rank, i] of order.entries()) {
    if (soldOn[i] !== days.at(-1)) {
      days.push(soldOn[i]);
      sums.push([...total]);
    }
    const r = Math.max(level - clip, Math.min(level + clip, residual[i]));
    if (rank >= LEVEL_JUMPS.memorySales) {
      squares += (r - level) ** 2;
      within++;
    }
    level += (r - level) / Math.min(rank + 1, LEVEL_JUMPS.memorySales);
    const t = soldOn[i] - origin;
    [1, t, t * t, r, t * r].forEach((term, s) => (total[s] += term));
  }
  sums.push(total);
  return { days, sums, variance: within === 0 ? 0 : squares / within };
}

function largestJump(sums: WindowSums): { day: Day; size: number; z: number } | null {
  let best: { day: Day; size: number; z: number } | null = null;
  for (const day of sums.days) {
    const jump = jumpOn(sums, day);
    if (jump !== null && (best === null || Math.abs(jump.z) > Math.abs(best.z))) best = { day, ...jump };
  }
  return best;
}

/**
 * The jump on a day, by least squares on the sales around it: a level before, a level after, and a common slope
 * with a prior, because a market moves by about a percent a month without a jump. Null with too few sales.
 */
function jumpOn({ days, sums, variance }: WindowSums, day: Day): { size: number; z: number } | null {
  const { windowDays, leastSales, slopeSdPerDay } = LEVEL_JUMPS;
  const at = (wanted: Day) => {
    const i = days.findIndex((each) => each >= wanted);
    return sums[i === -1 ? days.length : i];
  };
  const [from, middle, to] = [at(day - windowDays), at(day), at(day + windowDays)];
  const [before, after] = [middle.map((sum, s) => sum - from[s]), to.map((sum, s) => sum - middle[s])];
  if (before[0] < leastSales || after[0] < leastSales || variance <= 0) return null;
  const part = ([n, t, tt, r, tr]: readonly number[]) => ({
    n,
    spread: tt - (t * t) / n,
    covariance: tr - (t * r) / n,
    day: t / n,
    level: r / n,
  });
  const [b, a] = [part(before), part(after)];
  const slopeWeight = b.spread + a.spread + variance / slopeSdPerDay ** 2;
  const levelVariance = variance / b.n + variance / a.n;
  const slope = (b.covariance + a.covariance) / slopeWeight;
  const gap = a.day - b.day;
  const size = a.level - b.level - slope * gap;
  const z = size / Math.sqrt(levelVariance + (gap * gap * variance) / slopeWeight);
  return { size, z };
}
