import { sql } from 'kysely';
import type { StoreDb, Store } from './store.ts';

/** The embedded database's pages, and those that hold nothing. */
export interface FileSpace {
  readonly pageBytes: number;
  readonly pages: number;
  readonly freePages: number;
  /** Whether free pages can be returned to the disk while the database is in use. */
  readonly isIncremental: boolean;
}

export async function readFileSpace(store: StoreDb): Promise<FileSpace> {
  return {
    pageBytes: await readPragma(store, 'page_size'),
    pages: await readPragma(store, 'page_count'),
    freePages: await readPragma(store, 'freelist_count'),
    isIncremental: (await readPragma(store, 'auto_vacuum')) === INCREMENTAL,
  };
}

const INCREMENTAL = 2;

async function readPragma({ db }: StoreDb, name: string): Promise<number> {
  const { rows } = await sql.raw<Readonly<Record<string, number>>>(`pragma ${name}`).execute(db);
  return Object.values(rows[0] ?? {})[0];
}

/**
 * Returns at most `most` free pages of the embedded database to the disk, and returns how many. They leave the file at the
 * next checkpoint of its log. A file created by an earlier version must be compacted once first.
 */
export async function returnFreePages({ db }: StoreDb, most: number): Promise<number> {
  const before = await readPragma({ db }, 'freelist_count');
  if (before === 0) return 0;
  await sql.raw(`pragma incremental_vacuum(${Math.trunc(most)})`).execute(db);
  return before - (await readPragma({ db }, 'freelist_count'));
}

/**
 * Rewrites the embedded database without free pages, so that later ones can be returned while it is in use. No other
 * process may use it meanwhile, and the disk needs room for a copy.
 */
export async function compactFile({ db }: Pick<Store, 'db'>): Promise<void> {
  // One connection, which an auto_vacuum without a vacuum would leave unchanged.
  await db.connection().execute(async (connection) => {
    await sql`pragma auto_vacuum = incremental`.execute(connection);
    await sql`vacuum`.execute(connection);
    await sql`pragma wal_checkpoint(truncate)`.execute(connection);
  });
}
