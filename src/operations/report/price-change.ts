import { changeWords, formatDay, formatMonth } from '../../domain/display-format.ts';
import type { PinnedFacts } from './pinned-facts.ts';

type Year = Pick<NonNullable<PinnedFacts['prices']>, 'lastMonth' | 'yearOverYearPct'>;

/**
 * `rose by 2.0% in the 12 months to Dec 2022`. A jump of prices on one day is usually no change of the market, so the
 * change is the one without it. Null without an index of a whole year.
 */
export function changeOverYear({
  prices,
  yearWithoutJumps,
}: Pick<PinnedFacts, 'yearWithoutJumps'> & { readonly prices: Year | null }): string | null {
  if (prices === null || prices.yearOverYearPct === null) return null;
  const changePct = yearWithoutJumps?.changePct ?? prices.yearOverYearPct;
  const words = `${changeWords(changePct)} in the 12 months to ${formatMonth(prices.lastMonth)}`;
  if (yearWithoutJumps === null) return words;
  return `${words}, without the jump of ${yearWithoutJumps.dates.map(formatDay).join(' and ')}`;
}
