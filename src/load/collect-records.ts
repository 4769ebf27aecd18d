import { createTextNumbers } from '../domain/text-numbers.ts';
import { createCodedColumn, createNumberColumn } from './growing-columns.ts';
import { createRecordTable, type MarketRecord, type RecordMember } from './record-table.ts';
import { reject, RowRejection, type RowPosition } from './rejections.ts';

/** What tells records apart. */
export interface RecordIdentity<Row> {
  readonly members: readonly RecordMember<Row>[];
  /** What identifies a record besides its place. It becomes the record id of a row that has none. */
  readonly identityOf: (row: Row) => string;
  readonly canonical: (row: Row) => string;
}

/** A row that is left out, and where it is. */
export interface LeftOutRow {
  readonly at: RowPosition;
  readonly rejection: RowRejection;
}

/** Rows by record id, made when they are read: in the order in which they were added, as often as wanted. */
export interface Records<Row> extends Iterable<Row> {
  readonly length: number;
  readonly find: (recordId: string) => Row | undefined;
}

export interface CollectedRecords<Row> extends Records<Row> {
  /** Counts rows that repeat an earlier row exactly. */
  readonly repeated: () => number;
  /** Throws a RowRejection for a row with the id of a different row. */
  readonly add: (read: Row, at: RowPosition) => void;
  /** Adds a row of an earlier import, whose id no other row has. Called after the rows of the files are added. */
  readonly keep: (row: Row) => void;
  /** Counts rows of the files. */
  readonly added: () => number;
  readonly isAdded: (recordId: string) => boolean;
  /** Puts a row in place of the one with its id, which has the same parcel and street. */
  readonly change: (row: Row) => void;
  /** If the operator says so, removes rows that a later row has with another price. */
  readonly leaveOutdated: (
    changes: { readonly outdated: readonly string[] } | undefined,
    leaveOut: readonly string[] | undefined,
  ) => readonly LeftOutRow[];
}

/** Collects rows by record id. */
export function createRecords<Row extends MarketRecord>({
  members,
  identityOf,
  canonical,
}: RecordIdentity<Row>): CollectedRecords<Row> {
  const table = createRecordTable<Row>(members);
  /** The number of a record id is its row in the table, but for ids of removed rows that are added again. */
  const ids = createTextNumbers();
  const moved = new Map<number, number>();
  const [files, lines] = [createCodedColumn<string>(), createNumberColumn()];
  const removed = new Set<number>();
  let added = 0;
  let repeated = 0;
  /** −1 for an id that no row has. */
  const positionOf = (recordId: string): number => {
    const number = ids.find(recordId);
    const row = moved.get(number) ?? number;
    return removed.has(row) ? -1 : row;
  };
  const find = (recordId: string): Row | undefined => {
    const row = positionOf(recordId);
    return row < 0 ? undefined : table.at(row);
  };
  const isSame = (a: Row, b: Row): boolean => canonical(a) === canonical({ ...b, recordId: a.recordId });
  /**
   * An id made of what identifies a row: the same in every file and order. Rows that differ elsewhere are numbered and
   * all kept, to be flagged as duplicates.
   */
  const derivedId = (row: Row): string => {
    const home = [row.parcelId, row.address.street].filter((part) => part !== null && part !== '').join('/');
    const plain = `${home || `${row.lat},${row.lon}`}/${identityOf(row)}`;
    for (let recordId = plain, again = 2; ; recordId = `${plain}/${again++}`) {
      const earlier = find(recordId);
      if (earlier === undefined || isSame(earlier, row)) return recordId;
    }
  };
  const keep = (row: Row): void => {
    const number = ids.numberOf(row.recordId);
    if (number !== table.length()) moved.set(number, table.length());
    table.push(row);
  };
  return {
    get length() {
      return table.length() - removed.size;
    },
    *[Symbol.iterator]() {
      for (let row = 0; row < table.length(); row++) if (!removed.has(row)) yield table.at(row);
    },
    find,
    repeated: () => repeated,
    added: () => added - removed.size,
    isAdded(recordId) {
      const row = positionOf(recordId);
      return row >= 0 && row < added;
    },
    add(read, { file, line }) {
      const row = read.recordId === '' ? { ...read, recordId: derivedId(read) } : read;
      const earlier = find(row.recordId);
      if (earlier === undefined) {
        files.set(table.length(), file);
        lines.set(table.length(), line);
        keep(row);
        added++;
      } else if (isSame(earlier, row)) repeated++;
      else reject('record_id_repeated', 'record_id', row.recordId);
    },
    keep,
    change: (row) => table.change(positionOf(row.recordId), row),
    leaveOutdated(changes, leaveOut = []) {
      if (!changes || !leaveOut.includes('changed_prices')) return [];
      return changes.outdated.flatMap((recordId) => {
        const row = positionOf(recordId);
        if (row < 0) return [];
        removed.add(row);
        const home = table.at(row).address.street || recordId;
        const at = { file: files.at(row) ?? '', line: lines.at(row) ?? 0 };
        return [{ at, rejection: new RowRejection('skipped', 'changed_prices', null, home) }];
      });
    },
  };
}
