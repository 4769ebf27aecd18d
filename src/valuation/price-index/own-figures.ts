import type { Day } from '../../domain/day.ts';
import { upperMedian } from '../order-statistics.ts';
import { PRICE_INDEX } from '../model/constants.ts';
import { MARKET_FILTER } from './index-constants.ts';
import type { OwnFigure } from './market-filter.ts';
import { monthOf, type MonthNumber } from './market-path.ts';

/**
 * A market's quality-adjusted log prices by month: means of residuals clipped around the month's median, with their
 * standard errors from the spread within months.
 *
 * @param residual log price less what attributes and place explain
 */
export function ownFigures(
  soldOn: ArrayLike<Day>,
  residual: Float64Array,
  clip: number = PRICE_INDEX.clip,
): OwnFigure[] {
  const byMonth = new Map<MonthNumber, number[]>();
  for (let i = 0; i < residual.length; i++) {
    const month = monthOf(soldOn[i]);
    const ofMonth = byMonth.get(month);
    if (ofMonth) ofMonth.push(residual[i]);
    else byMonth.set(month, [residual[i]]);
  }
  let squares = 0;
  let freedom = 0;
  const means = [...byMonth]
    .sort(([a], [b]) => a - b)
    .map(([month, residuals]) => {
      const center = upperMedian(Float64Array.from(residuals));
      const clipped = residuals.map((r) => Math.max(-clip, Math.min(clip, r - center)));
      const offset = clipped.reduce((sum, r) => sum + r, 0) / clipped.length;
      squares += clipped.reduce((sum, r) => sum + (r - offset) ** 2, 0);
      freedom += clipped.length - 1;
      return { month, mean: center + offset, n: clipped.length };
    });
  const saleSd = freedom > 0 ? Math.sqrt(squares / freedom) : clip;
  return means.map(({ month, mean, n }) => {
    return { month, mean, standardError: (MARKET_FILTER.meanFactor * saleSd) / Math.sqrt(n) };
  });
}
