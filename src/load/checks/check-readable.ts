import { RowRejection } from '../rejections.ts';
import { ATTRIBUTE_COLUMNS, UNIT_ATTRIBUTE_COLUMNS } from '../rows/columns.ts';
import type { Mapping } from '../rows/column-source.ts';
import { createTally, doNotRead, type Finding } from './finding.ts';

/** A column of which more cells than this share cannot be read is another column, or a code. */
const UNREADABLE_SHARE = 0.2;
const LEAST_VALUES = 10;
/** Rows that are looked at. */
const MAX_ROWS = 20_000;

const READERS = { ...ATTRIBUTE_COLUMNS, ...UNIT_ATTRIBUTE_COLUMNS };

/**
 * Finds attributes whose cells mostly cannot be read, such as stories of S and M: every such row would be rejected for
 * a column that an import can do without.
 */
export function createReadableCheck(file: string, sources: Mapping, columns: readonly string[]) {
  const read = Object.keys(READERS).filter((column) => columns.includes(column) && column in sources);
  const tallies = read.map((column) => ({ column, unreadable: createTally(), filled: 0 }));
  let rows = 0;
  return {
    add(known: (column: string) => string): void {
      if (rows++ >= MAX_ROWS) return;
      for (const tally of tallies) {
        const text = known(tally.column);
        if (text === '') continue;
        tally.filled++;
        if (!canRead(tally.column, text)) tally.unreadable.add(text);
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

function canRead(column: string, text: string): boolean {
  try {
    READERS[column].read(text, column);
    return true;
  } catch (error) {
    if (error instanceof RowRejection) return false;
    throw error;
  }
}
