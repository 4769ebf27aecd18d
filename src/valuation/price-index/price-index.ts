import type { Day } from '../../domain/day.ts';
import { PROPERTY_TYPES } from '../../domain/property.ts';
import { PRICE_INDEX } from '../model/constants.ts';
import { RAW_EAST, RAW_NORTH, RAW_TYPE, rawColumn, rawOf, type AsOfSample } from '../model/features.ts';
import { upperMedian } from '../order-statistics.ts';
import {
  findLevelJumps,
  jumpsUntil,
  refineLevelJumps,
  type DatedResiduals,
  type LevelJump,
} from './level-jumps.ts';

const GROUP_STEP_DAYS = 30;

/** Values at evenly spaced days; the last day is the last one covered by sales. */
export interface Curve {
  readonly first: number;
  readonly step: number;
  readonly values: Float64Array;
}

/**
 * A market's price index in logs: a smooth of hedonic residuals for the whole market, and for each
 * type and small area its deviation from that, shrunk to zero where sales are few.
 */
export interface PriceIndex {
  /** Last day covered by sales: the training day, or the newest sales' where much older. */
  readonly until: Day;
  readonly market: Curve;
  /** Added to the market's curve: a smooth follows a jump only after months. */
  readonly jumps: readonly LevelJump[];
  /** Log change per day used for extrapolation, damped. */
  readonly slopePerDay: number;
  /** By type code. */
  readonly types: readonly Curve[];
  readonly areaPlan: AreaPlan;
  readonly areas: readonly Curve[];
}

/** The market's log index on a day; beyond `until` extrapolated with the damped slope. */
export function marketIndexAt(
  index: Pick<PriceIndex, 'market' | 'jumps' | 'slopePerDay' | 'until'>,
  day: number,
): number {
  const beyond = Math.max(0, day - index.until);
  const { dampingDays } = PRICE_INDEX;
  const ahead = index.slopePerDay * dampingDays * (1 - Math.exp(-beyond / dampingDays));
  return curveAt(index.market, day) + jumpsUntil(index.jumps, day) + ahead;
}

/** The log index of a type and place on a day; their deviations stay constant after `until`. */
export function priceIndexAt(
  index: PriceIndex,
  type: number,
  east: number,
  north: number,
  day: number,
): number {
  const area = areaOf(index.areaPlan, east, north);
  return marketIndexAt(index, day) + curveAt(index.types[type], day) + curveAt(index.areas[area], day);
}

export function lastDayOf({ first, step, values }: Curve): Day {
  return first + step * (values.length - 1);
}

/** Linear between the curve's days, flat outside them. */
export function curveAt(curve: Curve, day: number): number {
  const { first, step, values } = curve;
  const last = values.length - 1;
  const position = (day - first) / step;
  if (!(position > 0)) return values[0];
  if (position >= last) return values[last];
  const low = Math.floor(position);
  return values[low] + (position - low) * (values[low + 1] - values[low]);
}

/**
 * Last day covered by sales. A smoothed curve extended beyond it falls back to the mean of all years: trained
 * four years after Milwaukee's last sale, it was 19 % below that sale (`bench/time-gap.ts`).
 */
export function lastCoveredDay(soldOn: Float64Array, trainedOn: Day): Day {
  const { newestSales, newestShare, bridgedDays } = PRICE_INDEX;
  const sorted = soldOn.slice().sort();
  const newest = sorted[sorted.length - Math.min(newestSales, Math.ceil(newestShare * sorted.length))];
  return trainedOn - newest <= bridgedDays ? trainedOn : newest;
}

/** Local-linear smooth of residuals over time, clipped to `clip` around their median. */
export function smoothMarket({ soldOn, residual }: DatedResiduals, until: Day, clip: number): Curve {
  const { stepDays, minBandwidthDays, maxBandwidthDays, salesPerBandwidth } = PRICE_INDEX;
  const center = upperMedian(residual);
  const clipped = residual.map((r) => Math.max(-clip, Math.min(clip, r - center)));
  return smooth({ soldOn, residual: clipped }, until, stepDays, (byDay, day, first) => {
    const wanted = (salesPerBandwidth * Math.max(1, until - first)) / soldOn.length;
    return localLinearMean(byDay, day, Math.min(maxBandwidthDays, Math.max(minBandwidthDays, wanted)));
  });
}

