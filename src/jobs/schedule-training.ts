import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { dayOfInstant, formatDay, type Day } from '../domain/day.ts';
import { stepsAfter } from '../domain/step-length.ts';
import {
  DATASET_OF,
  MARKET_KINDS,
  readCatalog,
  allModelsOf,
  type MarketEntry,
} from '../operations/market-data/market-catalog.ts';
import { PlumblineError } from '../errors.ts';
import { DEFAULT_ACCOUNT_ID } from '../store/accounts.ts';
import { appendAudit, type ActingFor } from '../store/audit-log.ts';
import { datasetById } from '../store/datasets.ts';
import { listModelJobsSince } from '../store/jobs.ts';
import { listRuns } from '../store/runs.ts';
import type { Store, StoreTransaction } from '../store/store.ts';
import { lockFairShare } from '../store/submit-job.ts';
import { inTransaction } from '../store/transaction.ts';
import { insertModelJob, optionOf } from './model-jobs.ts';
import { type ModelJobTask } from '../store/tables/jobs.ts';

/** When markets are trained again; both null = never. */
export type TrainSchedule = Pick<Config, 'trainEvery' | 'trainAfterSales'>;

/** In the audit log. */
const BY_SCHEDULE: ActingFor = {
  accountId: DEFAULT_ACCOUNT_ID,
  actor: { kind: 'service', id: null, name: 'schedule' },
};

export interface ScheduleDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly newId: () => string;
}

/** While a job of these tasks is open, none is queued for its market. */
const TRAINING_TASKS: readonly ModelJobTask[] = ['train', 'import-upload'];
/** After a training job, also one that failed, the next is queued a day later at the earliest. */
const RETRY_MS = 86_400_000;

/**
 * Queues a refit of each market that is due and has new rows. Any process may call it, also several at once: the check for
 * an earlier job and the new job are one transaction, so a market gets one training.
 *
 * @returns the ids of the markets
 */
export async function queueDueTrainings(deps: ScheduleDeps, schedule: TrainSchedule): Promise<string[]> {
  if (schedule.trainEvery === null && schedule.trainAfterSales === null) return [];
  const queued: string[] = [];
  for (const entry of (await readCatalog(deps.store)).entries) {
    if ((await isDue(deps, schedule, entry)) && (await queueTraining(deps, entry.marketId))) {
      queued.push(entry.marketId);
    }
  }
  return queued;
}

async function isDue({ store, clock }: ScheduleDeps, schedule: TrainSchedule, entry: MarketEntry) {
  const models = allModelsOf(entry);
  const newRows = await countNewRows(store, entry);
  if (newRows === 0) return false;
  const { trainEvery, trainAfterSales } = schedule;
  const lastTrained = dayOfInstant(new Date(Math.max(...models.map(({ createdAt }) => createdAt))));
  const isLate = trainEvery !== null && dayOfInstant(clock()) >= stepsAfter(lastTrained, trainEvery);
  const isMany = trainAfterSales !== null && newRows >= trainAfterSales;
  if (!isLate && !isMany) return false;
  const runs = await listRuns(store, { marketId: entry.marketId });
  return !runs.some(({ task, isLost }) => task !== 'backtest' && !isLost);
}

/** Sales and listings imported since the newest model of their kind was trained, also if it was held back. */
async function countNewRows(store: Store, entry: MarketEntry): Promise<number> {
  let count = 0;
  for (const kind of MARKET_KINDS) {
    const model = allModelsOf(entry).findLast((each) => each.kind === kind);
    const dataset = entry[DATASET_OF[kind]];
    if (!model || !dataset || model.datasetIds.includes(dataset.datasetId)) continue;
    const trainedOn = await datasetById(store, model.datasetIds[0]);
    count += Math.max(0, (dataset.rowCount ?? 0) - (trainedOn?.rowCount ?? 0));
  }
  return count;
}

/** False if a training of the market is open, or was queued within a day. */
async function queueTraining(deps: ScheduleDeps, marketId: string): Promise<boolean> {
  const now = deps.clock();
  return inTransaction(deps.store, async (transaction) => {
    const jobs = await lockJobs(transaction, TRAINING_TASKS, marketId, now);
    if (jobs.some(({ finishedAt, task }) => finishedAt === null || task === 'train')) return false;
    await insertTraining(deps, transaction, { marketId, asOf: dayOfInstant(now), now }, BY_SCHEDULE, [
      '--refit',
    ]);
    return true;
  });
}

/**
 * Queues a full training of a market on what was known on a date.
 *
 * @param asOf null = today
 * @returns the id of the job
 * @throws PlumblineError `bad_request` for a date in the future, `conflict` while a training is queued or running
 */
export async function requestTraining(
  deps: ScheduleDeps,
  marketId: string,
  actingFor: ActingFor,
  asOf: Day | null = null,
): Promise<string> {
  const now = deps.clock();
  const today = dayOfInstant(now);
  if (asOf !== null && asOf > today) {
    throw new PlumblineError('bad_request', `The training date ${formatDay(asOf)} is in the future.`);
  }
  return inTransaction(deps.store, async (transaction) => {
    const jobs = await lockJobs(transaction, TRAINING_TASKS, marketId, now);
    if (jobs.some(({ finishedAt }) => finishedAt === null)) {
      throw new PlumblineError(
        'conflict',
        `A training of market ${marketId} is queued or running. Wait until it has ended.`,
      );
    }
    return insertTraining(deps, transaction, { marketId, asOf: asOf ?? today, now }, actingFor);
  });
}

/** Queues a training with the audit entry that says who queued it (`findJobRequest`). Returns the id of the job. */
async function insertTraining(
  { store, newId }: ScheduleDeps,
  transaction: StoreTransaction,
  { marketId, asOf, now }: { readonly marketId: string; readonly asOf: Day; readonly now: Date },
  actingFor: ActingFor,
  flags: readonly string[] = [],
): Promise<string> {
  const job = { jobId: newId(), createdAt: now.getTime() };
  const day = formatDay(asOf);
  const options = ['--market', marketId, '--as-of', day, ...flags];
  const by = { ...actingFor, at: job.createdAt };
  await appendAudit(transaction, by, 'market.training_requested', marketId, { as_of: day });
  await insertModelJob(store, transaction, job, { task: 'train', options });
  return job.jobId;
}

/** The market's jobs of a day. Others that would queue the same wait until the transaction ends. */
export async function lockJobs(
  transaction: StoreTransaction,
  tasks: readonly ModelJobTask[],
  marketId: string,
  now: Date,
) {
  await lockFairShare(transaction, DEFAULT_ACCOUNT_ID);
  const jobs = await listModelJobsSince(transaction, tasks, now.getTime() - RETRY_MS);
  return jobs.filter((job) => optionOf(job, '--market') === marketId);
}
