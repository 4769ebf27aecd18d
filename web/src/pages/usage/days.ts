import type { DayUsage } from '../../api/account.ts';

/** What one API key was charged. */
export interface KeyUsage {
  /** `user:…` for a user of the console. */
  readonly id: string | null;
  readonly name: string;
  readonly requests: number;
  readonly credits: number;
  readonly lastOn: string;
}

/** `nightly`, or `ada (console)` */
export function payerName(id: string | null, name: string | null): string {
  const shown = name ?? id ?? 'Unknown';
  return id?.startsWith('user:') ? `${shown} (console)` : shown;
}

/** Rows are ordered by day. */
export function usageByKey(rows: readonly DayUsage[]): KeyUsage[] {
  return [...Map.groupBy(rows, ({ key_id }) => key_id)].map(([id, own]) => ({
    id,
    name: payerName(id, own[0]?.key_name ?? null),
    ...sumsOf(own),
    lastOn: own.at(-1)?.date ?? '',
  }));
}

/** A row for every day, with zeros where nothing was charged. */
export function usageByDay(rows: readonly DayUsage[], days: readonly string[]) {
  const byDay = Map.groupBy(rows, ({ date }) => date);
  // A job of the last minutes of a month can be charged on the first day of the next.
  const all = [...new Set([...days, ...byDay.keys()])].sort();
  return all.map((date) => ({ date, ...sumsOf(byDay.get(date) ?? []) }));
}

function sumsOf(rows: readonly DayUsage[]) {
  return {
    requests: rows.reduce((sum, { requests }) => sum + requests, 0),
    credits: rows.reduce((sum, { credits_used: credits }) => sum + credits, 0),
  };
}

/** The days of `2026-02`, as `2026-02-01`. */
export function daysOfMonth(period: string): string[] {
  const [year = 0, month = 1] = period.split('-').map(Number);
  const count = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return Array.from({ length: count }, (_, i) => `${period}-${String(i + 1).padStart(2, '0')}`);
}
