import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { sql } from 'kysely';
import { PlumblineError, usageError } from '../../errors.ts';
import type { BulkValue } from '../bulk-table.ts';
import { codeOf } from '../database-errors.ts';
import { appliedMigrations, rejectForeignSchema } from '../migrate.ts';
import type { Engine, Store } from '../store.ts';
import {
  BACKUP_FORMAT,
  MANIFEST_FILE,
  partPath,
  type BackupPart,
  type Manifest,
  type OnBackupProgress,
} from './manifest.ts';
import { encodeRow, writePart, type Row } from './part-file.ts';
import { countRows, readLastIds, readStoredTables, type RowDb, type StoredTable } from './stored-tables.ts';

/** Tables that a backup leaves out. */
const LEFT_OUT: readonly string[] = [
  // A restore ends all sessions.
  'sessions',
  // They belong to running processes.
  'runs',
  // Counts of the last minutes.
  'rate_buckets',
  'sign_in_attempts',
  // The values are in the backup; their files are stored again, perhaps in another bucket.
  'sweep_files',
];

/** A page of rows has about this many bytes. */
const PAGE_BYTES = 1024 * 1024;
const FIRST_PAGE_ROWS = 16;
const MOST_PAGE_ROWS = 2000;
/** Rows with binary columns differ most in size: up to the megabyte of a chunk. */
const BINARY_PAGE_ROWS = 4;

/** A transaction that sees the rows of one moment, and stops no writer. */
const BEGIN_SNAPSHOT: Readonly<Record<Engine, readonly string[]>> = {
  sqlite: ['begin'],
  // The server may end transactions that wait for the disk of the backup.
  postgres: [
    'begin isolation level repeatable read read only',
    'set local idle_in_transaction_session_timeout = 0',
    'set local statement_timeout = 0',
  ],
};

interface BackupOptions {
  readonly keyFingerprint: string | null;
  readonly onProgress: OnBackupProgress;
  /** Ends the backup; nothing of it is kept. */
  readonly signal?: AbortSignal;
}

/**
 * Writes all rows of one moment to a new folder, while others write to the database. The folder gets its name when it
 * is complete and on the disk; until then it has another name, and after a failure it is deleted.
 */
export async function takeBackup(store: Store, folder: string, options: BackupOptions): Promise<Manifest> {
  const target = resolve(folder);
  if (existsSync(target)) throw usageError(`${target} exists. Name a new folder for each backup.`);
  const migrations = await appliedMigrations(store);
  await rejectForeignSchema(store, migrations);
  if (migrations.length === 0)
    throw usageError('The database has no tables yet: there is nothing to back up.');
  const draft = `${target}.partial-${randomBytes(4).toString('hex')}`;
  try {
    mkdirSync(dirname(target), { recursive: true });
    mkdirSync(draft, { mode: 0o700 });
    // Everything that was committed before this moment is in the backup.
    const takenAt = store.clock().toISOString();
    const taken = await inSnapshot(store, (db) => writeParts(store, db, draft, options));
    const { keyFingerprint } = options;
    const format = BACKUP_FORMAT;
    const manifest = { format, takenAt, engine: store.engine, migrations, keyFingerprint, ...taken };
    const text = `${JSON.stringify(manifest, null, 2)}\n`;
    writeFileSync(join(draft, MANIFEST_FILE), text, { mode: 0o600, flush: true });
    syncFolder(draft);
    renameSync(draft, target);
    syncFolder(dirname(target));
    return manifest;
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw fileError(error, target);
  }
}

async function inSnapshot<Result>(
  { engine, rows }: Store,
  work: (db: RowDb) => Promise<Result>,
): Promise<Result> {
  return rows.connection().execute(async (db) => {
    for (const statement of BEGIN_SNAPSHOT[engine]) await sql.raw(statement).execute(db);
    try {
      return await work(db);
    } finally {
      // If the connection is broken, the transaction has ended, and the first error is the one to report.
      await sql
        .raw('rollback')
        .execute(db)
        .catch(() => {});
    }
  });
}

async function writeParts(
  { engine }: Store,
  db: RowDb,
  folder: string,
  { onProgress, signal }: BackupOptions,
): Promise<Pick<Manifest, 'lastIds' | 'parts'>> {
  const tables = (await readStoredTables(db, engine)).filter(({ name }) => !LEFT_OUT.includes(name));
  const counts: number[] = [];
  for (const table of tables) counts.push(await countRows(db, table));
  const total = counts.reduce((sum, count) => sum + count, 0);
  const parts: BackupPart[] = [];
  let done = 0;
  for (const [i, table] of tables.entries()) {
    let rows = 0;
    const pages = async function* (): AsyncGenerator<string> {
      for await (const page of pagesOf(db, table)) {
        rows += page.length;
        onProgress('Backing up', done + rows, total);
        yield page.join('');
      }
    };
    const written = await writePart(partPath(folder, table.name), pages(), signal);
    if (rows !== counts[i])
      throw new Error(`${table.name} has ${counts[i]} rows, of which ${rows} were read`);
    done += rows;
    const columns = table.columns.map(({ name }) => name);
    parts.push({ table: table.name, columns, rows, ...written });
  }
  return { lastIds: await readLastIds(db, engine), parts };
}

/** The encoded rows of a table by primary key, so that equal tables give equal files on both engines. */
async function* pagesOf(db: RowDb, table: StoredTable): AsyncGenerator<string[]> {
  const { columns, key } = table;
  const isBinary = columns.some(({ type }) => type === 'bytea');
  let limit = isBinary ? BINARY_PAGE_ROWS : FIRST_PAGE_ROWS;
  let after: Row | null = null;
  for (;;) {
    const rows: StoredRow[] = await readPage(db, table, after, limit);
    const last = rows.at(-1);
    if (last === undefined) return;
    const lines = rows.map((row) => encodeRow(columns.map(({ name }) => row[name])));
    yield lines;
    if (rows.length < limit) return;
    after = key.map((column) => last[column]);
    if (isBinary) continue;
    const bytes = lines.reduce((sum, line) => sum + line.length, 0);
    const fitting = Math.floor((limit * PAGE_BYTES) / bytes);
    limit = Math.max(1, Math.min(fitting, 2 * limit, MOST_PAGE_ROWS));
  }
}

type StoredRow = Readonly<Record<string, BulkValue>>;

async function readPage(
  db: RowDb,
  { name, columns, key }: StoredTable,
  after: Row | null,
  limit: number,
): Promise<StoredRow[]> {
  const keyColumns = sql.join(key.map((column) => sql.ref(column)));
  const page = sql<StoredRow>`
    select ${sql.join(columns.map((column) => sql.ref(column.name)))} from ${sql.table(name)}
    ${after === null ? sql`` : sql`where (${keyColumns}) > (${sql.join(after)})`}
    order by ${keyColumns} limit ${sql.lit(limit)}`;
  return (await page.execute(db)).rows;
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Errors of the disk as a sentence. Those of the database are sentences already. */
function fileError(error: unknown, target: string): unknown {
  if (error instanceof PlumblineError || !(error instanceof Error)) return error;
  if (error.name === 'AbortError')
    return usageError('The backup was interrupted. Nothing of it was kept.', error);
  if (!/^E[A-Z]+$/.test(codeOf(error) ?? '')) return error;
  return usageError(
    `The backup ${target} cannot be written: ${error.message}. Nothing of it was kept. Check the space and the permissions there.`,
    error,
  );
}