/** Slope for extrapolation: over the last covered days, capped. */
export function lastSlope(market: Curve, until: Day): number {
  const { slopeDays, slopeCapPerDay } = PRICE_INDEX;
  const slope = (curveAt(market, until) - curveAt(market, until - slopeDays)) / slopeDays;
  return Math.max(-slopeCapPerDay, Math.min(slopeCapPerDay, slope));
}

/** Kernel mean of one group's residuals over time, shrunk to zero by `prior` sales. */
export function smoothGroup({ soldOn, residual }: DatedResiduals, until: Day, prior: number): Curve {
  const { groupBandwidthDays, groupClip } = PRICE_INDEX;
  const clipped = residual.map((r) => Math.max(-groupClip, Math.min(groupClip, r)));
  return smooth({ soldOn, residual: clipped }, until, GROUP_STEP_DAYS, (byDay, day) => {
    let weight = prior;
    let sum = 0;
    for (const { soldOn: on, n, total } of byDay) {
      const z = (on - day) / groupBandwidthDays;
      const kernel = Math.exp(-0.5 * z * z);
      weight += kernel * n;
      sum += kernel * total;
    }
    return sum / weight;
  });
}

/** A mean on every `step`-th day before `until`, back to the first day of sale. */
function smooth(
  { soldOn, residual }: DatedResiduals,
  until: Day,
  step: number,
  meanOn: (byDay: readonly DaySum[], day: number, first: number) => number,
): Curve {
  const earliest = soldOn.reduce((first, day) => Math.min(first, day), until);
  const count = Math.floor((until - earliest) / step) + 1;
  const first = until - (count - 1) * step;
  const byDay = dailySums(soldOn, residual);
  const values = Float64Array.from({ length: count }, (_, i) => meanOn(byDay, first + i * step, first));
  return { first, step, values };
}

export function flatCurve(day: Day): Curve {
  return { first: day, step: 1, values: new Float64Array(1) };
}

interface DaySum {
  readonly soldOn: number;
  n: number;
  total: number;
}

/** Sums by day, ascending: a kernel then costs a few hundred terms instead of one per sale. */
function dailySums(soldOn: Float64Array, residual: Float64Array): DaySum[] {
  const byDay = new Map<number, DaySum>();
  for (let i = 0; i < soldOn.length; i++) {
    const sum = byDay.get(soldOn[i]) ?? { soldOn: soldOn[i], n: 0, total: 0 };
    sum.n++;
    sum.total += residual[i];
    byDay.set(soldOn[i], sum);
  }
  return [...byDay.values()].sort((a, b) => a.soldOn - b.soldOn);
}

function localLinearMean(byDay: readonly DaySum[], day: number, bandwidth: number): number {
  let s0 = 1e-6;
  let s1 = 0;
  let s2: number = PRICE_INDEX.slopePrior;
  let t0 = 0;
  let t1 = 0;
  for (const { soldOn, n, total } of byDay) {
    const away = soldOn - day;
    const z = away / bandwidth;
    if (z < -4.3 || z > 4.3) continue;
    const kernel = Math.exp(-0.5 * z * z);
    s0 += kernel * n;
    s1 += kernel * n * away;
    s2 += kernel * n * away * away;
    t0 += kernel * total;
    t1 += kernel * total * away;
  }
  return (s2 * t0 - s1 * t1) / (s0 * s2 - s1 * s1);
}

/** Log prices moved to the training day. */
export function adjustedLogPrices(sales: AsOfSample, index: PriceIndex, trainedOn: Day): Float64Array {
  return sales.logPrice.map((log, i) => {
    const raw = rawOf(sales, i);
    const level = (day: number) => priceIndexAt(index, raw[RAW_TYPE], raw[RAW_EAST], raw[RAW_NORTH], day);
    return log + level(trainedOn) - level(sales.soldOn[i]);
  });
}

/**
 * Estimates the price index from residuals. `residualsOf` removes attributes and location from log
 * prices, out of fold. First with the trend still in the prices, then again without it, so that the
 * trees cannot confuse time with location.
 */
