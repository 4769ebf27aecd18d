import type { Command } from 'commander';
import { PlumblineError } from '../errors.ts';
import { COMMAND_LINE } from '../store/audit-log.ts';
import { cancelJob } from '../store/job-results.ts';
import { findAnyJob, listNewestJobs, readResults, type StoredJob } from '../store/jobs.ts';
import type { Store } from '../store/store.ts';
import { withStore } from './compose.ts';
import { JSON_OPTION, printJson, printLine, printResult, printTable, type JsonOption } from './print.ts';

/** About one screen. */
const SHOWN = 40;

export function registerJobs(program: Command): void {
  const jobs = program
    .command('jobs')
    .description('queued trainings and backtests, and batches of all accounts');
  jobs
    .command('list', { isDefault: true })
    .description(`list the newest ${SHOWN} jobs`)
    .option(...JSON_OPTION)
    .action((options: JsonOption) => list(options));
  jobs
    .command('show')
    .description('print a job as JSON, with the result of a training or backtest that has ended')
    .argument('<id>', 'the job')
    .option(...JSON_OPTION)
    .action((jobId: string) => show(jobId));
  jobs
    .command('cancel')
    .description('cancel a job')
    .argument('<id>', 'the job')
    .option(...JSON_OPTION)
    .action((jobId: string, options: JsonOption) => cancel(jobId, options));
}

async function list(options: JsonOption): Promise<void> {
  const found = await withStore((store) => listNewestJobs(store, SHOWN));
  if (options.json) return printJson(found.map(describe));
  if (found.length === 0) return printLine('There are no jobs yet.');
  printTable([
    ['job', 'account', 'task', 'status', 'items', 'created', 'progress'],
    ...found.map((job) => [
      job.jobId,
      job.accountId,
      job.task,
      job.status,
      `${job.completed + job.failed}/${job.total}`,
      timestampOf(job.createdAt) ?? '',
      job.finishedAt === null ? (job.progress ?? '') : '',
    ]),
  ]);
}

async function show(jobId: string): Promise<void> {
  printJson(
    await withStore(async (store) => {
      const job = await jobOrSay(store, jobId);
      if (job.total > 1 || job.finishedAt === null) return describe(job);
      const [result] = await readResults(store, jobId, { from: 0, limit: 1 });
      const answer: unknown = result?.data ? JSON.parse(result.data) : null;
      return { ...describe(job), error: result?.error ?? null, result: answer };
    }),
  );
}

async function cancel(jobId: string, options: JsonOption): Promise<void> {
  const isCancelled = await withStore(async (store) => {
    const { accountId } = await jobOrSay(store, jobId);
    return cancelJob(store, { accountId, actor: COMMAND_LINE }, jobId, store.clock().getTime());
  });
  if (!isCancelled) throw new PlumblineError('usage', `Job ${jobId} has ended already.`);
  printResult(options, { jobId, status: 'cancelled' }, () => printLine(`Job ${jobId} is cancelled.`));
}

async function jobOrSay(store: Store, jobId: string): Promise<StoredJob> {
  const job = await findAnyJob(store, jobId);
  if (job) return job;
  throw new PlumblineError('usage', `There is no job ${jobId}. "plumbline jobs" lists the newest.`);
}

function describe({ createdAt, startedAt, finishedAt, ...job }: StoredJob): object {
  return {
    ...job,
    createdAt: timestampOf(createdAt),
    startedAt: timestampOf(startedAt),
    finishedAt: timestampOf(finishedAt),
  };
}

function timestampOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
