import { useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { formatChangeUsd, formatDay, formatMany, formatPercent, formatUsd } from '../../parts/format.ts';
import { labelOf, wordOf } from './fields.ts';
import { columnsOf, isWhole, restOf, type Grid, type GridColumn, type GridRow } from './grid.ts';
import { useMedia } from '../../parts/use-media.ts';

/**
 * The comparables as appraisers set them out: from what was paid to what it says of the subject, line by line, to the dollar. Lines
 * that move little stand together until they are asked for. On a phone every comparable is a card of its own whose lines open below
 * each other, all of them; roles say that it is still a table.
 */
export function AdjustmentGrid(props: {
  readonly grid: Grid;
  readonly caption: string;
  readonly words: { readonly price: string; readonly date: string };
  readonly selected: string | null;
  readonly onSelect: (id: string) => void;
}) {
  const { grid, caption, words, selected, onSelect } = props;
  // The first shows how a row adds up; the others open when they are asked to.
  const [turned, setTurned] = useState<readonly string[]>([]);
  const isOpen = ({ id, number }: GridRow): boolean => (number === 1) !== turned.includes(id);
  const turn = (id: string): void =>
    setTurned((before) => (before.includes(id) ? before.filter((each) => each !== id) : [...before, id]));
  const hasCards = useMedia(CARDS);
  const [isWholeShown, setWholeShown] = useState(false);
  const columns = columnsOf(grid, hasCards || isWholeShown);
  const isFoldable = columnsOf(grid, false).length < grid.fields.length;
  return (
    <>
      {isFoldable && !hasCards && (
        <div class="row">
          <Button isSmall onClick={() => setWholeShown(!isWholeShown)}>
            {isWholeShown ? 'Show the lines that move most' : `Show all ${grid.fields.length} lines`}
          </Button>
        </div>
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard */}
      <div class="table-scroll grid-scroll" tabIndex={0} role="region" aria-label={caption}>
        <table class={columns.length < grid.fields.length ? 'table grid folded' : 'table grid'} role="table">
          <caption class="unseen">{caption}</caption>
          <thead role="rowgroup">
            <tr role="row">
              <th role="columnheader" scope="col">
                Comparable
              </th>
              <Head label={words.price} />
              {columns.map((column) => (
                <Head
                  key={keyOf(column)}
                  label={headOf(column)}
                  title={column.kind === 'rest' ? column.fields.map(labelOf).join(', ') : undefined}
                />
              ))}
              <Head label="Adjusted, weight" />
            </tr>
          </thead>
          <tbody role="rowgroup">
            {grid.rows.map((row) => (
              <tr
                key={row.id}
                role="row"
                class={[row.id === selected && 'selected', isOpen(row) && 'opened'].filter(Boolean).join(' ')}
                data-comp={row.id}
              >
                <th role="rowheader" scope="row">
                  <Comparable row={row} words={words} isSelected={row.id === selected} onSelect={onSelect} />
                </th>
                <td role="cell" class="number" data-label={words.price} data-amount={row.price}>
                  {formatUsd(row.price)}
                </td>
                {columns.map((column) =>
                  column.kind === 'rest' ? (
                    <RestCell key="rest" row={row} fields={column.fields} label={headOf(column)} />
                  ) : (
                    <LineCell key={column.field} row={row} field={column.field} />
                  ),
                )}
                <td role="cell" class="number adjusted" data-label="Adjusted" data-amount={row.adjusted}>
                  {formatUsd(row.adjusted)}
                  <WeightBar weight={row.weight} />
                  <button
                    type="button"
                    class="link grid-toggle"
                    aria-expanded={isOpen(row)}
                    onClick={() => turn(row.id)}
                  >
                    {isOpen(row) ? 'Hide its lines' : `Show its ${formatMany(row.lines.size, 'line')}`}
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot role="rowgroup">
            <tr role="row">
              <th role="rowheader" scope="row">
                Weighted together
              </th>
              <td role="cell" class="blank" colSpan={columns.length + 1} />
              <td role="cell" class="number adjusted" data-label="Σ weight × adjusted">
                {formatUsd(grid.weighted)}
                <span class="weight">
                  <span>{isWhole(grid) ? '100%' : formatPercent(grid.weight)}</span>
                </span>
              </td>
            </tr>
          </tfoot>
        </table>
      </div>
    </>
  );
}

/** As value.css turns the grid into cards. */
const CARDS = '(max-width: 46rem)';

function keyOf(column: GridColumn): string {
  return column.kind === 'rest' ? 'rest' : column.field;
}

function headOf(column: GridColumn): string {
  return column.kind === 'rest' ? `Other (${column.fields.length})` : labelOf(column.field);
}

function Head({ label, title }: { readonly label: string; readonly title?: string }) {
  return (
    <th role="columnheader" scope="col" class="number" title={title}>
      {label}
    </th>
  );
}

function Comparable(props: {
  readonly row: GridRow;
  readonly words: { readonly date: string };
  readonly isSelected: boolean;
  readonly onSelect: (id: string) => void;
}) {
  const { row, words, isSelected, onSelect } = props;
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
          {words.date} {formatDay(row.date)} · {row.distanceMi.toFixed(2)} mi
        </span>
        <span class="grid-note">{row.note}</span>
      </span>
    </div>
  );
}

function LineCell({ row, field }: { readonly row: GridRow; readonly field: string }) {
  const line = row.lines.get(field);
  if (!line) {
    return (
      <td role="cell" class="number none" data-label={labelOf(field)} data-amount={0}>
        ·
      </td>
    );
  }
  const differs = line.comp === null ? null : `${wordOf(field, line.comp)} → ${wordOf(field, line.subject)}`;
  return (
    <td role="cell" class="number line" data-label={labelOf(field)} data-amount={line.amount}>
      <Change amount={line.amount} />
      {differs && <span class="differs">{differs}</span>}
    </td>
  );
}

/** Lines that have no column of their own, added up. */
function RestCell(props: {
  readonly row: GridRow;
  readonly fields: readonly string[];
  readonly label: string;
}) {
  const { row, fields, label } = props;
  const { amount, count } = restOf(row, fields);
  if (count === 0) {
    return (
      <td role="cell" class="number none" data-label={label} data-amount={0}>
        ·
      </td>
    );
  }
  const told = fields.flatMap((field) => {
    const line = row.lines.get(field);
    return line ? [`${labelOf(field)} ${formatChangeUsd(line.amount)}`] : [];
  });
  return (
    <td role="cell" class="number line" data-label={label} data-amount={amount} title={told.join('\n')}>
      <Change amount={amount} />
      <span class="differs">{formatMany(count, 'line')}</span>
    </td>
  );
}

function Change({ amount }: { readonly amount: number }) {
  return <span class={amount < 0 ? 'less' : amount > 0 ? 'more' : undefined}>{formatChangeUsd(amount)}</span>;
}

function WeightBar({ weight }: { readonly weight: number }) {
  return (
    <span class="weight">
      <span class="unseen">weight </span>
      <span>{formatPercent(weight)}</span>
      <span class="weight-bar" aria-hidden="true" style={{ inlineSize: `${Math.min(100, 400 * weight)}%` }} />
    </span>
  );
}
