import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '../clock.ts';
import type { BulkTable } from './bulk-table.ts';
import type { Database, RowTables } from './database.ts';

/** A running transaction. */
export type StoreTransaction = Transaction<Database>;

export type Engine = 'sqlite' | 'postgres';

/** One database, opened and migrated. The same statements run on both engines; `engine` says which it is. */
export interface Store {
  readonly engine: Engine;
  readonly db: Kysely<Database>;
  /** The same connections, for the tables of property rows. */
  readonly rows: Kysely<RowTables>;
  readonly clock: Clock;
  /** Inserts many rows inside a running transaction, in the fastest way of the engine. */
  readonly insertRows: <Row>(
    transaction: StoreTransaction,
    table: BulkTable<Row>,
    rows: readonly Row[],
  ) => Promise<void>;
  /** Resolves when the database responds; rejects with `unavailable`. */
  readonly ping: () => Promise<void>;
  /** Size of the database on the disk. */
  readonly byteCount: () => Promise<number>;
  /** Of this process: calls that wait for a connection now, and the time that all calls have waited. SQLite has no pool: 0. */
  readonly connections: () => { readonly waiting: number; readonly waitedSeconds: number };
  readonly close: () => Promise<void>;
}

/** A store, or `{ db: transaction }` to run a query inside a transaction. */
export type StoreDb = Pick<Store, 'db'>;

/** The database or a transaction, for reading. */
export type Reader = Pick<Store['db'], 'selectFrom'>;
