import type { Day } from '../domain/day.ts';
import { PlumblineError } from '../errors.ts';
import { CREDITS } from '../operations/deps.ts';
import type { Markets } from '../operations/market-data/markets.ts';
import { pinSweep, type SweepInputs } from '../operations/sweep/value-parcels.ts';
import { appendAudit, isAudited, type ActingFor } from '../store/audit-log.ts';
import { cancelJob, SWEEP_OPERATION } from '../store/job-results.ts';
import { parseJsonText } from '../store/json-text.ts';
import type { Store, StoreTransaction } from '../store/store.ts';
import { insertJob, lockFairShare, recordIdempotencyKey, type NewJob } from '../store/submit-job.ts';
import {
  findOpenSweep,
  findSweep,
  insertSweep,
  listSweeps,
  parcelRanges,
  readParcelHistory,
  readParcelValues,
  readRangeResults,
  type ParcelRange,
  type StoredSweep,
} from '../store/sweeps.ts';
import { SWEEP_TASK } from '../store/tables/jobs.ts';
import type { ParcelValue } from '../store/tables/sweeps.ts';
import { inTransaction } from '../store/transaction.ts';
import type { BatchDeps, Idempotency, SubmittingPayer } from './batch-types.ts';
import { holdMaximumCost, keyReused, newJob, rejectWithoutBatches } from './submit-batch.ts';
import type { RangeCounts } from './value-range.ts';

/**
 * Parcels per item: 0.1 s of work. Smaller items cost more commits; with larger ones batches wait longer, and a lost
 * worker loses more.
 */
const RANGE_PARCELS = 50;
/** Values read at once: 1 MB. */
const PAGE_VALUES = 5000;

/** Workers find a new sweep within half a second. */
interface SweepDeps extends Pick<BatchDeps, 'store' | 'clock' | 'newId'> {
  readonly markets: Markets;
}

interface SubmittedSweep {
  readonly marketId: string;
  readonly asOf: Day;
  readonly idempotency?: Idempotency | null;
}

/** A sweep and its progress. Parcels that are neither valued nor counted in `errors` are waiting. */
export interface Sweep extends StoredSweep, RangeCounts {}

/** The sweep operations of an account. */
export function createSweeps(deps: SweepDeps) {
  const { store, clock } = deps;
  const read = async (accountId: string, jobId: string): Promise<Sweep> => {
    const found = await findSweep(store.db, accountId, jobId);
    if (found === null) throw new PlumblineError('not_found', 'There is no sweep with this id.');
    return { ...found, ...(await countParcels(deps, jobId)) };
  };
  return {
    read,
    /** The newest sweeps of a market. */
    list: async (accountId: string, marketId: string, limit: number): Promise<Sweep[]> => {
      const found = await listSweeps(store.db, accountId, marketId, limit);
      return Promise.all(
        found.map(async (sweep) => ({ ...sweep, ...(await countParcels(deps, sweep.job.jobId)) })),
      );
    },
    /** The most that a sweep can cost. */
    creditsMax: async (submitted: SubmittedSweep): Promise<number> =>
      CREDITS.sweptParcel * parcelCountOf(await rangesOf(deps, await pinned(deps, submitted))),
    submit: (payer: SubmittingPayer, submitted: SubmittedSweep) => submitSweep(deps, payer, submitted),
    /** Stops a sweep; the values that it has stay. Throws `conflict` if it has ended. */
    cancel: async (by: ActingFor, jobId: string): Promise<Sweep> => {
      const isCancelled = await cancelJob(store, by, jobId, clock().getTime());
      const sweep = await read(by.accountId, jobId);
      if (!isCancelled) {
        throw new PlumblineError('conflict', `This sweep has ended already: it is ${sweep.job.status}.`);
      }
      return sweep;
    },
    /** The values of a sweep by parcel id, a page at a time. */
    values: ({ sweep }: StoredSweep) => pagesOfValues(store, sweep.sweepNo),
    history: (accountId: string, marketId: string, parcelId: string) =>
      readParcelHistory(store, accountId, marketId, parcelId),
  };
}

export type Sweeps = ReturnType<typeof createSweeps>;

function pinned({ markets }: SweepDeps, { marketId, asOf }: SubmittedSweep): Promise<SweepInputs> {
  return pinSweep({ markets }, marketId, asOf);
}

async function rangesOf({ store }: SweepDeps, { parcelsDatasetId }: SweepInputs): Promise<ParcelRange[]> {
  return parcelRanges(store, parcelsDatasetId, RANGE_PARCELS);
}

