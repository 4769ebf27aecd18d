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

/** What is recorded of one request: its valuation, its charge, or both. */
export interface LogEntry {
  readonly valuation: ValuationRecord | null;
  readonly charge: Charge | null;
}

/** The records of requests, committed in groups. */
export interface ValuationLog {
  /**
   * Resolves when the record and its charge are on the disk; rejects with `unavailable` if neither is. The charge is null
   * if it is settled elsewhere, or there is none.
   */
  readonly append: (record: ValuationRecord, charge?: Charge | null) => Promise<void>;
  /** The same for a request that has a charge but no valuation. */
  readonly charge: (charge: Charge) => Promise<void>;
  /** Commits what is waiting; later appends are rejected. */
  readonly close: () => Promise<void>;
}

/** Commits records in one transaction. Rejects if none was committed. */
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

/** Maximum rows of a commit: about 5 ms of one core. */
const MOST_IN_GROUP = 500;
/** Maximum waiting records. With more, the database is too slow for the load, and callers get an error at once. */
const MOST_WAITING = 20_000;

/** A row that the database rejects does not affect the others of its group. */
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
