import type { Day } from '../../domain/day.ts';
import { CALIBRATION } from '../calibration/calibration-constants.ts';
import { widened } from '../calibration/distribution.ts';
import { PRICE_INDEX } from '../model/constants.ts';

/** A value and its ranges, whole USD. */
interface ValueWithRanges {
  readonly value: number;
  readonly interval_80: Range;
  readonly interval_90: Range;
}

interface Range {
  readonly lower: number;
  readonly upper: number;
}

export interface DatedValue extends ValueWithRanges {
  readonly day: Day;
}

/** The prices of one home's place and type on a day, against any fixed day. */
export interface PriceLevel {
  /** Ln. */
  readonly log: number;
  /** Variance of the error of the market's ln index. */
  readonly variance: number;
}

/**
 * A home's value on a day without a value of its own: the values before and after it, moved along the price index.
 * Between two of them, their difference beyond the index is spread evenly over the days, so that the line meets both.
 * Ranges are those of the nearest value, wider by the variance of the index beyond that value's, and by what the
 * ranking of homes moves in the time between: as for values of an old model (`indexVariance`).
 *
 * @param values at least one, oldest first
 */
export function carriedValue(
  values: readonly DatedValue[],
  levelOn: (day: Day) => PriceLevel,
  day: Day,
): ValueWithRanges {
  const before = values.findLast((value) => value.day <= day);
  const after = values.find((value) => value.day >= day);
  const [left, right] = [before ?? after, after ?? before];
  if (!left || !right) throw new Error('there is no value to carry');
  const share = right.day === left.day ? 0 : (day - left.day) / (right.day - left.day);
  const besideIndex = (one: DatedValue) => Math.log(one.value) - levelOn(one.day).log;
  const level = levelOn(day);
  const log = level.log + besideIndex(left) + share * (besideIndex(right) - besideIndex(left));
  const nearest = share < 0.5 ? left : right;
  const variance =
    Math.max(0, level.variance - levelOn(nearest.day).variance) +
    PRICE_INDEX.agingVariancePerYear * (Math.abs(day - nearest.day) / 365);
  const sd = Math.sqrt(CALIBRATION.indexVarianceFactor * variance);
  const bound = (usd: number, percentile: Parameters<typeof widened>[1]) =>
    Math.round(Math.exp(log + widened(Math.log(usd / nearest.value), percentile, sd)));
  return {
    value: Math.round(Math.exp(log)),
    interval_80: {
      lower: bound(nearest.interval_80.lower, 10),
      upper: bound(nearest.interval_80.upper, 90),
    },
    interval_90: {
      lower: bound(nearest.interval_90.lower, 5),
      upper: bound(nearest.interval_90.upper, 95),
    },
  };
}
