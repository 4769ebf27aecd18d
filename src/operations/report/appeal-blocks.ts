import {
  formatChangeUsd,
  formatDay,
  formatPct,
  formatPercent,
  formatUsd,
  UNKNOWN,
} from '../../domain/display-format.ts';
import { CHANGE_CAUSE_LABELS } from '../../domain/change-causes.ts';
import { labelOf, readableMessage, wordOf } from '../../domain/field-words.ts';
import { instant } from '../../domain/instant.ts';
import type { Block, Cell, TableBlock } from '../../reports/document.ts';
import type { ChallengeRecord } from '../../store/tables/accounts.ts';
import type { ValuationOf } from '../valuation-types.ts';
import { heading, isAboutChoice, nameOfSale, paragraph } from './report-sections.ts';

type Changes = NonNullable<ValuationOf<'property'>['changes']>;
type Sale = ValuationOf<'property'>['comparables']['items'][number];

/** The challenge and its evidence: what was changed, why, and what each change does to the value. */
export function appealBlocks(
  { valuation, comparables: { items } }: ValuationOf<'property'>,
  changes: Changes,
  challenge: ChallengeRecord | null,
): Block[] {
  const { before, split, facts, factsReason, excluded, adjustments, renovations } = changes;
  const names = new Map([
    ...items.map((sale) => [sale.compId, nameOfSale(sale)] as const),
    ...excluded.map((sale) => [sale.compId, nameOfSale(sale)] as const),
  ]);
  const sales = (title: string, choice: Sale['choice']): Block[] =>
    table(
      title,
      [['Sale', 5], ['Sold', 2.5], price('Price'), price('Adjusted to this home')],
      items
        .filter((sale) => sale.choice === choice)
        .map((sale) => [
          nameOfSale(sale),
          formatDay(sale.saleDate),
          formatUsd(sale.salePrice),
          formatUsd(sale.adjustedPrice),
        ]),
    );
  return [
    heading('The challenge'),
    paragraph(
      `${formatUsd(valuation.pointValue)} instead of ${formatUsd(before.pointValue)}: ${formatChangeUsd(valuation.pointValue - before.pointValue)}`,
      'lead',
    ),
    paragraph(
      'The model, the data and the as-of date are those of the challenged value, so only the changes listed here move it.',
    ),
    ...assessmentBlocks(valuation, changes),
    ...statusBlocks(challenge),
    ...choiceBlocks(valuation),
    heading('The changes'),
    ...changeTotals(split),
    // Before the table, so that a page does not end between the two.
    ...(factsReason && facts.length > 0 ? [paragraph(`Reason for the corrected facts: ${factsReason}`)] : []),
    ...table(
      'Corrected facts',
      [
        ['Fact', 4],
        ['Before', 3],
        ['Corrected', 3],
      ],
      facts.map(({ field, before: was, after }) => [
        labelOf(field),
        wordOf(field, was),
        wordOf(field, after),
      ]),
    ),
    ...sales('Comparables that were added', 'added'),
    ...sales('Comparables that were pinned', 'pinned'),
    ...table(
      'Comparables that were excluded',
      [['Sale', 5], ['Sold', 2.2], price('Price'), price('Adjusted to this home'), ['Reason', 6]],
      excluded.map((sale) => [
        nameOfSale(sale),
        formatDay(sale.saleDate),
        formatUsd(sale.salePrice),
        formatUsd(sale.adjustedPrice),
        sale.reason,
      ]),
    ),
    ...table(
      'Adjustments that were overridden',
      [['Sale', 5], ['Adjustment', 2.2], price('Computed'), price('Used'), ['Reason', 6]],
      adjustments.map(({ compId, field, computedAmount, amount, reason }) => [
        names.get(compId) ?? compId,
        labelOf(field),
        formatChangeUsd(computedAmount),
        formatChangeUsd(amount),
        reason,
      ]),
    ),
    ...renovationBlocks(renovations),
  ];
}

/** The assessed value that is appealed, beside both values. */
function assessmentBlocks(
  { pointValue, estimatedValueLow, estimatedValueHigh }: ValuationOf<'property'>['valuation'],
  { before, assessment }: Changes,
): Block[] {
  if (!assessment) return [];
  const { value, year } = assessment;
  const compared = (usd: number): string => {
    const pct = 100 * (usd / value - 1);
    return `${formatUsd(usd)}, ${formatPct(Math.abs(pct))} ${pct < 0 ? 'below' : 'above'} the assessed value`;
  };
  const place =
    value < estimatedValueLow
      ? 'below the range'
      : value > estimatedValueHigh
        ? 'above the range'
        : 'within the range';
  return [
    {
      kind: 'facts',
      isWide: true,
      facts: [
        ['Assessed value', `${formatUsd(value)}${year === null ? '' : ` (${year})`}`],
        ['Value with the changes', compared(pointValue)],
        ['Value without them', compared(before.pointValue)],
        [
          '90% range with the changes',
          `${formatUsd(estimatedValueLow)} to ${formatUsd(estimatedValueHigh)}: the assessed value is ${place}`,
        ],
      ],
    },
  ];
}

