import { setImmediate as requestsAtHand } from 'node:timers/promises';
import { PlumblineError } from '../errors.ts';
import { insertCharges, type Charge } from './credit-ledger.ts';
import { VALUATIONS, type ValuationRecord } from './valuations.ts';
import type { Store } from './store.ts';
import { inTransaction } from './transaction.ts';

/** What one request leaves behind: a valuation, what it cost, or both. */
export interface LogEntry {
  readonly valuation: ValuationRecord | null;
  readonly charge: Charge | null;
}

/** What requests leave behind, committed in groups. */
export interface ValuationLog {
  /**
   * Resolves once the record is on the disk, and its charge with it; rejects with `unavailable` when neither is. Null of
   * the charge: it is settled elsewhere, or there is none.
   */
  readonly append: (record: ValuationRecord, charge?: Charge | null) => Promise<void>;
  /** The same for a request that leaves nothing but its charge. */
  readonly charge: (charge: Charge) => Promise<void>;
  /** Commits what is in flight; later appends are refused. */
  readonly close: () => Promise<void>;
}

/** Commits records in one transaction: all of them, or none and rejects. */
export type WriteValuations = (entries: readonly LogEntry[]) => Promise<void>;

/** Writes through this process's own connection. */
export function writeValuationsTo(store: Store): WriteValuations {
  return (entries) =>
    inTransaction(store, async (transaction) => {
      const valuations = entries.flatMap(({ valuation }) => valuation ?? []);
      if (valuations.length > 0) await store.insertRows(transaction, VALUATIONS, valuations);
      await insertCharges(
        store,
        transaction,
        entries.flatMap(({ charge }) => charge ?? []),
      );
    });
}

interface Waiting {
  readonly entry: LogEntry;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Rows a commit takes at most: about 5 ms of one core. */
const MOST_IN_GROUP = 500;
/** Records that may wait; beyond it the database is too slow for the load, and callers get an error at once. */
const MOST_WAITING = 20_000;

/**
 * The group-commit writer: while one transaction commits, the records of further requests gather, and the next
 * transaction takes them all. A commit's flush (1–4 ms) is shared by everyone in the group.
 *
 * SQLite commits without giving the event loop a turn, so nothing would gather by itself: each group first lets
 * the loop go through the sockets that are ready. A lone record waits a few microseconds for that.
 */
export function createValuationLog(write: WriteValuations): ValuationLog {
  const waiting: Waiting[] = [];
  let running: Promise<void> | null = null;
  let isClosed = false;

  const run = async (): Promise<void> => {
    while (waiting.length > 0) {
      await requestsAtHand();
      await commitGroup(write, waiting.splice(0, MOST_IN_GROUP));
    }
    running = null;
  };
  const append = (entry: LogEntry): Promise<void> => {
    if (isClosed || waiting.length >= MOST_WAITING) return Promise.reject(notTaken(isClosed));
    return new Promise((resolve, reject) => {
      waiting.push({ entry, resolve, reject });
      running ??= run();
    });
  };
  return {
    append: (valuation, charge = null) => append({ valuation, charge }),
    charge: (charge) => append({ valuation: null, charge }),
    close: async () => {
      isClosed = true;
      await running;
    },
  };
}

async function commitGroup(write: WriteValuations, group: readonly Waiting[]): Promise<void> {
  try {
    await write(group.map(({ entry }) => entry));
  } catch (error) {
    await settleFailure(write, group, error);
    return;
  }
  for (const { resolve } of group) resolve();
}

/** Where the database answers but refuses a row, that row must not take its neighbors down with it. */
async function settleFailure(
  write: WriteValuations,
  group: readonly Waiting[],
  error: unknown,
): Promise<void> {
  if (error instanceof PlumblineError || group.length === 1) {
    for (const { reject } of group) reject(notWritten(error));
    return;
  }
  for (const one of group) await commitGroup(write, [one]);
}

function notWritten(cause: unknown): PlumblineError {
  if (cause instanceof PlumblineError && cause.code === 'unavailable') return cause;
  return new PlumblineError('unavailable', 'The answer could not be recorded. Try again in a moment.', {
    cause,
  });
}

function notTaken(isClosed: boolean): PlumblineError {
  return new PlumblineError(
    'unavailable',
    isClosed
      ? 'The service is stopping. Try again in a moment.'
      : 'The database is slower than the requests coming in. Try again in a moment.',
  );
}
