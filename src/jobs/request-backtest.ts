import { addMonths, dayOf, yearMonthOf, type Day } from '../domain/day.ts';
import type { ValuationKind } from '../domain/valuation-kind.ts';
import { PlumblineError } from '../errors.ts';
import { appendAudit, type ActingFor } from '../store/audit-log.ts';
import { findDatasetTypes, type Dataset } from '../store/datasets.ts';
import { findDayAt } from '../store/property-records.ts';
import type { Store } from '../store/store.ts';
import { inTransaction } from '../store/transaction.ts';
import { insertModelJob } from './model-jobs.ts';
import { lockJobs, type ScheduleDeps } from './schedule-training.ts';

/**
 * Queues a walk-forward backtest by month, whose result is kept with the market.
 *
 * @param of what is valued, and the first and last day of sale or listing, `YYYY-MM-DD`
 * @returns the id of the job
 * @throws PlumblineError `bad_request` for days in the wrong order, `conflict` while a backtest is queued or running
 */
export async function requestBacktest(
  { store, clock, newId }: ScheduleDeps,
  marketId: string,
  of: { readonly kind: ValuationKind; readonly from: string; readonly to: string },
  actingFor: ActingFor,
): Promise<string> {
  const { kind, from, to } = of;
  if (to < from) throw new PlumblineError('bad_request', 'The last day is before the first one.');
  const now = clock();
  return inTransaction(store, async (transaction) => {
    const jobs = await lockJobs(transaction, ['backtest'], marketId, now);
    if (jobs.some(({ finishedAt }) => finishedAt === null)) {
      throw new PlumblineError(
        'conflict',
        `A backtest of market ${marketId} is queued or running. Wait until it has ended.`,
      );
    }
    const job = { jobId: newId(), createdAt: now.getTime() };
    const ofMarket = ['--market', marketId, '--kind', kind];
    const options = [...ofMarket, '--from', from, '--to', to, '--every', '1mo', '--save'];
    const by = { ...actingFor, at: job.createdAt };
    await appendAudit(transaction, by, 'market.backtest_requested', marketId, { kind, from, to });
    await insertModelJob(store, transaction, job, { task: 'backtest', options });
    return job.jobId;
  });
}

/** Whole years that a backtest is offered for: each month of them is a training. */
const YEARS_OFFERED = 5;
/** The share of the rows that lie before the first day that is offered: the first model is trained on them. */
const SHARE_BEFORE = 0.25;

/** The days that a backtest of a market's sales or listings is offered for; null if there are none. */
export async function suggestBacktestDays(
  store: Store,
  { datasetId, rowsId, rowCount, kind }: Dataset,
): Promise<{ readonly from: Day; readonly to: Day } | null> {
  const table = kind === 'rents' ? 'rents' : 'sales';
  const before = await findDayAt(store, table, rowsId, Math.floor(SHARE_BEFORE * (rowCount ?? 0)));
  if (before === null) return null;
  const types = (await findDatasetTypes(store, [datasetId])).get(datasetId) ?? [];
  return lastWholeYears(before, Math.max(...types.map(({ lastOn }) => lastOn)));
}

/**
 * The last whole years up to the newest row, from the month after a day at the earliest; without such a year the months up
 * to the newest row.
 */
export function lastWholeYears(after: Day, newest: Day): { readonly from: Day; readonly to: Day } {
  const { year } = yearMonthOf(newest + 1);
  const endOfYears = dayOf(year, 1, 1) - 1;
  const earliest = Math.min(firstOfNextMonth(after), newest);
  const from = Math.max(dayOf(year - YEARS_OFFERED, 1, 1), earliest);
  return { from, to: from <= endOfYears ? endOfYears : newest };
}

function firstOfNextMonth(day: Day): Day {
  const { year, month } = yearMonthOf(day);
  return addMonths(dayOf(year, month, 1), 1);
}
