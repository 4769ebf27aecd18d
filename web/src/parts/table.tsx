import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { formatCount } from './format.ts';
import { sortRows, type Sorting, type SortValue } from './sort-rows.ts';
import { useStacked } from './use-stacked.ts';

export interface Column<Row> {
  /** Unique within the table, unless `name` is. */
  readonly label: string;
  readonly name?: string;
  /** Small, under the label. */
  readonly note?: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Makes the column sortable. */
  readonly sortBy?: (row: Row) => SortValue;
  readonly isNumber?: boolean;
  /** Long text: the column is wide enough to read even if the table scrolls. */
  readonly isText?: boolean;
  /** Screen readers announce it with every other cell of its row. */
  readonly isRowHeader?: boolean;
  /** Only screen readers announce the label: a column of buttons. */
  readonly isLabelHidden?: boolean;
}

/** A sortable column of numbers. */
export function numberColumn<Row>(
  label: string,
  value: (row: Row) => number | null | undefined,
  format: (value: number | null | undefined) => string = formatCount,
): Column<Row> {
  return { label, isNumber: true, sortBy: (row) => value(row) ?? null, cell: (row) => format(value(row)) };
}

/** A column of dates or other short text that stays on one line, sortable by the value before formatting. */
export function dateColumn<Row>(
  label: string,
  value: (row: Row) => string | null,
  format: (value: string | null) => string,
): Column<Row> {
  return { label, sortBy: value, cell: (row) => <span class="nowrap">{format(value(row))}</span> };
}

/** Buttons at the end of each row. */
export function actionsColumn<Row>(cell: (row: Row) => ComponentChildren): Column<Row> {
  return { label: 'Actions', isLabelHidden: true, cell: (row) => <div class="actions">{cell(row)}</div> };
}

/**
 * Rows under column heads. On a phone the rows of a table that is too wide are cards; on a larger screen such a table
 * scrolls inside its frame, also by keyboard.
 */
export function Table<Row>(props: {
  /** For screen readers. On screen a heading shows the same text. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row, at: number) => string | number;
  readonly sorting?: Sorting | null;
  /** The first rows in the chosen order are shown. */
  readonly rowsMax?: number;
  /** To keep the order of the user. */
  readonly onSorting?: (sorting: Sorting) => void;
}) {
  const { caption, columns, rows, keyOf, rowsMax } = props;
  const [sorting, setSorting] = useState<Sorting | null>(props.sorting ?? null);
  const sort = (next: Sorting): void => {
    setSorting(next);
    props.onSorting?.(next);
  };
  const by = columns.find((column) => nameOf(column) === sorting?.column)?.sortBy;
  const sorted = sorting && by ? sortRows(rows, by, sorting.isDescending) : rows;
  const { frame, isStacked } = useStacked();
  return (
    <div
      ref={frame}
      class={isStacked ? 'table-scroll stacked-frame' : 'table-scroll'}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboard users must be able to scroll it
      tabIndex={0}
      role="region"
      aria-label={`Table: ${caption}`}
    >
      {/* The roles remain when the elements are no longer displayed as a table. */}
      <table class={isStacked ? 'table stacked' : 'table'} role="table">
        <caption class="visually-hidden">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <Head key={nameOf(column)} column={column} sorting={sorting} onSort={sort} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {sorted.slice(0, rowsMax).map((row, at) => (
            <tr key={keyOf(row, at)} role="row">
              {columns.map((column) => (
                <Cell key={nameOf(column)} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function nameOf({ name, label }: { readonly name?: string; readonly label: string }): string {
  return name ?? label;
}

function Head<Row>(props: {
  readonly column: Column<Row>;
  readonly sorting: Sorting | null;
  readonly onSort: (sorting: Sorting) => void;
}) {
  const { column, sorting, onSort } = props;
  const { label, note, isNumber, sortBy, isLabelHidden } = column;
  const isSorted = sorting?.column === nameOf(column);
  const direction = sorting?.isDescending ? 'descending' : 'ascending';
  // Numbers are sorted from the largest first.
  const isDescending = isSorted ? !sorting.isDescending : (isNumber ?? false);
  return (
    <th
      role="columnheader"
      scope="col"
      class={isNumber ? 'number' : undefined}
      aria-sort={isSorted ? direction : undefined}
    >
      {sortBy ? (
        <button type="button" class="sort" onClick={() => onSort({ column: nameOf(column), isDescending })}>
          {label}
        </button>
      ) : (
        <span class={isLabelHidden ? 'visually-hidden' : undefined}>{label}</span>
      )}
      {note && <span class="quiet small second-line">{note}</span>}
    </th>
  );
}

function Cell<Row>({ column, row }: { readonly column: Column<Row>; readonly row: Row }) {
  const name = column.isNumber ? 'number' : column.isText ? 'text' : undefined;
  const label = column.isLabelHidden ? undefined : column.label;
  if (!column.isRowHeader) {
    return (
      <td role="cell" class={name} data-label={label}>
        {column.cell(row)}
      </td>
    );
  }
  return (
    <th role="rowheader" scope="row" class={name} data-label={label}>
      {column.cell(row)}
    </th>
  );
}
