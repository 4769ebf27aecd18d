import type { ComponentChildren } from 'preact';
import { formatChangeUsd, formatDay, formatPercent } from '../../parts/format.ts';
import { labelOf } from './fields.ts';
import { differenceText, otherTexts, priorSaleText, restOf, type GridRow, type Line } from './grid.ts';

/** What the cells of the sales comparison grid show. */

export function ComparableCell(props: {
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

export function LineCell(props: {
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
      {isReplaced && <span class="differs">overridden</span>}
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

/** The sum of the adjustments without their own column. */
export function RestCell(props: {
  readonly row: GridRow;
  readonly fields: readonly string[];
  readonly label: string;
  /** Whether one of them was replaced in a challenge. */
  readonly isReplaced: boolean;
}) {
  const { row, fields, label, isReplaced } = props;
  const { amount, count } = restOf(row, fields);
  if (count === 0) return <NoAmount label={label} />;
  const parts = fields.flatMap((field) => {
    const line = row.lines.get(field);
    return line ? [`${labelOf(field)} ${formatChangeUsd(line.amount)}`] : [];
  });
  return (
    <td role="cell" class="number line" data-label={label} data-amount={amount} title={parts.join('\n')}>
      <Change amount={amount} />
      {isReplaced && <span class="differs">overridden</span>}
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

export function WeightBar({ weight }: { readonly weight: number }) {
  return (
    <span class="weight">
      <span class="visually-hidden">weight </span>
      <span>{formatPercent(weight)}</span>
      <span class="weight-bar" aria-hidden="true" style={{ inlineSize: `${Math.min(100, 400 * weight)}%` }} />
    </span>
  );
}
