import type { Day } from '../../domain/day.ts';
import { PRICE_INDEX } from '../model/constants.ts';
import type { DatedResiduals } from './level-jumps.ts';

const STEP_DAYS = 30;

/** Values at evenly spaced days; the last day is the last one covered by sales. */
export interface Curve {
  readonly first: number;
  readonly step: number;
  readonly values: Float64Array;
}

/** Linear between the curve's days, flat before them. After them it returns to zero, that is to the market. */
export function curveAt(curve: Curve, day: number): number {
  const { first, step, values } = curve;
  const last = values.length - 1;
  const position = (day - first) / step;
  if (!(position > 0)) return values[0];
  if (position >= last) {
    const beyondDays = day - first - last * step;
    return values[last] * 0.5 ** (beyondDays / PRICE_INDEX.groupHalfLifeDays);
  }
  const low = Math.floor(position);
  return values[low] + (position - low) * (values[low + 1] - values[low]);
}

/** Kernel mean of one group's residuals over time, shrunk to zero by `prior` sales. */
export function smoothGroup(group: DatedResiduals, until: Day, prior: number): Curve {
  return kernelSums(group, until, prior, (weight, sum) => sum / weight);
}

/** The weight of a group's own sales against `prior` sales of the market, 0 to 1. */
export function ownShare(group: DatedResiduals, until: Day, prior: number): Curve {
  return kernelSums(group, until, prior, (weight) => (weight - prior) / weight);
}

function kernelSums(
  { soldOn, residual }: DatedResiduals,
  until: Day,
  prior: number,
  valueOf: (weight: number, sum: number) => number,
): Curve {
  const { groupBandwidthDays, groupClip } = PRICE_INDEX;
  const earliest = soldOn.reduce((first, day) => Math.min(first, day), until);
  const count = Math.floor((until - earliest) / STEP_DAYS) + 1;
  const first = until - (count - 1) * STEP_DAYS;
  const clipped = residual.map((r) => Math.max(-groupClip, Math.min(groupClip, r)));
  const byDay = dailySums(soldOn, clipped);
  const values = Float64Array.from({ length: count }, (_, i) => {
    let weight = prior;
    let sum = 0;
    for (const { soldOn: on, n, total } of byDay) {
      const z = (on - first - i * STEP_DAYS) / groupBandwidthDays;
      const kernel = Math.exp(-0.5 * z * z);
      weight += kernel * n;
      sum += kernel * total;
    }
    return valueOf(weight, sum);
  });
  return { first, step: STEP_DAYS, values };
}

/** A group without sales moves with the market. */
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
