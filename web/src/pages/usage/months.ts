import type { MonthUsage } from '../../api/account.ts';

/** `count` months up to and including `2026-03`, newest first. */
export function monthsBefore(period: string, count: number): string[] {
  const [year = 0, month = 1] = period.split('-').map(Number);
  return Array.from({ length: count }, (_, back) => {
    const at = year * 12 + (month - 1) - back;
    return `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`;
  });
}

/** The billing month, in UTC. */
export function periodOf(now: Date): string {
  return now.toISOString().slice(0, 7);
}

/** A row for every month and operation, with zeros if nothing was charged, for a stacked plot. */
export function stackedMonths(months: readonly MonthUsage[], periods: readonly string[]): MonthUsage[] {
  const operations = [...new Set(months.map(({ operation }) => operation))].sort();
  return periods.flatMap((period) =>
    operations.map((operation) => {
      const found = months.find((each) => each.period === period && each.operation === operation);
      return found ?? { period, operation, requests: 0, credits_used: 0 };
    }),
  );
}
