import { useEffect, useState } from 'preact/hooks';
import type { ValuationKind } from '../../../../../src/domain/valuation-kind.ts';
import type { Table } from '../csv/read-table.ts';
import type { Mapping } from '../request/guess-columns.ts';
import { makeItems, type MadeItems } from '../request/make-items.ts';
import { todayOf } from '../request/read-cell.ts';

export interface CheckedRows {
  /** Of the mapping as it stands; null while rows are being read. */
  readonly made: MadeItems | null;
  /** Rows read so far. */
  readonly rows: number;
  readonly today: string;
}

/** While somebody types or chooses, nothing is read yet. */
const SETTLED_MS = 150;

/** Reads the rows of a file by a mapping, anew whenever that changes. */
export function useItems(kind: ValuationKind, table: Table | null, mapping: Mapping): CheckedRows {
  const [state, setState] = useState<CheckedRows>({ made: null, rows: 0, today: todayOf(new Date()) });
  useEffect(() => {
    const today = todayOf(new Date());
    setState({ made: null, rows: 0, today });
    if (table === null) return;
    const abort = new AbortController();
    const { signal } = abort;
    const onProgress = (rows: number): void => setState({ made: null, rows, today });
    const timer = setTimeout(() => {
      makeItems(kind, table, mapping, { today, signal, onProgress }).then(
        (made) => !signal.aborted && setState({ made, rows: table.rows.length, today }),
        (error: unknown) => {
          if (!signal.aborted) throw error;
        },
      );
    }, SETTLED_MS);
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [kind, table, mapping]);
  return state;
}
