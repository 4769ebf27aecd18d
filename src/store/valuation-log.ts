import { setImmediate as requestsAtHand } from 'node:timers/promises';
import { PlumblineError } from '../errors.ts';
import { VALUATIONS, type ValuationRecord } from './valuations.ts';
import type { Store } from './store.ts';
import { inTransaction } from './transaction.ts';

/** What a request leaves behind, committed in groups. */
export interface ValuationLog {
  /** Resolves once the record is on the disk; rejects with `unavailable` when it is not. */
  readonly append: (record: ValuationRecord) => Promise<void>;
  /** Commits what is in flight; later appends are refused. */
  readonly close: () => Promise<void>;
}

/** Commits records in one transaction: all of them, or none and rejects. */
export type WriteValuations = (records: readonly ValuationRecord[]) => Promise<void>;

/** Writes through this process's own connection. */
export function writeValuationsTo(store: Store): WriteValuations {
  return (records) =>
    inTransaction(store, (transaction) => store.insertRows(transaction, VALUATIONS, records));
}

interface Waiting {
  readonly record: ValuationRecord;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Rows a commit takes at most: about 5 ms of one core. */
const MOST_IN_GROUP = 500;
/** Records that may wait; beyond it the database is too slow for the load, and callers are told so at once. */
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
  return {
    append: (record) => {
      if (isClosed || waiting.length >= MOST_WAITING) return Promise.reject(notTaken(isClosed));
      return new Promise((resolve, reject) => {
        waiting.push({ record, resolve, reject });
        running ??= run();
      });
    },
    close: async () => {
      isClosed = true;
      await running;
    },
  };
}

async function commitGroup(write: WriteValuations, group: readonly Waiting[]): Promise<void> {
  try {
    await write(group.map(({ record }) => record));
  } catch (error) {
    await settleFailure(write, group, error);
    return;
  }
  for (const { resolve } of group) resolve();
}

/** Where the database answers but refuses a row, that row must not take its neighbours down with it. */
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
  return new PlumblineError('unavailable', 'The valuation could not be recorded. Try again in a moment.', {
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
