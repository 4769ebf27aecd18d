import { useState } from 'preact/hooks';
import { formatChangeUsd, formatDay, formatMany, formatPercent, formatUsd } from '../../parts/format.ts';
import { labelOf, wordOf } from './fields.ts';
import { isWhole, type Grid, type GridRow } from './grid.ts';

/**
 * The comparables as appraisers set them out: from what was paid to what it says of the subject, line by line, to the dollar. On a
 * phone every comparable is a card of its own whose lines open below each other; roles say that it is still a table.
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
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard
    <div class="table-scroll grid-scroll" tabIndex={0} role="region" aria-label={caption}>
      <table class="table grid" role="table">
        <caption class="unseen">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            <th role="columnheader" scope="col">
              Comparable
            </th>
            <Head label={words.price} />
            {grid.fields.map((field) => (
              <Head key={field} label={labelOf(field)} />
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
              {grid.fields.map((field) => (
                <LineCell key={field} row={row} field={field} />
              ))}
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
            <td role="cell" class="blank" colSpan={grid.fields.length + 1} />
            <td role="cell" class="number adjusted" data-label="Σ weight × adjusted">
              {formatUsd(grid.weighted)}
              <span class="weight">
                <span>{isWhole(grid) ? '100 %' : formatPercent(grid.weight)}</span>
              </span>
            </td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function Head({ label }: { readonly label: string }) {
  return (
    <th role="columnheader" scope="col" class="number">
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
      <span class={line.amount < 0 ? 'less' : line.amount > 0 ? 'more' : undefined}>
        {formatChangeUsd(line.amount)}
      </span>
      {differs && <span class="differs">{differs}</span>}
    </td>
  );
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
