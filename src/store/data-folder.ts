import { closeSync, mkdirSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { PlumblineError } from '../errors.ts';
import { codeOf, sqliteError } from './database-errors.ts';

const LOCK_FILE = 'serve.lock';

/**
 * Makes this process the only one that serves a data folder. Rate limits and caches are kept in the memory of the process, so
 * a second one would have its own limits and stale data. The lock is SQLite's own, on an empty file: the operating system
 * releases it when the process ends, also after a crash.
 *
 * @returns releases the lock
 */
export function lockDataFolder(dataDir: string): () => void {
  createPrivateFolder(dataDir);
  const path = join(dataDir, LOCK_FILE);
  createPrivateFile(path);
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(path, { timeout: 0 });
    lock.exec('begin exclusive');
  } catch (error) {
    lock?.close();
    if (codeOf(error) !== 'SQLITE_BUSY') throw sqliteError(error, path, 'file');
    throw new PlumblineError(
      'usage',
      `Another Plumbline process serves the data folder ${dataDir}. Stop it, or name another folder in PLUMBLINE_DATA. ` +
        'To serve one database from several processes, use PostgreSQL (DATABASE_URL).',
      { cause: error },
    );
  }
  return () => lock.close();
}

/** Creates the data folder, readable by its user only. The permissions of an existing folder stay. */
export function createPrivateFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new PlumblineError(
      'usage',
      `The data folder ${path} cannot be created (${codeOf(cause) ?? 'unknown error'}). Name a folder that this user may write in PLUMBLINE_DATA.`,
      { cause },
    );
  }
}

/**
 * Creates a file that only its user can read, before SQLite opens it: SQLite would create it readable by everyone (0644). Its
 * -wal and -shm files get the permissions of the database. An existing file is not opened: closing it would release all
 * POSIX locks of this process on it, and SQLite before 3.51 in another process would then delete the -wal file in use.
 */
export function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'ax', 0o600));
  } catch (error) {
    // SQLite itself reports a path that cannot be opened, with a message for each cause.
    if (codeOf(error) === null) throw error;
  }
}
