import { sql } from 'kysely';
import { PlumblineError, usageError } from '../../errors.ts';
import { DEFAULT_ACCOUNT_ID } from '../accounts.ts';
import { appendAudit, BY_COMMAND_LINE } from '../audit-log.ts';
import type { BulkTable } from '../bulk-table.ts';
import { codeOf } from '../database-errors.ts';
import { applyMigrations, listMigrations, listTables } from '../migrate.ts';
import type { Store, StoreTransaction } from '../store.ts';
import { countOpenWork, readAccess, type Access, type OpenWork } from './access.ts';
import { partPath, type BackupPart, type Manifest, type OnBackupProgress } from './manifest.ts';
import { readPart, type Row } from './part-file.ts';
import { readStoredTables, setLastId, type RowDb, type StoredTable } from './stored-tables.ts';

/** How long a replacement waits for processes that still use the tables. */
const LOCK_TIMEOUT_MS = 5000;
const LOCK_NOT_AVAILABLE = '55P03';

interface RestoreOptions {
  /** Delete what the database has. */
  readonly isReplacing: boolean;
  readonly onProgress: OnBackupProgress;
}

/** What a restore brought back, besides data. */
export interface Restored {
  readonly rows: number;
  /** All that opens or receives something now, as at the time of the backup. */
  readonly active: readonly Access[];
  /** Those among `active` that the replaced database had ended or deleted, with their account or person. */
  readonly activeAgain: readonly Access[];
  /** Those that were active in the replaced database and are unknown now. */
  readonly lost: readonly Access[];
  readonly endedSessions: number;
  readonly openWork: OpenWork;
}

/**
 * Restores a verified backup in one transaction: all of it, or nothing. Rows are loaded into the schema of the backup, which
 * is then migrated to that of this program. Throws `usage` if the database has rows and is not to be replaced.
 */