function parcelCountOf(ranges: readonly ParcelRange[]): number {
  return ranges.reduce((sum, { count }) => sum + count, 0);
}

/**
 * Starts a sweep, or returns the account's open one of the same market, day and model.
 *
 * @throws PlumblineError `plan_forbidden`, `not_found`, `insufficient_data`, `quota_exceeded`
 */
async function submitSweep(
  deps: SweepDeps,
  payer: SubmittingPayer,
  submitted: SubmittedSweep,
): Promise<{ readonly sweep: Sweep; readonly isResumed: boolean }> {
  const { store } = deps;
  rejectWithoutBatches(payer);
  const inputs = await pinned(deps, submitted);
  const ranges = await rangesOf(deps, inputs);
  const { marketId, asOf, parcelsDatasetId } = inputs;
  const { accountId } = payer;
  const { modelId } = inputs.inputs;
  const total = ranges.length;
  const job = newJob(deps, payer, { task: SWEEP_TASK, total, notifyUrl: null, parentJobId: null });
  const { jobId } = job;
  const parcelCount = parcelCountOf(ranges);
  const items = ranges.map((range, itemNo) => ({ itemNo, propertyId: null, request: JSON.stringify(range) }));
  const open = await inTransaction(store, async (transaction) => {
    // Locks the account, so that concurrent requests find each other's sweep.
    await lockFairShare(transaction, accountId);
    const earlier = await findOpenSweep(transaction, accountId, { marketId, asOf, modelId });
    const first = await firstOfKey(deps, transaction, submitted, job, earlier);
    if (first !== null) return first;
    if (earlier !== null) return earlier;
    const creditsMax = parcelCount * CREDITS.sweptParcel;
    await holdMaximumCost(store, transaction, { payer, job, creditsMax, operation: SWEEP_OPERATION });
    await insertJob(store, transaction, job, items);
    const text = JSON.stringify(inputs.inputs);
    await insertSweep(transaction, {
      jobId,
      marketId,
      asOf,
      modelId,
      inputs: text,
      parcelsDatasetId,
      parcelCount,
    });
    if (isAudited(payer.actor)) {
      const by = { accountId, actor: payer.actor, at: job.createdAt };
      const detail = { market: marketId, parcels: parcelCount };
      await appendAudit(transaction, by, 'sweep.submitted', jobId, detail);
    }
    return null;
  });
  const stored = open ?? (await findSweep(store.db, accountId, jobId));
  if (stored === null) throw new Error(`the submitted sweep ${jobId} does not exist`);
  const counts = await countParcels(deps, stored.job.jobId);
  return { sweep: { ...stored, ...counts }, isResumed: open !== null };
}

/** The sweep of an earlier request with the same Idempotency-Key. */
async function firstOfKey(
  { store }: SweepDeps,
  transaction: StoreTransaction,
  { idempotency = null }: SubmittedSweep,
  { accountId, jobId, createdAt }: NewJob,
  open: StoredSweep | null,
): Promise<StoredSweep | null> {
  if (idempotency === null) return null;
  const { key: idempotencyKey, bodySha256 } = idempotency;
  const key = { accountId, route: 'sweeps', idempotencyKey, bodySha256, createdAt };
  const request = { ...key, jobId: open?.job.jobId ?? jobId };
  const first = await recordIdempotencyKey(store, transaction, request);
  if (first === null) return null;
  if (first.bodySha256 === bodySha256) return findSweep(transaction, accountId, first.jobId);
  throw keyReused();
}

/** Sums the counts of the ranges that have ended. */
async function countParcels({ store }: SweepDeps, jobId: string): Promise<RangeCounts> {
  const errors: Record<string, number> = {};
  let valued = 0;
  const add = (code: string, count: number): void => {
    errors[code] = (errors[code] ?? 0) + count;
  };
  for (const { data, errorCode, request } of await readRangeResults(store, jobId)) {
    if (errorCode !== null) {
      add(errorCode, parseJsonText<ParcelRange>(request).count);
    } else if (data !== null) {
      const range = parseJsonText<RangeCounts>(data);
      valued += range.valued;
      for (const [code, count] of Object.entries(range.errors)) add(code, count);
    }
  }
  return { valued, errors };
}

/** The values of a sweep by parcel id, a page at a time. */
export async function* pagesOfValues(store: Store, sweepNo: number): AsyncGenerator<readonly ParcelValue[]> {
  for (let after = ''; ;) {
    const page = await readParcelValues(store, sweepNo, { after, limit: PAGE_VALUES });
    if (page.length > 0) yield page;
    if (page.length < PAGE_VALUES) return;
    after = page[page.length - 1].parcelId;
  }
}
