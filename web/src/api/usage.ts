import type { Static } from 'typebox';
import type { UsageMonthsBody } from '../../../src/api/console/usage.ts';
import type { UsageBody } from '../../../src/schemas/service.ts';
import { request } from './request.ts';

export type Usage = Static<typeof UsageBody>;

type Months = Static<typeof UsageMonthsBody>;
/** What one operation was charged in one month. */
export type MonthUsage = Months['months'][number];

export function readUsage(period: string | null, signal?: AbortSignal): Promise<Usage> {
  return request('GET', '/usage', { query: { period }, signal });
}

/** The months of a year past, oldest first; a month without a charge is not among them. */
export async function readMonths(signal?: AbortSignal): Promise<readonly MonthUsage[]> {
  const { months } = await request<Months>('GET', '/usage/months', {
    signal,
  });
  return months;
}