export function fitPriceIndex(
  sales: AsOfSample,
  trainedOn: Day,
  residualsOf: (logPrice: Float64Array, pass: number) => Float64Array,
): PriceIndex {
  const { soldOn } = sales;
  const until = lastCoveredDay(soldOn, trainedOn);
  const trended = residualsOf(sales.logPrice, 0);
  const found = findLevelJumps({ soldOn, residual: trended });
  const withoutJumps = trended.map((residual, i) => residual - jumpsUntil(found, soldOn[i]));
  const first = smoothMarket({ soldOn, residual: withoutJumps }, until, PRICE_INDEX.firstClip);
  const flat = sales.logPrice.map((log, i) => log - curveAt(first, soldOn[i]) - jumpsUntil(found, soldOn[i]));
  let left = residualsOf(flat, 1);
  const jumps = refineLevelJumps(found, { soldOn, residual: left });
  left = left.map((residual, i) => residual + jumpsUntil(found, soldOn[i]) - jumpsUntil(jumps, soldOn[i]));
  const correction = smoothMarket({ soldOn, residual: left }, until, PRICE_INDEX.clip);
  left = left.map((residual, i) => residual - curveAt(correction, soldOn[i]));
  const market = { ...first, values: first.values.map((value, i) => value + correction.values[i]) };

  /** One curve per group; a group without sales moves with the market. */
  const curvesOf = (group: Uint8Array, groups: number, prior: number): Curve[] =>
    Array.from({ length: groups }, (_, g) => {
      const members = Int32Array.from(group.keys()).filter((i) => group[i] === g);
      if (members.length === 0) return flatCurve(until);
      const pick = (column: Float64Array) => Float64Array.from(members, (i) => column[i]);
      return smoothGroup({ soldOn: pick(soldOn), residual: pick(left) }, until, prior);
    });
  const type = Uint8Array.from(rawColumn(sales, RAW_TYPE));
  const types = curvesOf(type, PROPERTY_TYPES.length, PRICE_INDEX.typePrior);
  left = left.map((residual, i) => residual - curveAt(types[type[i]], soldOn[i]));
  const east = rawColumn(sales, RAW_EAST);
  const north = rawColumn(sales, RAW_NORTH);
  const areaPlan = planAreas(east, north, PRICE_INDEX.minAreaSales, PRICE_INDEX.maxAreaDepth);
  const area = Uint8Array.from(east, (x, i) => areaOf(areaPlan, x, north[i]));
  const areas = curvesOf(area, areaCount(areaPlan), PRICE_INDEX.areaPrior);
  return { until, market, jumps, slopePerDay: lastSlope(market, until), types, areaPlan, areas };
}

/**
 * Small areas of a market: the sample halved repeatedly across its longer side, so that areas hold
 * about the same number of sales. Stored as the cuts of a complete binary tree.
 */
export interface AreaPlan {
  readonly depth: number;
  /** By node of the tree: 1 where the cut is across north, else across east. */
  readonly acrossNorth: Uint8Array;
  readonly cut: Float64Array;
}

export function planAreas(
  east: Float64Array,
  north: Float64Array,
  minSales: number,
  maxDepth: number,
): AreaPlan {
  let depth = 0;
  while (depth < maxDepth && east.length / 2 ** (depth + 1) >= minSales) depth++;
  const acrossNorth = new Uint8Array(2 ** depth - 1);
  const cut = new Float64Array(2 ** depth - 1);
  const divide = (node: number, members: Int32Array): void => {
    if (node >= cut.length) return;
    acrossNorth[node] = spread(north, members) > spread(east, members) ? 1 : 0;
    const along = acrossNorth[node] === 1 ? north : east;
    const sorted = members.slice().sort((a, b) => along[a] - along[b] || a - b);
    const middle = sorted.length >> 1;
    cut[node] = sorted.length === 0 ? 0 : along[sorted[middle]];
    const isBelow = (i: number) => along[i] < cut[node];
    divide(2 * node + 1, sorted.filter(isBelow));
    divide(
      2 * node + 2,
      sorted.filter((i) => !isBelow(i)),
    );
  };
  divide(0, Int32Array.from(east.keys()));
  return { depth, acrossNorth, cut };
}

export function areaCount(plan: AreaPlan): number {
  return 2 ** plan.depth;
}

/** 0 … areaCount−1. */
export function areaOf(plan: AreaPlan, east: number, north: number): number {
  let node = 0;
  for (let level = 0; level < plan.depth; level++) {
    const value = plan.acrossNorth[node] === 1 ? north : east;
    node = 2 * node + (value < plan.cut[node] ? 1 : 2);
  }
  return node - plan.cut.length;
}

/** Variance, so that a few distant sales do not decide the direction. */
function spread(values: Float64Array, members: Int32Array): number {
  let sum = 0;
  let squares = 0;
  for (const i of members) {
    sum += values[i];
    squares += values[i] * values[i];
  }
  const n = Math.max(1, members.length);
  return squares / n - (sum / n) ** 2;
}
