import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../parts/basics.tsx';
import { formatMany, formatPercent, formatUsd } from '../../parts/format.ts';
import type { Sorting } from '../../parts/sort-rows.ts';
import { ComparableCell, LineCell, RestCell, WeightBar } from './adjustment-cells.tsx';
import { labelOf } from './fields.ts';
import { columnsOf, isComplete, totalsText, type Grid, type GridColumn, type GridRow } from './grid.ts';

interface GridWords {
  readonly price: string;
  readonly date: string;
  readonly time: string;
}

/**
 * The sales comparison grid: each comparable's price, its adjustments to the subject, and the adjusted price. The
 * smallest adjustments share a column until the user shows all. On a phone, on paper, and for all adjustments in a
 * window that is narrower than their table, each comparable is a card with all its adjustments; ARIA roles keep it a
 * table.
 */
export function AdjustmentGrid(props: {
  readonly grid: Grid;
  /** Those within the limits of the view, in its order. */
  readonly shownRows: readonly GridRow[];
  readonly sorting: Sorting;
  readonly onSort: (sorting: Sorting) => void;
  readonly caption: string;
  readonly words: GridWords;
  readonly selected: string | null;
  readonly onSelect: (id: string) => void;
  readonly onHover: (id: string | null) => void;
  /** Buttons of a row. */
  readonly actionsOf?: (row: GridRow) => ComponentChildren;
  /** Whether an amount was replaced in a challenge. */
  readonly isReplaced: (row: GridRow, field: string) => boolean;
}) {
  const { grid, shownRows, sorting, onSort, caption, words, selected, onSelect, onHover, actionsOf } = props;
  const { isReplaced } = props;
  const [hasAllColumns, setAllColumns] = useState(false);
  const cards = useOpenCards();
  const isNarrow = useMedia(CARDS);
  // As many as ten adjustments are wider than most windows: a table inside the page would scroll twice.
  const isNarrowForAll = useMedia(ALL_AS_CARDS);
  const hasCards = isNarrow || (hasAllColumns && isNarrowForAll);
  const columns = columnsOf(grid, hasCards || hasAllColumns);
  const isFolded = columns.length < grid.fields.length;
  const isFoldable = columnsOf(grid, false).length < grid.fields.length;
  const [hasAllRows, setAllRows] = useState(false);
  // Sales that the user chose are always shown.
  const first = shownRows.filter(({ choice }, at) => at < ROWS_AT_FIRST || choice !== null);
  const isSelectedHidden = selected !== null && !first.some(({ id }) => id === selected);
  const rows = hasAllRows || isSelectedHidden ? shownRows : first;
  return (
    <>
      {isFoldable && !isNarrow && (
        <div class="row">
          <Button isSmall onClick={() => setAllColumns(!hasAllColumns)}>
            {hasAllColumns ? 'Show the largest adjustments' : `Show all ${grid.fields.length} adjustments`}
          </Button>
          {isFolded && <span class="quiet small">{columns.map((column) => restWords(column)).join('')}</span>}
        </div>
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboard users must be able to scroll it */}
      <div
        class={hasCards ? 'table-scroll grid-scroll cards' : 'table-scroll grid-scroll'}
        tabIndex={0}
        role="region"
        aria-label={caption}
      >
        <table class={isFolded ? 'table grid folded' : 'table grid'} role="table">
          <caption class="visually-hidden">{caption}</caption>
          <thead role="rowgroup" class={hasCards ? 'visually-hidden' : undefined}>
            <Heads columns={columns} words={words} sorting={sorting} onSort={onSort} />
          </thead>
          <tbody role="rowgroup">
            {rows.map((row) => (
              <Row
                key={row.id}
                row={row}
                columns={columns}
                words={words}
                isFolded={isFolded}
                isReplaced={isReplaced}
                isSelected={row.id === selected}
                onSelect={onSelect}
                onHover={onHover}
                isOpen={hasAllColumns || cards.isOpen(row)}
                onToggle={hasCards && !hasAllColumns ? cards.toggle : null}
              >
                {actionsOf?.(row)}
              </Row>
            ))}
          </tbody>
          <tfoot role="rowgroup">
            <tr role="row">
              <th role="rowheader" scope="row">
                Weighted sum of all {grid.rows.length}
              </th>
              <td role="cell" class="blank" colSpan={columns.length + 2} />
              <td role="cell" class="number adjusted" data-label="Weighted sum">
                {formatUsd(grid.weighted)}
                <span class="weight">
                  <span>{isComplete(grid) ? '100%' : formatPercent(grid.weight)}</span>
                </span>
              </td>
            </tr>
          </tfoot>
        </table>
      </div>
      {rows.length < shownRows.length && (
        <div>
          <Button onClick={() => setAllRows(true)}>Show all {shownRows.length} comparables</Button>
        </div>
      )}
    </>
  );
}

/** Which comparables show their adjustments where they are cards. */
function useOpenCards() {
  // The first card is open, as an example. Toggled cards are the opposite.
  const [toggled, setToggled] = useState<readonly string[]>([]);
  return {
    isOpen: ({ id, number }: GridRow): boolean => (number === 1) !== toggled.includes(id),
    toggle: (id: string): void =>
      setToggled((before) => (before.includes(id) ? before.filter((each) => each !== id) : [...before, id])),
  };
}

function Heads(props: {
  readonly columns: readonly GridColumn[];
  readonly words: GridWords;
  readonly sorting: Sorting;
  readonly onSort: (sorting: Sorting) => void;
}) {
  const { columns, words, sorting, onSort } = props;
  const sort = (column: string, label: string) => (
    <SortButton key={column} column={column} label={label} sorting={sorting} onSort={onSort} />
  );
  /** Several orders under one head. */
  const sorts = (...orders: (keyof typeof SORTS)[]) => (
    <span class="sorts">{orders.map((order) => sort(order, SORTS[order]))}</span>
  );
  const head = (column: string, label: string, title?: string) => (
    <th key={column} role="columnheader" scope="col" class="number" title={title}>
      {sort(column, label)}
    </th>
  );
  return (
    <tr role="row">
      <th role="columnheader" scope="col">
        {sorts('number', 'date', 'distance')}
      </th>
      {head('price', words.price)}
      {columns.map((column) =>
        head(column.kind === 'rest' ? column.fields.join(',') : column.field, headOf(column, words)),
      )}
      {head('gross', NET_AND_GROSS, 'Sorted by gross. Second line: without market conditions')}
      <th role="columnheader" scope="col" class="number">
        {sorts('adjusted', 'weight')}
      </th>
    </tr>
  );
}

function Row(props: {
  readonly row: GridRow;
  readonly columns: readonly GridColumn[];
  readonly words: GridWords;
  readonly isFolded: boolean;
  readonly isReplaced: (row: GridRow, field: string) => boolean;
  readonly isSelected: boolean;
  readonly onSelect: (id: string) => void;
  readonly onHover: (id: string | null) => void;
  readonly isOpen: boolean;
  /** Null where its adjustments are always shown. */
  readonly onToggle: ((id: string) => void) | null;
  readonly children: ComponentChildren;
}) {
  const { row, columns, words, isFolded, isReplaced, isSelected, onSelect, onHover, isOpen, onToggle } =
    props;
  return (
    <tr
      role="row"
      class={[isSelected && 'selected', isOpen && 'opened'].filter(Boolean).join(' ')}
      data-comp={row.id}
      onMouseEnter={() => onHover(row.id)}
      onMouseLeave={() => onHover(null)}
    >
      <th role="rowheader" scope="row">
        <ComparableCell row={row} words={words} isSelected={isSelected} onSelect={onSelect}>
          {props.children}
        </ComparableCell>
      </th>
      <td role="cell" class="number" data-label={words.price} data-amount={row.price}>
        {formatUsd(row.price)}
        {row.priceUsdPerSqft !== null && <span class="differs">{formatUsd(row.priceUsdPerSqft)}/sq ft</span>}
      </td>
      {columns.map((column) =>
        column.kind === 'rest' ? (
          <RestCell
            key="rest"
            row={row}
            fields={column.fields}
            label={headOf(column, words)}
            isReplaced={column.fields.some((field) => isReplaced(row, field))}
          />
        ) : (
          <LineCell
            key={column.field}
            row={row}
            field={column.field}
            label={headOf(column, words)}
            isFolded={isFolded}
            isReplaced={isReplaced(row, column.field)}
          />
        ),
      )}
      <td role="cell" class="number line" data-label={NET_AND_GROSS}>
        {totalsText(row.totals.all)}
        <span class="differs">
          <span class="visually-hidden">without market conditions </span>
          {totalsText(row.totals.withoutMarketConditions)}
        </span>
      </td>
      <td role="cell" class="number adjusted" data-label="Adjusted" data-amount={row.adjusted}>
        {formatUsd(row.adjusted)}
        <WeightBar weight={row.weight} />
        {onToggle && (
          <button
            type="button"
            class="link grid-toggle"
            aria-expanded={isOpen}
            onClick={() => onToggle(row.id)}
          >
            {isOpen ? 'Hide adjustments' : `Show ${formatMany(row.lines.size, 'adjustment')}`}
          </button>
        )}
      </td>
    </tr>
  );
}

const ROWS_AT_FIRST = 8;
const NET_AND_GROSS = 'Net, gross';

/** A phone, or paper. */
const CARDS = 'print, (max-width: 46rem)';
/** Narrower than the table of all adjustments. */
const ALL_AS_CARDS = '(max-width: 104rem)';

function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => window.matchMedia(query).matches);
  useEffect(() => {
    const list = window.matchMedia(query);
    const onChange = (): void => setMatches(list.matches);
    onChange();
    list.addEventListener('change', onChange);
    return () => list.removeEventListener('change', onChange);
  }, [query]);
  return matches;
}

