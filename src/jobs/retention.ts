import { setTimeout as sleep } from 'node:timers/promises';
import type { Retention } from '../config.ts';
import type { Clock } from '../clock.ts';
import { MS_PER_DAY } from '../domain/day.ts';
import type { Log } from '../log.ts';
import { createPolling, type Polling } from '../polling.ts';
import { deletedAccountRows } from '../store/delete-account.ts';
import { abandonedDatasets, supersededRows } from '../store/delete-datasets.ts';
import {
  endedDeliveries,
  expiredUploads,
  oldAuditEntries,
  oldResults,
  oldValuations,
  type DeleteSome,
} from '../store/expired-rows.ts';
import { returnFreePages } from '../store/free-space.ts';
import type { Store } from '../store/store.ts';
import { sweepsOfDeletedMarkets } from '../store/sweeps.ts';
import { takeLease } from '../store/task-leases.ts';
import { unusedBlobs, unusedPieces } from '../store/unused-blobs.ts';

/** Time between two passes. Each process looks for work as often as the lease allows one pass. */
const PASS_EVERY_MS = 600_000;
const LOOK_EVERY_MS = 60_000;
/** A process that dies during a pass delays the next one by this. */
const LEASE_MS = 60_000;

/**
 * How long one transaction should take: SQLite's write lock, and the thread that answers requests, are taken for no longer.
 * The number of rows follows from it, because rows and disks differ by a factor of a hundred.
 */
const STEP_MS = 8;
const FIRST_ROWS = 20;
const MOST_ROWS = 2000;
/** Between two steps. Longer than a process waits between two attempts to get the lock. */
const GIVE_WAY_MS = 10;

/** Rows of an earlier version are kept for readers that have begun: requests take seconds, a backtest minutes. */
const SUPERSEDED_KEPT_MS = 3_600_000;

interface RetentionDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: () => string;
  readonly retention: Retention;
}

/** How long results can be read after the end of a job. */
export function resultsKeptMsOf({ retention }: { readonly retention: Retention }): number {
  return retention.jobsDays * MS_PER_DAY;
}

/** Rows deleted in a pass, by what they were. */
type Deleted = Readonly<Record<string, number>>;

/**
 * Deletes what is older than the settings say, and returns the space of the embedded database to the disk: a few rows at a
 * time, by one process of all. `close` resolves after the current step.
 */
export function createRetention(deps: RetentionDeps): Pick<Polling, 'start' | 'close' | 'idle'> {
  const { store, clock, log } = deps;
  const holder = deps.newId();
  const hold = (ms: number): Promise<boolean> => {
    const now = clock().getTime();
    return takeLease(store, { task: 'retention', holder, leaseUntil: now + ms }, now);
  };
  return createPolling({
    everyMs: LOOK_EVERY_MS,
    log,
    failure: 'old data cannot be deleted now; the next pass tries again',
    poll: async (stopping) => {
      if (!(await hold(LEASE_MS))) return;
      const deleted = await deleteExpired(deps, stopping, () => hold(LEASE_MS));
      if (stopping.aborted) return void (await hold(0));
      await hold(PASS_EVERY_MS);
      if (Object.keys(deleted).length > 0) log.info({ deleted }, 'deleted old data');
    },
  });
}

/** One pass. Ends early when stopping, or when another process has taken the lease. */
export async function deleteExpired(
  { store, clock, retention }: Pick<RetentionDeps, 'store' | 'clock' | 'retention'>,
  stopping: AbortSignal,
  holdLease: () => Promise<boolean> = async () => true,
): Promise<Deleted> {
  const now = clock().getTime();
  const since = (days: number): number => now - days * MS_PER_DAY;
  const { valuationsDays, auditDays, deliveriesDays, jobsDays } = retention;
  const steps: Readonly<Record<string, DeleteSome | null>> = {
    deliveries: endedDeliveries(store, since(deliveriesDays)),
    results: oldResults(store, since(jobsDays)),
    uploads: expiredUploads(store, now),
    // After the results that are read from them.
    valuations: valuationsDays === null ? null : oldValuations(store, since(valuationsDays), now),
    deletedAccounts: deletedAccountRows(store),
    sweeps: sweepsOfDeletedMarkets(store),
    auditEntries: auditDays === null ? null : oldAuditEntries(store, since(auditDays)),
    abandonedRows: abandonedDatasets(store),
    supersededRows: supersededRows(store, now - SUPERSEDED_KEPT_MS),
    blobs: unusedBlobs(store),
    freePages: store.engine === 'sqlite' ? (most) => returnFreePages(store, most) : null,
  };
  const deleted: Record<string, number> = {};
  for (const [name, deleteSome] of Object.entries(steps)) {
    if (deleteSome === null) continue;
    const count = await inSmallSteps(deleteSome, stopping, holdLease);
    if (count > 0) deleted[name] = count;
    // Only then are there pieces that no blob has, except after an import that failed.
    if (count > 0 && name === 'blobs') {
      deleted.blobPieces = await inSmallSteps(unusedPieces(store), stopping, holdLease);
    }
  }
  return deleted;
}

/** Calls `deleteSome` until nothing is left, each time with as many rows as take `STEP_MS`. Returns the sum. */
export async function inSmallSteps(
  deleteSome: DeleteSome,
  stopping: AbortSignal,
  holdLease: () => Promise<boolean> = async () => true,
): Promise<number> {
  let most = FIRST_ROWS;
  let total = 0;
  let heldAt = performance.now();
  while (!stopping.aborted) {
    const begun = performance.now();
    const deleted = await deleteSome(most);
    if (deleted === 0) break;
    total += deleted;
    const tookMs = performance.now() - begun;
    const fitting = Math.round((most * STEP_MS) / Math.max(tookMs, 0.1));
    most = Math.max(1, Math.min(fitting, 2 * most, MOST_ROWS));
    await sleep(Math.max(GIVE_WAY_MS, tookMs));
    if (begun - heldAt > LEASE_MS / 3) {
      if (!(await holdLease())) break;
      heldAt = begun;
    }
  }
  return total;
}
