import type { Sale } from '../domain/sale.ts';
import { reject, RowRejection, type RowPosition } from './rejections.ts';

/** What sales and rental listings share: the address, coordinates and attributes of a home. */
export type MarketRecord = Pick<
  Sale,
  'recordId' | 'parcelId' | 'datePrecision' | 'address' | 'lat' | 'lon' | 'type' | 'attributes' | 'features'
>;

/** What tells records apart. */
export interface RecordIdentity<Row> {
  /** What identifies a record besides its place. It becomes the record id of a row that has none. */
  readonly identityOf: (row: Row) => string;
  readonly canonical: (row: Row) => string;
}

/** A row that is left out, and where it is. */
export interface LeftOutRow {
  readonly at: RowPosition;
  readonly rejection: RowRejection;
}

export interface Records<Row> {
  readonly rows: ReadonlyMap<string, Row>;
  /** Counts rows that repeat an earlier row exactly. */
  readonly repeated: () => number;
  /** Throws a RowRejection for a row with the id of a different row. */
  readonly add: (read: Row, at: RowPosition) => void;
  /** Puts a row in place of the one with its id. */
  readonly change: (recordId: string, row: Row) => void;
  /** If the operator says so, removes rows that a later row has with another price. */
  readonly leaveOutdated: (
    changes: { readonly outdated: readonly string[] } | undefined,
    leaveOut: readonly string[] | undefined,
  ) => readonly LeftOutRow[];
}

/** Collects rows by record id. */
export function createRecords<Row extends MarketRecord>({
  identityOf,
  canonical,
}: RecordIdentity<Row>): Records<Row> {
  const rows = new Map<string, Row>();
  const positions = new Map<string, RowPosition>();
  let repeated = 0;
  const isSame = (a: Row, b: Row): boolean => canonical(a) === canonical({ ...b, recordId: a.recordId });
  /**
   * An id made of what identifies a row: the same in every file and order. Rows that differ elsewhere are numbered and
   * all kept, to be flagged as duplicates.
   */
  const derivedId = (row: Row): string => {
    const home = [row.parcelId, row.address.street].filter((part) => part !== null && part !== '').join('/');
    const plain = `${home || `${row.lat},${row.lon}`}/${identityOf(row)}`;
    for (let recordId = plain, again = 2; ; recordId = `${plain}/${again++}`) {
      const earlier = rows.get(recordId);
      if (earlier === undefined || isSame(earlier, row)) return recordId;
    }
  };
  return {
    rows,
    repeated: () => repeated,
    add(read, at) {
      const row = read.recordId === '' ? { ...read, recordId: derivedId(read) } : read;
      const { recordId } = row;
      const earlier = rows.get(recordId);
      if (earlier === undefined) {
        rows.set(recordId, row);
        positions.set(recordId, at);
      } else if (isSame(earlier, row)) repeated++;
      else reject('record_id_repeated', 'record_id', recordId);
    },
    change: (recordId, row) => void rows.set(recordId, row),
    leaveOutdated(changes, leaveOut = []) {
      if (!changes || !leaveOut.includes('changed_prices')) return [];
      return changes.outdated.flatMap((recordId) => {
        const [row, at] = [rows.get(recordId), positions.get(recordId)];
        if (!row || !at) return [];
        rows.delete(recordId);
        const home = row.address.street || recordId;
        return [{ at, rejection: new RowRejection('skipped', 'changed_prices', null, home) }];
      });
    },
  };
}
