import type { PostalAddress } from '../domain/address.ts';
import type { Finding } from './checks/finding.ts';
import type { LeftOutRow } from './collect-records.ts';
import type { CellOf } from './rows/mapping.ts';

/** A row without coordinates, which the parcels or addresses of a market may place. */
export interface UnplacedRow {
  readonly line: number;
  readonly parcelId: string | null;
  readonly address: PostalAddress;
}

/** What the rows of a file show together. */
interface RowsEnd {
  readonly findings: readonly Finding[];
  /** Rows that are left out. */
  readonly outdated: readonly LeftOutRow[];
  /** Rows that repeat an earlier row exactly. */
  readonly repeated: number;
  readonly unplaced: readonly UnplacedRow[];
  /** Of a price index: the places of the file by name. */
  readonly places?: ReadonlyMap<string, string>;
}

/** The rows of a file that is inspected, read one by one. */
export interface InspectedRows {
  /** Throws a RowRejection for a row that cannot be used. */
  readonly read: (cell: CellOf, line: number) => void;
  /** Called after the last row. */
  readonly end: () => RowsEnd;
}

/** Counts rows that repeat others, and keeps those without coordinates. */
export function createInspectedRows() {
  const unplaced: UnplacedRow[] = [];
  let repeated = 0;
  return {
    add(
      isRepeated: boolean,
      row: Omit<UnplacedRow, 'line'> & { readonly lat: number | null },
      line: number,
    ): void {
      const { lat, parcelId, address } = row;
      if (isRepeated) repeated++;
      else if (lat === null) unplaced.push({ line, parcelId, address });
    },
    end: (): RowsEnd => ({ findings: [], outdated: [], repeated, unplaced }),
  };
}
