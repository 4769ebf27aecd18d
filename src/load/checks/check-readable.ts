import { RowRejection } from '../rejections.ts';
import { ATTRIBUTE_COLUMNS, UNIT_ATTRIBUTE_COLUMNS } from '../rows/columns.ts';
import type { Mapping } from '../rows/column-source.ts';
import type { CellOf } from '../rows/mapping.ts';
import { leaveOutUnsold } from '../rows/read-rows.ts';
import { createTally, doNotRead, type Finding } from './finding.ts';

/** A column of which more cells than this share cannot be read is another column, or a code. */
const UNREADABLE_SHARE = 0.2;
const LEAST_VALUES = 10;
/** Rows that are looked at. */
const MAX_ROWS = 20_000;

const READERS = { ...ATTRIBUTE_COLUMNS, ...UNIT_ATTRIBUTE_COLUMNS };
const STATUS = 'listing_status';

/**
 * Finds columns that an import can do without and whose cells would reject many rows: attributes that cannot be read,
 * such as stories of S and M, and the status of parcels in place of that of listings.
 */
export function createReadableCheck(file: string, sources: Mapping, columns: readonly string[]) {
  const read = [...Object.keys(READERS), STATUS].filter(
    (column) => columns.includes(column) && column in sources,
  );
  const tallies = read.map((column) => ({ column, unreadable: createTally(), filled: 0 }));
  let rows = 0;
  return {
    add(known: CellOf): void {
      if (rows++ >= MAX_ROWS) return;
      for (const tally of tallies) {
        const text = known(tally.column);
        if (text === '') continue;
        tally.filled++;
        if (!canRead(tally.column, text, known)) tally.unreadable.add(text);
      }
    },
    findings(): Finding[] {
      return tallies.flatMap(({ column, unreadable, filled }) => {
        if (filled < LEAST_VALUES || unreadable.count() <= UNREADABLE_SHARE * filled) return [];
        const source = sources[column].source ?? column;
        return unreadable.finding({
          check: 'unreadable_column',
          column,
          message: `${unreadable.count()} of ${filled} values of "${source}" in ${file} cannot be read as ${column}, which would reject their rows.`,
          remedy: `Do not read the column, or replace its values by a mapping.`,
          fixes: [doNotRead(`Do not read "${source}"`, column)],
          isBlocking: true,
        });
      });
    },
  };
}

function canRead(column: string, text: string, known: CellOf): boolean {
  try {
    if (column === STATUS) leaveOutUnsold(known);
    else READERS[column].read(text, column);
    return true;
  } catch (error) {
    if (error instanceof RowRejection) return error.kind === 'skipped';
    throw error;
  }
}
