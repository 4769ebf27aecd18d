import { openThread } from '../threads/open-thread.ts';
import { isFailure, PlumblineError } from '../errors.ts';
import { bulkTable } from './bulk-table.ts';
import { insertCharges } from './credit-ledger.ts';
import { groupWrites } from './group-writes.ts';
import { packTexts, unpackTexts } from './packed-bytes.ts';
import type { Store, StoreTransaction } from './store.ts';
import { countStoredBytes } from './stored-bytes.ts';
import type { Charge, ValuationRecord, ValuationTable } from './tables/accounts.ts';
import { inTransaction } from './transaction.ts';
import { firstUuidAt } from './uuid-v7.ts';

const VALUATIONS = bulkTable<ValuationTable>('valuations', {
  valuationId: 'text',
  accountId: 'text',
  keyId: 'text',
  kind: 'text',
  createdAt: 'int8',
  request: 'text',
  inputs: 'text',
  response: 'text',
  credits: 'int4',
  jobId: 'text',
  packed: 'bytea',
});

/** Writes valuations; `jobId` is the batch that they belong to. */
export async function insertValuations(
  store: Pick<Store, 'insertRows'>,
  transaction: StoreTransaction,
  records: readonly ValuationRecord[],
  jobId: string | null = null,
): Promise<void> {
  const rows = records.map(({ request, inputs, response, ...record }) => {
    const packed = packTexts([request, inputs, response]);
    return { ...record, ...TEXTS_ARE_PACKED, jobId, packed };
  });
  await store.insertRows(transaction, VALUATIONS, rows);
  const changes = rows.map(({ accountId, packed }) => ({ accountId, bytes: packed.length }));
  await countStoredBytes(transaction, changes);
}

const TEXTS_ARE_PACKED = { request: '', inputs: '', response: '' } as const;

/** The response among the packed texts of a row. */
export function responseOf(packed: Uint8Array): string {
  return unpackTexts(packed)[2];
}

/** The record of a row, packed or not. */
export function valuationOf({ jobId: _job, packed, ...row }: ValuationTable): ValuationRecord {
  if (packed === null) return row;
  const [request, inputs, response] = unpackTexts(packed);
  return { ...row, request, inputs, response };
}

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
  return row ? valuationOf(row) : null;
}

/** An account's valuations whose id begins with a text, in the order of ids. */
export function findValuationsByPrefix(
  { db }: Store,
  accountId: string,
  beginning: string,
  most: number,
): Promise<Pick<ValuationRecord, 'valuationId' | 'kind' | 'createdAt'>[]> {
  return db
    .selectFrom('valuations')
    .select(['valuationId', 'kind', 'createdAt'])
    .where('accountId', '=', accountId)
    .where('valuationId', '>=', beginning)
    .where('valuationId', '<', `${beginning}~`)
    .orderBy('valuationId')
    .limit(most)
    .execute();
}

/** Which valuations to read; null: all. Ids sort by creation time. */
export interface LogFilter {
  readonly accountId: string | null;
  readonly fromMs: number | null;
  readonly beforeMs: number | null;
}

/** A page has at most a few megabytes before compression. */
const VALUATIONS_A_PAGE = 50;

/** Kept valuations, oldest first. */
export async function* readLoggedValuations(
  { db }: Store,
  { accountId, fromMs, beforeMs }: LogFilter,
): AsyncGenerator<ValuationRecord[]> {
  let after: string | null = null;
  for (;;) {
    let query = db.selectFrom('valuations').selectAll().orderBy('valuationId').limit(VALUATIONS_A_PAGE);
    if (accountId !== null) query = query.where('accountId', '=', accountId);
    if (after !== null) query = query.where('valuationId', '>', after);
    else if (fromMs !== null) query = query.where('valuationId', '>=', firstUuidAt(fromMs));
    if (beforeMs !== null) query = query.where('valuationId', '<', firstUuidAt(beforeMs));
    const page = (await query.execute()).map(valuationOf);
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.valuationId;
    yield page;
  }
}