/** What a reader must know about the choice of comparables: nothing if there is nothing. */
function choiceBlocks({ warnings }: ValuationOf<'property'>['valuation']): Block[] {
  const items = warnings.filter(isAboutChoice).map(({ message }) => readableMessage(message));
  return items.length === 0 ? [] : [heading('About the choice of comparables'), { kind: 'list', items }];
}

/** For reports that do not list the changes: that there are some, and what they do to the value. */
export function changedBlocks(
  { valuation }: Pick<ValuationOf<'property'>, 'valuation'>,
  { before, split }: Changes,
  challenge: ChallengeRecord | null,
): Block[] {
  const who = challenge === null ? 'The request changed' : `${challenge.createdBy} changed`;
  const change = valuation.pointValue - before.pointValue;
  const effect =
    change === 0
      ? 'and they do not move it'
      : `and they ${change > 0 ? 'raise' : 'lower'} it by ${formatUsd(Math.abs(change))}`;
  return [
    heading('Changes to this value'),
    paragraph(
      `${who} this value. Without the changes it is ${formatUsd(before.pointValue)}, ${effect}. The appeal report lists each change with its reason.`,
    ),
    ...(challenge === null ? [] : [paragraph(`Decision: ${decisionOf(challenge)}`)]),
    ...changeTotals(split),
    ...choiceBlocks(valuation),
  ];
}

function changeTotals(split: Changes['split']): Block[] {
  return totals(
    'What each kind of change does to the value',
    split
      .filter(({ amount }) => amount !== 0)
      .map(({ cause, amount }) => [CHANGE_CAUSE_LABELS[cause], amount] as const),
  );
}

/** Version, note and decision. None for changes that came with the valuation request. */
function statusBlocks(challenge: ChallengeRecord | null): Block[] {
  if (challenge === null) return [];
  const { version, originalId, createdAt, createdBy, note } = challenge;
  return [
    {
      kind: 'facts',
      isWide: true,
      facts: [
        ['Challenged valuation', originalId],
        ['Challenge', `Version ${version}, by ${createdBy} on ${dayOf(createdAt)}`],
        ...(note === null ? [] : [['Note', note] as const]),
        ['Decision', decisionOf(challenge)],
      ],
    },
  ];
}

function decisionOf({ decision, decidedAt, decidedBy, decisionReason }: ChallengeRecord): string {
  if (decision === null || decidedAt === null) return 'Not decided yet';
  return `${decision === 'accepted' ? 'Accepted' : 'Rejected'} by ${decidedBy} on ${dayOf(decidedAt)}: ${decisionReason}`;
}

function dayOf(at: number): string {
  return formatDay(instant(at).slice(0, 10));
}

/** Each renovation with what it adds, and the value as is and as repaired. */
export function renovationBlocks(renovations: Changes['renovations']): Block[] {
  if (renovations === null) return [];
  const { items, asIs, asRepaired } = renovations;
  const { estimatedValue, estimatedValueLow, estimatedValueHigh } = asRepaired;
  return [
    ...table(
      'Renovations',
      [['Renovation', 5], ['Year', 2], price('Cost'), price('Adds to the value'), price('Share of the cost')],
      items.map(({ description, year, cost, amount, isPlanned }) => [
        description,
        year === null ? 'Planned' : isPlanned ? `Planned, ${year}` : String(year),
        formatUsd(cost),
        formatChangeUsd(amount),
        cost === 0 ? UNKNOWN : formatPercent(amount / cost, 0),
      ]),
    ),
    paragraph(
      `${items.some(({ isPlanned }) => isPlanned) ? `As is: ${formatUsd(asIs)}. As repaired: ${formatUsd(estimatedValue)} (90% range ${formatUsd(estimatedValueLow)} to ${formatUsd(estimatedValueHigh)}). ` : ''}What a renovation adds is an assumption unless its share of the cost was given.`,
    ),
  ];
}

function totals(title: string, amounts: readonly (readonly [label: string, usd: number])[]): Block[] {
  const sum = amounts.reduce((total, [, usd]) => total + usd, 0);
  const [block] = table(
    title,
    [['Change', 4], price('Amount')],
    amounts.map(([label, usd]) => [label, formatChangeUsd(usd)]),
  );
  if (!block) return [];
  return [
    { ...block, rows: [...block.rows, { cells: ['All changes', formatChangeUsd(sum)], isTotal: true }] },
  ];
}

type ColumnSpec = readonly [label: string, width: number, align?: 'right'];

const price = (label: string): ColumnSpec => [label, 2.5, 'right'];

/** A table with its title above it; nothing without rows. */
function table(
  caption: string,
  columns: readonly ColumnSpec[],
  rows: readonly (readonly Cell[])[],
): TableBlock[] {
  if (rows.length === 0) return [];
  return [
    {
      kind: 'table',
      caption,
      hasVisibleCaption: true,
      columns: columns.map(([label, width, align]) => ({ label, width, ...(align && { align }) })),
      rows: rows.map((cells) => ({ cells })),
    },
  ];
}
