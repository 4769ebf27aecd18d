import { PlumblineError } from '../errors.ts';
import { appendAudit, type ActingFor } from '../store/audit-log.ts';
import { inTransaction } from '../store/transaction.ts';
import { insertModelJob } from './model-jobs.ts';
import { lockJobs, type ScheduleDeps } from './schedule-training.ts';

/**
 * Queues a walk-forward backtest of a market's homes by month, whose result is kept with the market.
 *
 * @param days the first and last day of sale, `YYYY-MM-DD`
 * @returns the id of the job
 * @throws PlumblineError `bad_request` for days in the wrong order, `conflict` while a backtest is queued or running
 */
export async function requestBacktest(
  { store, clock, newId }: ScheduleDeps,
  marketId: string,
  days: { readonly from: string; readonly to: string },
  actingFor: ActingFor,
): Promise<string> {
  const { from, to } = days;
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
    const ofMarket = ['--market', marketId, '--kind', 'property'];
    const options = [...ofMarket, '--from', from, '--to', to, '--every', '1mo', '--save'];
    const by = { ...actingFor, at: job.createdAt };
    await appendAudit(transaction, by, 'market.backtest_requested', marketId, { from, to });
    await insertModelJob(store, transaction, job, { task: 'backtest', options });
    return job.jobId;
  });
}
