import type { Command } from 'commander';
import { instant, instantOrNull } from '../domain/instant.ts';
import { usageError } from '../errors.ts';
import { toSnakeCaseText } from '../schemas/member-names.ts';
import { COMMAND_LINE } from '../store/audit-log.ts';
import { cancelJob } from '../store/job-results.ts';
import { findAnyJob, listNewestJobs, readResults } from '../store/jobs.ts';
import type { Store } from '../store/store.ts';
import { withStore } from './configured-store.ts';
import type { JsonOption } from './options.ts';
import { printJson, printResult, tableText } from './print.ts';
import type { StoredJob } from '../store/tables/jobs.ts';

/** About one screen. */
const SHOWN = 40;

export function registerJobs(program: Command): void {
  const jobs = program.command('jobs');
  jobs.command('list', { isDefault: true }).description(`list the newest ${SHOWN} jobs`).action(list);
  jobs
    .command('show')
    .description('print a job as JSON, with the result of an import, training or backtest that has ended')
    .argument('<id>', 'the job')
    .action(show);
  jobs.command('cancel').description('cancel a job').argument('<id>', 'the job').action(cancel);
}

async function list(options: JsonOption): Promise<void> {
  const found = await withStore((store) => listNewestJobs(store, SHOWN));
  const rows = found.map((job) => [
    job.jobId,
    job.accountId,
    job.task,
    job.status,
    `${job.completed + job.failed}/${job.total}`,
    instant(job.createdAt),
    job.finishedAt === null ? (job.progress ?? '') : '',
  ]);
  const header = ['job', 'account', 'task', 'status', 'items', 'created', 'progress'];
  const text = rows.length === 0 ? 'There are no jobs yet.' : tableText([header, ...rows]);
  printResult(options, found.map(describe), text);
}

async function show(jobId: string): Promise<void> {
  const described = await withStore(async (store) => {
    const job = await findJob(store, jobId);
    if (job.total > 1 || job.finishedAt === null) return describe(job);
    const [result] = await readResults(store, jobId, { from: 0, limit: 1 });
    const text = result?.data ?? (result?.response && toSnakeCaseText(result.response));
    const data: unknown = text ? JSON.parse(text) : null;
    return { ...describe(job), error: result?.error ?? null, result: data };
  });
  printJson(described);
}

async function cancel(jobId: string, options: JsonOption): Promise<void> {
  const isCancelled = await withStore(async (store) => {
    const { accountId } = await findJob(store, jobId);
    return cancelJob(store, { accountId, actor: COMMAND_LINE }, jobId, store.clock().getTime());
  });
  if (!isCancelled) throw usageError(`Job ${jobId} has ended already.`);
  printResult(options, { jobId, status: 'cancelled' }, `Job ${jobId} is cancelled.`);
}

async function findJob(store: Store, jobId: string): Promise<StoredJob> {
  const job = await findAnyJob(store.db, jobId);
  if (job) return job;
  throw usageError(`There is no job ${jobId}. "plumbline jobs" lists the newest.`);
}

function describe({ createdAt, startedAt, finishedAt, ...job }: StoredJob): object {
  return {
    ...job,
    createdAt: instant(createdAt),
    startedAt: instantOrNull(startedAt),
    finishedAt: instantOrNull(finishedAt),
  };
}