const INPUTS_A_PAGE = 200;

/** The inputs of all kept valuations as JSON texts, oldest first. */
export async function* readLoggedInputs({ db }: Store): AsyncGenerator<string[]> {
  for (let after = ''; ;) {
    const rows = await db
      .selectFrom('valuations')
      .select(['valuationId', 'inputs', 'packed'])
      .where('valuationId', '>', after)
      .orderBy('valuationId')
      .limit(INPUTS_A_PAGE)
      .execute();
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.valuationId;
    yield rows.map(({ inputs, packed }) => (packed === null ? inputs : unpackTexts(packed)[1]));
  }
}

/** A valuation of any account. */
export async function findAnyValuation({ db }: Store, valuationId: string): Promise<ValuationRecord | null> {
  const query = db.selectFrom('valuations').selectAll().where('valuationId', '=', valuationId);
  const row = await query.executeTakeFirst();
  return row ? valuationOf(row) : null;
}

/** What is committed for one request: a valuation, its charge, or both. */
export interface LogEntry {
  readonly valuation: ValuationRecord | null;
  readonly charge: Charge | null;
}

/** Commits valuations and charges in groups. */
export interface ValuationLog {
  /**
   * Resolves when the record and its charge are on disk. Rejects with `unavailable` if they were not written. The charge
   * is null if it is committed elsewhere or there is none.
   */
  readonly append: (record: ValuationRecord, charge?: Charge | null) => Promise<void>;
  /** Commits a charge without a valuation. */
  readonly charge: (charge: Charge) => Promise<void>;
  /** Commits everything that is waiting. Later calls are rejected. */
  readonly close: () => Promise<void>;
}

/** Commits entries in one transaction. If it rejects, none of them was written. */
type WriteValuations = (entries: readonly LogEntry[]) => Promise<void>;

/** Writes through this process's own connection. */
export function writeValuationsTo(store: Store): WriteValuations {
  return (entries) =>
    inTransaction(store, async (transaction) => {
      const valuations = entries.flatMap(({ valuation }) => valuation ?? []);
      await insertValuations(store, transaction, valuations);
      const charges = entries.flatMap(({ charge }) => charge ?? []);
      await insertCharges(store, transaction, charges);
    });
}

/** Maximum rows per commit: about 5 ms of one core. */
const MAX_IN_GROUP = 500;
/** Maximum waiting records. If more wait, the database is too slow for the load, and callers get an error at once. */
const MAX_WAITING = 20_000;

/** Creates the log. If the database rejects one row, the other rows of its group are still written. */
export function createValuationLog(write: WriteValuations): ValuationLog {
  const writes = groupWrites(MAX_IN_GROUP, write, (error) => !(error instanceof PlumblineError));
  let isClosed = false;
  const append = async (entry: LogEntry): Promise<void> => {
    if (isClosed) throw unavailable('The service is stopping. Try again in a moment.');
    if (writes.waiting() >= MAX_WAITING) {
      throw unavailable('The database cannot keep up with the requests. Try again in a moment.');
    }
    try {
      await writes.add(entry);
    } catch (error) {
      if (isFailure(error, 'unavailable')) throw error;
      throw unavailable('The response could not be recorded. Try again in a moment.', error);
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

/**
 * Writes valuations from a thread with its own connection. A SQLite commit blocks its thread while it flushes to disk
 * (1–4 ms) and while it moves its log into the database file (about 5 ms). In its own thread it delays only the
 * requests whose rows are being committed. PostgreSQL does this on the server and needs no thread.
 */
export function openValuationWriter(dataDir: string): {
  readonly write: WriteValuations;
  readonly close: () => Promise<void>;
} {
  const thread = openThread<readonly LogEntry[], null>(new URL('./valuation-writer.ts', import.meta.url), {
    dataDir,
  });
  return {
    write: async (entries) => {
      await thread.call(entries);
    },
    close: thread.close,
  };
}
