import type { WatchedPortfolio } from '../../api/portfolios.ts';
import { formatMany } from '../../parts/format.ts';

const EVERY: Readonly<Record<WatchedPortfolio['revalue_every'], string>> = {
  day: 'Valued again when data or models change, at most once a day.',
  week: 'Valued again when data or models change, at most once a week.',
  month: 'Valued again when data or models change, at most once a month.',
  never: 'Valued again only by request.',
};

/** When a portfolio is valued, and what its alerts report. */
export function rulesInWords({
  revalue_every: every,
  alerts,
}: Pick<WatchedPortfolio, 'revalue_every' | 'alerts'>): string {
  const { change_pct: change, outside_range: isOutside, ltv_pct: ltv, sold_within_mi: miles } = alerts;
  const rules = [
    change !== null && `values that change by ${change}% or more`,
    isOutside && 'values outside the range of the run before',
    ltv !== null && `loans that come to exceed ${ltv}% of the value`,
    miles !== null && `new sales within ${miles === 1 ? formatMany(1, 'mile') : `${miles} miles`}`,
  ].filter((rule) => rule !== false);
  return rules.length === 0 ? EVERY[every] : `${EVERY[every]} Alerts: ${rules.join('; ')}.`;
}
