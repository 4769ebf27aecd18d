import type { CrimeData, CrimeSearch, Incident } from '../../api/places.ts';

export const RADII_MI = [0.25, 0.5, 1, 2, 5];

export const PERIODS = [
  { value: 'all', label: 'All loaded data' },
  { value: '1', label: 'Last year of data' },
  { value: '3', label: 'Last 3 years of data' },
] as const;
export type Period = (typeof PERIODS)[number]['value'];

/** The period ends on the last day with data. Until that day is known, the search covers all data. */
export function searchOf(radiusMi: number, period: Period, lastDay: string | null): CrimeSearch {
  if (period === 'all' || lastDay === null) return { radius_mi: radiusMi, start: null, end: null };
  const start = new Date(`${lastDay}T00:00:00Z`);
  start.setUTCFullYear(start.getUTCFullYear() - Number(period));
  start.setUTCDate(start.getUTCDate() + 1);
  return { radius_mi: radiusMi, start: start.toISOString().slice(0, 10), end: lastDay };
}

/** Identifies an incident in a list. Some agencies publish no number, so its position is used. */
export function incidentKey({ id }: Incident, i: number): string {
  return id === null ? `at ${i}` : String(id);
}

interface CategoryCount {
  readonly category: string;
  readonly count: number;
}

/** The most frequent categories, and the others together, so that the bars add up to the total. */
export function categoryCounts(summary: CrimeData['summary'], most = 10): CategoryCount[] {
  const all = Object.entries(summary?.by_category ?? {})
    .map(([category, count]) => ({ category, count }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || (a.category < b.category ? -1 : 1));
  if (all.length <= most) return all;
  const rest = all.slice(most - 1).reduce((sum, { count }) => sum + count, 0);
  return [...all.slice(0, most - 1), { category: `${all.length - most + 1} other categories`, count: rest }];
}
