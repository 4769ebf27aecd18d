import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { sortRows, type Sorting, type SortValue } from './sort-rows.ts';

export interface Column<Row> {
  /** Unique within the table. */
  readonly name: string;
  readonly label: string;
  /** Small, under the label: a number that few look for. */
  readonly note?: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Given, the column can be sorted by. */
  readonly sortBy?: (row: Row) => SortValue;
  readonly isNumber?: boolean;
  /** Sentences: wide enough to be read where the table scrolls. */
  readonly isText?: boolean;
  /** What names the row: read out with every other cell of it. */
  readonly isRowHeader?: boolean;
  /** Its label is for readers of the screen alone: a column of buttons. */
  readonly isLabelUnseen?: boolean;
}

/** Rows under column heads. It scrolls inside itself where it is too wide, and can be reached by keyboard then. */
export function Table<Row>(props: {
  /** What the table lists; read out, not seen, as a heading says it to the eye. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly sorting?: Sorting;
}) {
  const { caption, columns, rows, keyOf } = props;
  const [sorting, setSorting] = useState<Sorting | null>(props.sorting ?? null);
  const by = columns.find(({ name }) => name === sorting?.column)?.sortBy;
  const shown = sorting && by ? sortRows(rows, by, sorting.isDescending) : rows;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard
    <div class="table-scroll" tabIndex={0} role="region" aria-label={caption}>
      <table class="table">
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.name} column={column} sorting={sorting} onSort={setSorting} />
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <Cell key={column.name} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Head<Row>(props: {
  readonly column: Column<Row>;
  readonly sorting: Sorting | null;
  readonly onSort: (sorting: Sorting) => void;
}) {
  const { column, sorting, onSort } = props;
  const { name, label, note, isNumber, sortBy, isLabelUnseen } = column;
  const isSorted = sorting?.column === name;
  const direction = sorting?.isDescending ? 'descending' : 'ascending';
  return (
    <th scope="col" class={isNumber ? 'number' : undefined} aria-sort={isSorted ? direction : undefined}>
      {sortBy ? (
        <button
          type="button"
          class="sort"
          // Numbers are looked at from the largest first.
          onClick={() =>
            onSort({ column: name, isDescending: isSorted ? !sorting.isDescending : (isNumber ?? false) })
          }
        >
          {label}
        </button>
      ) : (
        <span class={isLabelUnseen ? 'unseen' : undefined}>{label}</span>
      )}
      {note && <span class="quiet small head-note">{note}</span>}
    </th>
  );
}

function Cell<Row>({ column, row }: { readonly column: Column<Row>; readonly row: Row }) {
  const name = column.isNumber ? 'number' : column.isText ? 'text' : undefined;
  if (!column.isRowHeader) return <td class={name}>{column.cell(row)}</td>;
  return (
    <th scope="row" class={name}>
      {column.cell(row)}
    </th>
  );
}
