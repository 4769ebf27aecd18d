import { appendFile, mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PlumblineError } from '../errors.ts';
import type { RejectionCount } from './import-options.ts';
import type { RowRejection } from './rows/row-rejection.ts';

/** Counts rejected rows by reason and writes each to a CSV file. */
export interface RejectionLog {
  readonly path: string;
  readonly add: (file: string, line: number, rejection: RowRejection) => void;
  /** Writes what was added since the last call. */
  readonly flush: () => Promise<void>;
  readonly count: (kind: RowRejection['kind']) => RejectionCount;
  /** "not_a_date in sale_date (king.csv, line 17: 'soon')" of the commonest reason for rejection, or ''. */
  readonly commonest: () => string;
}

const HEADER = 'file,line,kind,reason,field,value\n';
/** Rows written to the file. All are counted; more than these help nobody find the cause. */
const MOST_ROWS = 10_000;
/** Longer values are cut in the log. */
const MOST_VALUE = 200;

/** Begins an empty log: a file left from an earlier pass is removed. */
export async function createRejectionLog(path: string): Promise<RejectionLog> {
  await rm(path, { force: true });
  const counts = { rejected: new Map<string, number>(), skipped: new Map<string, number>() };
  const firstOfReason = new Map<string, string>();
  let pending: string[] = [];
  let isBegun = false;
  let written = 0;
  return {
    path,
    add(file, line, rejection) {
      const { kind, reason, field, value } = rejection;
      counts[kind].set(reason, (counts[kind].get(reason) ?? 0) + 1);
      if (kind === 'rejected' && !firstOfReason.has(reason)) {
        firstOfReason.set(
          reason,
          `${reason}${field ? ` in ${field}` : ''} (${file}, line ${line}: "${value.slice(0, 40)}")`,
        );
      }
      if (written++ >= MOST_ROWS) return;
      const cells = [file, String(line), kind, reason, field ?? '', value.slice(0, MOST_VALUE)];
      pending.push(`${cells.map(csvCell).join(',')}\n`);
    },
    async flush() {
      if (pending.length === 0) return;
      const text = (isBegun ? '' : HEADER) + pending.join('');
      pending = [];
      isBegun = true;
      await writeReport(path, () => appendFile(path, text));
    },
    count(kind) {
      const byReason = Object.fromEntries([...counts[kind]].sort((a, b) => b[1] - a[1]));
      return { total: [...counts[kind].values()].reduce((sum, n) => sum + n, 0), byReason };
    },
    commonest() {
      const [most] = [...counts.rejected].sort((a, b) => b[1] - a[1]);
      return most ? (firstOfReason.get(most[0]) ?? '') : '';
    },
  };
}

/** Writes below the reports folder, making it first; a folder that cannot be written is for the operator to fix. */
export async function writeReport(path: string, write: () => Promise<void>): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await write();
  } catch (cause) {
    throw new PlumblineError(
      'usage',
      `The import report ${path} cannot be written. Is the data directory writable?`,
      {
        cause,
      },
    );
  }
}

/** Spreadsheets run cells that begin like a formula: a leading apostrophe makes them text. */
function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
