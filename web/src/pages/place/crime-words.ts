import type { CrimeData, CrimeSearch } from '../../api/places.ts';

export const RADII_MI = [0.25, 0.5, 1, 2, 5];

export const PERIODS = [
  { value: 'all', label: 'All that is loaded' },
  { value: '1', label: 'The last year loaded' },
  { value: '3', label: 'The last 3 years loaded' },
] as const;
export type Period = (typeof PERIODS)[number]['value'];

/** So many years up to the last day that the agencies recorded; `null` while that day is not known. */
export function searchOf(radiusMi: number, period: Period, lastDay: string | null): CrimeSearch {
  if (period === 'all' || lastDay === null) return { radius_mi: radiusMi, start: null, end: null };
  const end = new Date(`${lastDay}T00:00:00Z`);
  const start = new Date(end);
  start.setUTCFullYear(start.getUTCFullYear() - Number(period));
  start.setUTCDate(start.getUTCDate() + 1);
  return { radius_mi: radiusMi, start: start.toISOString().slice(0, 10), end: lastDay };
}

/** A category and how many incidents it counts. */
export interface CategoryCount {
  readonly category: string;
  readonly count: number;
}

/** The most frequent ones; the rest together, so that the bars add up to the total. */
export function categoryCounts(summary: CrimeData['summary'], most = 10): CategoryCount[] {
  const all = Object.entries(summary?.by_category ?? {})
    .map(([category, count]) => ({ category, count }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || (a.category < b.category ? -1 : 1));
  if (all.length <= most) return all;
  const rest = all.slice(most - 1).reduce((sum, { count }) => sum + count, 0);
  return [...all.slice(0, most - 1), { category: `${all.length - most + 1} other categories`, count: rest }];
}