function headOf(column: GridColumn, { time }: { readonly time: string }): string {
  if (column.kind === 'rest') return `Smaller (${column.fields.length})`;
  return column.field === 'market_conditions' ? time : labelOf(column.field);
}

/** Which adjustments share a column. */
function restWords(column: GridColumn): string {
  if (column.kind !== 'rest') return '';
  return `${headOf(column, { time: '' })}: the sum of ${column.fields.map(labelOf).join(', ')}`;
}

/** The orders of the rows that are not of one adjustment. */
export const SORTS = {
  number: 'Similarity',
  date: 'Date',
  distance: 'Distance',
  price: 'Price',
  gross: 'Gross adjustment',
  adjusted: 'Adjusted',
  weight: 'Weight',
} as const;

/** The arrow is a part of the name for screen readers, because a head can have several orders. */
function SortButton(props: {
  readonly column: string;
  readonly label: string;
  readonly sorting: Sorting;
  readonly onSort: (sorting: Sorting) => void;
}) {
  const { column, label, sorting, onSort } = props;
  const isSorted = sorting.column === column;
  const isDescending = isSorted ? !sorting.isDescending : !ASCENDING_FIRST.has(column);
  return (
    <button type="button" class="sort" onClick={() => onSort({ column, isDescending })}>
      {label}
      {isSorted && (sorting.isDescending ? ' ↓' : ' ↑')}
    </button>
  );
}

export const ASCENDING_FIRST: ReadonlySet<string> = new Set(['number', 'distance']);