export async function restoreBackup(
  store: Store,
  folder: string,
  manifest: Manifest,
  { isReplacing, onProgress }: RestoreOptions,
): Promise<Restored> {
  const { engine } = store;
  rejectNewerBackup(manifest);
  try {
    return await store.db.transaction().execute(async (transaction) => {
      const db = transaction.withoutPlugins();
      if (!isReplacing) await rejectRows(transaction);
      const now = store.clock().getTime();
      const before = await readAccess(transaction, now);
      const { length: endedSessions } = await transaction
        .selectFrom('sessions')
        .select('sessionId')
        .execute();
      if (engine === 'postgres') await sql.raw(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`).execute(db);
      const tables = await createTables(store, transaction, db, manifest.migrations);
      const rows = await loadParts(store, transaction, db, { folder, manifest, tables, onProgress });
      const missing = listMigrations().filter((name) => !manifest.migrations.includes(name));
      await applyMigrations(store, transaction, missing);
      const after = await readAccess(transaction, now);
      const by = { ...BY_COMMAND_LINE, at: now };
      await appendAudit(transaction, by, 'database.restored', manifest.takenAt, {
        rows,
        replaced: isReplacing,
      });
      await sql`analyze`.execute(db);
      const openWork = await countOpenWork(transaction);
      return { rows, endedSessions, openWork, ...compareAccess(before, after) };
    });
  } catch (error) {
    if (codeOf(error) !== LOCK_NOT_AVAILABLE) throw error;
    throw new PlumblineError(
      'unavailable',
      'Another process uses the database. Stop all processes of Plumbline, then restore. Nothing was changed.',
      { cause: error },
    );
  }
}

function rejectNewerBackup({ migrations }: Manifest): void {
  const known = listMigrations();
  const unknown = migrations.find((name, i) => name !== known[i]);
  if (unknown === undefined) return;
  throw usageError(
    `The backup has the migration ${unknown}, which this program does not know. Restore it with the newer Plumbline that wrote it.`,
  );
}

/** Throws `usage` if the database has more than a new one. Unlike the check of a large backup, it takes no time. */
export async function rejectFilled({ db }: Store): Promise<void> {
  await db.transaction().execute(rejectRows);
}

async function rejectRows(transaction: StoreTransaction): Promise<void> {
  if (!(await hasRows(transaction))) return;
  throw usageError(
    'The database is not empty. Restore into an empty one, or add --replace, which deletes everything in it.',
  );
}

async function hasRows(transaction: StoreTransaction): Promise<boolean> {
  const db = transaction.withoutPlugins();
  for (const table of listTables().filter((name) => name !== 'accounts')) {
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db);
    if (rows.length > 0) return true;
  }
  const others = transaction
    .selectFrom('accounts')
    .select('accountId')
    .where('accountId', '<>', DEFAULT_ACCOUNT_ID);
  return (await others.limit(1).execute()).length > 0;
}

/** Replaces all tables by empty ones of a schema. */
async function createTables(
  store: Store,
  transaction: StoreTransaction,
  db: RowDb,
  migrations: readonly string[],
): Promise<StoredTable[]> {
  for (const table of listTables().toReversed()) {
    await sql`drop table if exists ${sql.table(table)}`.execute(db);
  }
  await sql`delete from kysely_migration`.execute(db);
  await applyMigrations(store, transaction, migrations);
  const tables = await readStoredTables(db, store.engine);
  // The backup has the rows that migrations insert.
  for (const { name } of tables.toReversed()) await sql`delete from ${sql.table(name)}`.execute(db);
  return tables;
}

interface Loading extends Pick<RestoreOptions, 'onProgress'> {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly tables: readonly StoredTable[];
}

async function loadParts(
  store: Store,
  transaction: StoreTransaction,
  db: RowDb,
  { folder, manifest, tables, onProgress }: Loading,
): Promise<number> {
  const total = manifest.parts.reduce((sum, { rows }) => sum + rows, 0);
  let done = 0;
  for (const table of tables) {
    const part = manifest.parts.find((each) => each.table === table.name);
    const last = manifest.lastIds[table.name];
    if (part) {
      const bulk = bulkTableOf(table, part);
      const isBinary = bulk.columns.map(({ type }) => type === 'bytea');
      let rows = 0;
      for await (const batch of readPart(partPath(folder, table.name), isBinary)) {
        await store.insertRows(transaction, bulk, batch);
        rows += batch.length;
        onProgress('Restoring', done + rows, total);
      }
      if (rows !== part.rows) {
        throw usageError(
          `The backup has ${rows} rows of ${table.name}, and its manifest says ${part.rows}. Nothing was changed. Use another backup.`,
        );
      }
      done += rows;
    }
    if (last !== undefined) await setLastId(db, store.engine, table, last);
  }
  const foreign = manifest.parts.find(({ table }) => !tables.some(({ name }) => name === table));
  if (foreign) throw usageError(`The backup has a table ${foreign.table}, which its schema does not have.`);
  return done;
}

/** The table with the columns in the order of the backup. */
function bulkTableOf({ name, columns }: StoredTable, part: BackupPart): BulkTable<Row> {
  return {
    name,
    columns: part.columns.map((wanted, i) => {
      const column = columns.find((each) => each.name === wanted);
      if (column) return { ...column, of: (row) => row[i] };
      throw usageError(`The backup has a column ${name}.${wanted}, which its schema does not have.`);
    }),
  };
}

function compareAccess(
  before: readonly Access[],
  after: readonly Access[],
): Pick<Restored, 'active' | 'activeAgain' | 'lost'> {
  const find = (all: readonly Access[], { kind, id }: Access): Access | undefined =>
    all.find((each) => each.kind === kind && each.id === id);
  const active = after.filter(({ isActive }) => isActive);
  return {
    active,
    // An empty database has ended nothing.
    activeAgain: before.length === 0 ? [] : active.filter((each) => !find(before, each)?.isActive),
    lost: before.filter((each) => each.isActive && !find(after, each)),
  };
}
