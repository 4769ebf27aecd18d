import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../parts/basics.tsx';
import { formatChangeUsd, formatDay, formatMany, formatPercent, formatUsd } from '../../parts/format.ts';
import type { Sorting } from '../../parts/sort-rows.ts';
import { labelOf } from './fields.ts';
import {
  columnsOf,
  differenceText,
  isComplete,
  otherTexts,
  priorSaleText,
  restOf,
  type Grid,
  type GridColumn,
  type GridRow,
  type Line,
} from './grid.ts';

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
  readonly words: { readonly price: string; readonly date: string; readonly time: string };
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
  // The first card is open, as an example. Toggled cards are the opposite.
  const [toggled, setToggled] = useState<readonly string[]>([]);
  const isOpen = ({ id, number }: GridRow): boolean =>
    hasAllColumns || (number === 1) !== toggled.includes(id);
  const toggle = (id: string): void =>
    setToggled((before) => (before.includes(id) ? before.filter((each) => each !== id) : [...before, id]));
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
  const sort = (column: string, label: string) => (
    <SortButton key={column} column={column} label={label} sorting={sorting} onSort={onSort} />
  );
  /** Several orders under one head. */
  const sorts = (...columns: (keyof typeof SORTS)[]) => (
    <span class="sorts">{columns.map((column) => sort(column, SORTS[column]))}</span>
  );
  const head = (column: string, label: string, title?: string) => (
    <th key={column} role="columnheader" scope="col" class="number" title={title}>
      {sort(column, label)}
    </th>
  );
  return (
    <>
      {isFoldable && !isNarrow && (
        <div class="row">
          <Button isSmall onClick={() => setAllColumns(!hasAllColumns)}>
            {hasAllColumns ? 'Show the largest adjustments' : `Show all ${grid.fields.length} adjustments`}
          </Button>
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
            <tr role="row">
              <th role="columnheader" scope="col">
                {sorts('number', 'date', 'distance')}
              </th>
              {head('price', words.price)}
              {columns.map((column) =>
                head(
                  column.kind === 'rest' ? column.fields.join(',') : column.field,
                  headOf(column, words),
                  column.kind === 'rest' ? column.fields.map(labelOf).join(', ') : undefined,
                ),
              )}
              {head('gross', NET_AND_GROSS, 'Sorted by gross. Second line: without market conditions')}
              <th role="columnheader" scope="col" class="number">
                {sorts('adjusted', 'weight')}
              </th>
            </tr>
          </thead>
          <tbody role="rowgroup">
            {rows.map((row) => (
              <tr
                key={row.id}
                role="row"
                class={[row.id === selected && 'selected', isOpen(row) && 'opened'].filter(Boolean).join(' ')}
                data-comp={row.id}
                onMouseEnter={() => onHover(row.id)}
                onMouseLeave={() => onHover(null)}
              >
                <th role="rowheader" scope="row">
                  <Comparable row={row} words={words} isSelected={row.id === selected} onSelect={onSelect}>
                    {actionsOf?.(row)}
                  </Comparable>
                </th>
                <td role="cell" class="number" data-label={words.price} data-amount={row.price}>
                  {formatUsd(row.price)}
                  {row.priceUsdPerSqft !== null && (
                    <span class="differs">{formatUsd(row.priceUsdPerSqft)}/sq ft</span>
                  )}
                </td>
                {columns.map((column) =>
                  column.kind === 'rest' ? (
                    <RestCell key="rest" row={row} fields={column.fields} label={headOf(column, words)} />
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
                  {hasCards && !hasAllColumns && (
                    <button
                      type="button"
                      class="link grid-toggle"
                      aria-expanded={isOpen(row)}
                      onClick={() => toggle(row.id)}
                    >
                      {isOpen(row) ? 'Hide adjustments' : `Show ${formatMany(row.lines.size, 'adjustment')}`}
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot role="rowgroup">
            <tr role="row">
              <th role="rowheader" scope="row">
                Weighted sum of all {grid.rows.length}
              </th>
              <td role="cell" class="blank" colSpan={columns.length + 2} />
              <td role="cell" class="number adjusted" data-label="Σ weight × adjusted">
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

function Comparable(props: {
  readonly row: GridRow;
  readonly words: { readonly date: string };
  readonly isSelected: boolean;
  readonly onSelect: (id: string) => void;
  readonly children: ComponentChildren;
}) {
  const { row, words, isSelected, onSelect, children } = props;
  return (
    <div class="grid-comparable">
      <button
        type="button"
        class="pin"
        aria-pressed={isSelected}
        aria-label={`Show comparable ${row.number} on the map`}
        onClick={() => onSelect(row.id)}
      >
        {row.number}
      </button>
      <span>
        <span class="grid-title">{row.title}</span>
        <span class="grid-note">
          {words.date} {formatDay(row.date)} · <span class="nowrap">{row.proximity}</span>
        </span>
        <span class="grid-note">{row.note}</span>
        <span class="grid-note">{priorSaleText(row)}</span>
        {children}
      </span>
    </div>
  );
}

function LineCell(props: {
  readonly isReplaced: boolean;
  readonly row: GridRow;
  readonly field: string;
  readonly label: string;
  readonly isFolded: boolean;
}) {
  const { row, field, label, isFolded, isReplaced } = props;
  const line = row.lines.get(field);
  if (!line) return <NoAmount label={label} />;
  return (
    <td role="cell" class="number line" data-label={label} data-amount={line.amount}>
      <Change amount={line.amount} />
      {isReplaced && <span class="differs">replaced</span>}
      {field === 'other' ? (
        <OtherDetails texts={otherTexts(row)} isFolded={isFolded} />
      ) : (
        <Values field={field} line={line} />
      )}
    </td>
  );
}

/** What the two homes have. */
function Values({ field, line }: { readonly field: string; readonly line: Line }) {
  const text = differenceText(field, line);
  if (text === null) return null;
  const { estimate, isCompEstimate } = line;
  const titles = [
    isCompEstimate && 'Comparable: estimated from nearby homes',
    estimate && `Subject: estimated from ${estimate.source}`,
  ].filter(Boolean);
  return (
    <span class="differs" title={titles.length > 0 ? titles.join('\n') : undefined}>
      {text}
    </span>
  );
}

/** `Deck or balcony: no → yes`, one below another; a folded grid counts them. */
function OtherDetails(props: { readonly texts: readonly string[]; readonly isFolded: boolean }) {
  const { texts, isFolded } = props;
  const shown = isFolded && texts.length > 1 ? [`${texts.length} details`] : texts;
  return (
    <span class="differs" title={texts.join('\n')}>
      {shown.map((text) => (
        <span key={text} class="second-line">
          {text}
        </span>
      ))}
    </span>
  );
}

/** Net and gross adjustment, in percent of the price: `−2.1%, 8.4%` */
export function totalsText({ net, gross }: GridRow['totals']['all']): string {
  return `${net < 0 ? '−' : ''}${Math.abs(net).toFixed(1)}%, ${gross.toFixed(1)}%`;
}

/** The sum of the adjustments without their own column. */
function RestCell(props: {
  readonly row: GridRow;
  readonly fields: readonly string[];
  readonly label: string;
}) {
  const { row, fields, label } = props;
  const { amount, count } = restOf(row, fields);
  if (count === 0) return <NoAmount label={label} />;
  const parts = fields.flatMap((field) => {
    const line = row.lines.get(field);
    return line ? [`${labelOf(field)} ${formatChangeUsd(line.amount)}`] : [];
  });
  return (
    <td role="cell" class="number line" data-label={label} data-amount={amount} title={parts.join('\n')}>
      <Change amount={amount} />
    </td>
  );
}

function NoAmount({ label }: { readonly label: string }) {
  return (
    <td role="cell" class="number none" data-label={label} data-amount={0}>
      ·
    </td>
  );
}

function Change({ amount }: { readonly amount: number }) {
  return <span class={amount < 0 ? 'less' : amount > 0 ? 'more' : undefined}>{formatChangeUsd(amount)}</span>;
}

function WeightBar({ weight }: { readonly weight: number }) {
  return (
    <span class="weight">
      <span class="visually-hidden">weight </span>
      <span>{formatPercent(weight)}</span>
      <span class="weight-bar" aria-hidden="true" style={{ inlineSize: `${Math.min(100, 400 * weight)}%` }} />
    </span>
  );
}
