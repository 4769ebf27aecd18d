import type { Static } from 'typebox';
import type { SheetRow } from '../../../tables/read-sheet.ts';
import { readCell } from './read-cell.ts';
import { mappedMembers, type ReadingPlan } from './read-row.ts';
import type { CheckedBody } from './schemas.ts';

/** The first rows as they will be sent: the value that was read from each cell, or what is wrong with it. */
export function previewOf(
  rows: readonly SheetRow[],
  plan: ReadingPlan,
): Static<typeof CheckedBody>['preview'] {
  const members = mappedMembers(plan);
  return {
    labels: members.map(({ member }) => member.label),
    rows: rows.map(({ row, cells }) => ({
      row,
      cells: members.map(({ member, column, text }) => {
        const { value, problem } = readCell(member.type, column === null ? text : (cells[column] ?? ''));
        if (problem !== null) return { text: null, problem };
        if (value === null) return { text: null, problem: member.isRequired ? 'missing' : null };
        return { text: typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value), problem: null };
      }),
    })),
  };
}
