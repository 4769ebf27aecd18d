import { PlumblineError, usageError } from '../errors.ts';

/** The SQLSTATE, SQLite result code name or system error code behind an error, through any wrapping. */
export function codeOf(error: unknown): string | null {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++) {
    if (at instanceof PlumblineError) continue;
    if ('errcode' in at && typeof at.errcode === 'number') {
      return SQLITE_CODES.get(at.errcode & 0xff) ?? 'SQLITE_ERROR';
    }
    if ('code' in at && typeof at.code === 'string') return at.code;
    if (CONNECTION_MESSAGE.test(at.message)) return CONNECTION_LOST;
    if (at.message === 'Query read timeout') return QUERY_LOST;
  }
  return null;
}

const CONNECTION_LOST = 'CONNECTION_LOST';
/** The statement timed out. It is not retried, because the caller has waited long enough. */
const QUERY_LOST = 'QUERY_LOST';
/** Messages of pg errors that have no code (pg 8.23 client.js and pg-pool). */
const CONNECTION_MESSAGE =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|The server does not support SSL)/;

/** https://www.sqlite.org/rescode.html: the codes about the file or the machine, and constraint violations. */
const SQLITE_CODES = new Map<number, string>([
  [3, 'SQLITE_PERM'],
  [5, 'SQLITE_BUSY'],
  [6, 'SQLITE_LOCKED'],
  [8, 'SQLITE_READONLY'],
  [10, 'SQLITE_IOERR'],
  [11, 'SQLITE_CORRUPT'],
  [13, 'SQLITE_FULL'],
  [14, 'SQLITE_CANTOPEN'],
  [19, 'SQLITE_CONSTRAINT'],
  [26, 'SQLITE_NOTADB'],
]);

const SQLITE_SENTENCES: Readonly<Record<string, string>> = {
  SQLITE_PERM:
    'may not be opened by this user. Give the user read and write access to the file and its folder.',
  SQLITE_BUSY:
    'is locked by another program. Close that program, or wait until its import ends, and try again.',
  SQLITE_LOCKED:
    'is locked by another program. Close that program, or wait until its import ends, and try again.',
  SQLITE_READONLY: 'cannot be written. Give the user write access to the file and its folder.',
  SQLITE_IOERR: 'cannot be read or written: the disk reports an error. Check the disk and its free space.',
  SQLITE_CORRUPT: 'is damaged. Restore it from a backup (docs/operations/backup.md).',
  SQLITE_FULL: 'cannot grow: the disk is full. Free some space. No committed data is lost.',
  SQLITE_CANTOPEN: 'cannot be opened. Check that the folder exists and that this user may write in it.',
  SQLITE_NOTADB: 'is not a Plumbline database, or is damaged. Move it away, or restore it from a backup.',
};

/** An error of node:sqlite as a sentence for people, if it is about the file; anything else unchanged. */
export function sqliteError(error: unknown, path: string, name = 'database'): unknown {
  const sentence = SQLITE_SENTENCES[codeOf(error) ?? ''];
  return sentence
    ? new PlumblineError('unavailable', `The ${name} ${path} ${sentence}`, { cause: error })
    : error;
}

/** Connection lost or refused, or idle for too long; server stopping or starting; out of connections, memory or disk; read-only. */
const POSTGRES_UNAVAILABLE =
  /^(08...|53...|57P0[1-5]|58...|25006|25P03|E[A-Z]{4,}|EAI_.*|CONNECTION_LOST|QUERY_LOST)$/;
/** Wrong password, unknown user, database or privilege: waiting does not help, the settings must change. */
const POSTGRES_ACCESS_DENIED = /^(28...|3D000|42501)$/;

/** An error of pg as a sentence for people, if it is about the server; anything else unchanged. */
export function postgresError(error: unknown, server: string): unknown {
  if (!(error instanceof Error) || error instanceof PlumblineError) return error;
  const code = codeOf(error) ?? '';
  const reason = error instanceof AggregateError ? code : error.message;
  if (POSTGRES_ACCESS_DENIED.test(code)) {
    return usageError(`PostgreSQL at ${server} refused: ${reason}. Check DATABASE_URL.`, error);
  }
  if (!POSTGRES_UNAVAILABLE.test(code)) return error;
  return new PlumblineError(
    'unavailable',
    `PostgreSQL at ${server} cannot be used now: ${reason}. Check that it runs and that DATABASE_URL names it.`,
    { cause: error },
  );
}

/**
 * The transaction was certainly rolled back and may be tried again: serialization failure, deadlock, and, unless
 * it was already committing, a connection that the server closed.
 */
export function isRetryable(error: unknown, isCommitting: boolean): boolean {
  const code = codeOf(error);
  if (code === '40001' || code === '40P01') return true;
  return !isCommitting && (code === '57P01' || code === '25P03' || code === CONNECTION_LOST);
}

export function isUniqueViolation(error: unknown): boolean {
  return ['23505', 'SQLITE_CONSTRAINT'].includes(codeOf(error) ?? '');
}

/** Something still refers to a row that was to be deleted. SQLite has one code for all constraints. */
export function isForeignKeyViolation(error: unknown): boolean {
  return ['23503', 'SQLITE_CONSTRAINT'].includes(codeOf(error) ?? '');
}
