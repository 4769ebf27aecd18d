import { appendFile, mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { usageError } from '../errors.ts';
import { writeRecord } from '../tables/write-csv.ts';

/**
 * Why a row is not loaded. Rejected rows are invalid and count against `--max-rejects`. Skipped rows are valid but out
 * of scope: a warehouse, a transfer without a price. Thrown while a row is read, caught where rows are counted.
 */
export class RowRejection extends Error {
  override readonly name = 'RowRejection';
  readonly kind: 'rejected' | 'skipped';
  readonly reason: string;
  readonly field: string | null;
  readonly value: string;

  constructor(kind: 'rejected' | 'skipped', reason: string, field: string | null, value: string) {
    super(reason);
    this.kind = kind;
    this.reason = reason;
    this.field = field;
    this.value = value;
  }
}

export function reject(reason: string, field: string | null, value: string): never {
  throw new RowRejection('rejected', reason, field, value);
}

export function skip(reason: string, field: string | null, value: string): never {
  throw new RowRejection('skipped', reason, field, value);
}

/** The beginning of a value, for a message. A terminal would obey control characters. */
export function shownValue(value: string, mostCharacters: number): string {
  return value.slice(0, mostCharacters).replaceAll(/\p{Cc}/gu, ' ');
}

/** Where a row is: its file, and its line or position in it. */
export interface RowPosition {
  readonly file: string;
  readonly line: number;
}

export interface RejectionCount {
  readonly total: number;
  readonly byReason: Readonly<Record<string, number>>;
}

/** Rows listed in the file. All rows are counted. */
export const LISTED_ROWS = 10_000;
export const REJECTION_HEADER: readonly string[] = ['file', 'line', 'kind', 'reason', 'field', 'value'];
/** Longer values are cut. */
const MAX_VALUE = 200;

/** Creates a log that counts unused rows by reason and lists them in a CSV file, replacing an earlier file. */
export async function createRejectionLog(path: string) {
  await rm(path, { force: true });
  const counts = { rejected: new Map<string, number>(), skipped: new Map<string, number>() };
  const firstOfReason = new Map<string, string>();
  const record = (cells: readonly string[]): string => writeRecord(cells, '\n');
  let pending = record(REJECTION_HEADER);
  let added = 0;
  let flushed = 0;
  const byCount = (kind: RowRejection['kind']) => [...counts[kind]].sort((a, b) => b[1] - a[1]);
  return {
    path,
    add({ file, line }: RowPosition, { kind, reason, field, value }: RowRejection): void {
      counts[kind].set(reason, (counts[kind].get(reason) ?? 0) + 1);
      if (!firstOfReason.has(reason)) {
        const where = `${file}, line ${line}: "${shownValue(value, 40)}"`;
        firstOfReason.set(reason, `${reason}${field ? ` in ${field}` : ''} (${where})`);
      }
      if (added >= LISTED_ROWS) return;
      added++;
      pending += record([file, String(line), kind, reason, field ?? '', value.slice(0, MAX_VALUE)]);
    },
    /** Writes what was added since the last call. */
    async flush(): Promise<void> {
      if (added === flushed) return;
      const text = pending;
      pending = '';
      flushed = added;
      await writeReport(path, () => appendFile(path, text));
    },
    count(kind: RowRejection['kind']): RejectionCount {
      const reasons = byCount(kind);
      return { total: reasons.reduce((sum, [, n]) => sum + n, 0), byReason: Object.fromEntries(reasons) };
    },
    /**
     * The most common reason with its first row and what to do: not_a_date in sale_date (king.csv, line 17: "soon"); ''
     * if none.
     */
    commonest(helpWith: (reason: string) => string): string {
      const [most] = [...byCount('rejected'), ...byCount('skipped')];
      if (!most) return '';
      const [reason] = most;
      const help = helpWith(reason).replace(/\.$/, '');
      return `${firstOfReason.get(reason) ?? ''}${help && `: ${help}`}`;
    },
  };
}

/** Writes into the reports folder, which is created if needed. */
export async function writeReport(path: string, write: () => Promise<void>): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await write();
  } catch (cause) {
    const advice = `The import report ${path} cannot be written. Is the data directory writable?`;
    throw usageError(advice, cause);
  }
}
