import { closeSync, mkdirSync, openSync } from 'node:fs';
import { PlumblineError } from '../errors.ts';
import { codeOf } from './database-errors.ts';

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
 * -wal and -shm files get the permissions of the database.
 */
export function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'a', 0o600));
  } catch (error) {
    // SQLite itself reports a path that cannot be opened, with a message for each cause.
    if (codeOf(error) === null) throw error;
  }
}
