export type SortValue = string | number | null;

export interface Sorting {
  readonly column: string;
  readonly isDescending: boolean;
}

/** A sorted copy. Text ignores case and sorts digits as numbers. Unknown values come last in both directions. */
export function sortRows<Row>(
  rows: readonly Row[],
  by: (row: Row) => SortValue,
  isDescending: boolean,
): Row[] {
  return rows.toSorted((a, b) => compare(by(a), by(b), isDescending));
}

function compare(a: SortValue, b: SortValue, isDescending: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const order =
    typeof a === 'number' && typeof b === 'number'
      ? a - b
      : String(a).localeCompare(String(b), 'en', { numeric: true, sensitivity: 'base' });
  return isDescending ? -order : order;
}
