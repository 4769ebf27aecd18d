import { PlumblineError } from '../errors.ts';
import { bulkTable } from './bulk-table.ts';
import { insertCharges } from './credit-ledger.ts';
import { groupWrites } from './group-writes.ts';
import type { Store } from './store.ts';
import type { Charge, ValuationRecord } from './tables/accounts.ts';
import { inTransaction } from './transaction.ts';

export const VALUATIONS = bulkTable<ValuationRecord>('valuations', {
  valuationId: 'text',
  accountId: 'text',
  keyId: 'text',
  kind: 'text',
  createdAt: 'int8',
  request: 'text',
  inputs: 'text',
  response: 'text',
  credits: 'int4',
});

/** One account's valuation; null for an unknown id and for another account's valuation. */
export async function findValuation(
  { db }: Store,
  accountId: string,
  valuationId: string,
): Promise<ValuationRecord | null> {
  const row = await db
    .selectFrom('valuations')
    .selectAll()
    .where((eb) => eb.and({ valuationId, accountId }))
    .executeTakeFirst();
  return row ?? null;
}

/** What one request leaves behind: a valuation, what it cost, or both. */
export interface LogEntry {
  readonly valuation: ValuationRecord | null;
  readonly charge: Charge | null;
}

/** What requests leave behind, committed in groups. */
export interface ValuationLog {
  /**
   * Resolves once the record is on the disk, and its charge with it; rejects with `unavailable` when neither is. The charge
   * is null if it is settled elsewhere, or there is none.
   */
  readonly append: (record: ValuationRecord, charge?: Charge | null) => Promise<void>;
  /** The same for a request that leaves nothing but its charge. */
  readonly charge: (charge: Charge) => Promise<void>;
  /** Commits what is waiting; later appends are rejected. */
  readonly close: () => Promise<void>;
}

/** Commits records in one transaction: all of them, or none and rejects. */
export type WriteValuations = (entries: readonly LogEntry[]) => Promise<void>;

/** Writes through this process's own connection. */
export function writeValuationsTo(store: Store): WriteValuations {
  return (entries) =>
    inTransaction(store, async (transaction) => {
      const valuations = entries.flatMap(({ valuation }) => valuation ?? []);
      await store.insertRows(transaction, VALUATIONS, valuations);
      const charges = entries.flatMap(({ charge }) => charge ?? []);
      await insertCharges(store, transaction, charges);
    });
}

/** Rows a commit takes at most: about 5 ms of one core. */
const MOST_IN_GROUP = 500;
/** Records that may wait; beyond it the database is too slow for the load, and callers get an error at once. */
const MOST_WAITING = 20_000;

/** Where the database responds but rejects a row, that row does not affect the others of its group. */
export function createValuationLog(write: WriteValuations): ValuationLog {
  const writes = groupWrites(MOST_IN_GROUP, write, (error) => !(error instanceof PlumblineError));
  let isClosed = false;
  const append = async (entry: LogEntry): Promise<void> => {
    if (isClosed) throw unavailable('The service is stopping. Try again in a moment.');
    if (writes.waiting() >= MOST_WAITING) {
      throw unavailable('The database is slower than the requests coming in. Try again in a moment.');
    }
    try {
      await writes.add(entry);
    } catch (error) {
      if (error instanceof PlumblineError && error.code === 'unavailable') throw error;
      throw unavailable('The answer could not be recorded. Try again in a moment.', error);
    }
  };
  return {
    append: (valuation, charge = null) => append({ valuation, charge }),
    charge: (charge) => append({ valuation: null, charge }),
    close: async () => {
      isClosed = true;
      await writes.settled();
    },
  };
}

function unavailable(sentence: string, cause?: unknown): PlumblineError {
  return new PlumblineError('unavailable', sentence, { cause });
}
