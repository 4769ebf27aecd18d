import {
  formatCount,
  formatDay,
  formatMany,
  formatPercent,
  formatUsd,
  UNKNOWN,
} from '../../domain/display-format.ts';
import { labelOf, readableMessage, upperFirst, wordOf } from '../../domain/field-words.ts';
import { saleName } from '../../domain/sale-name.ts';
import type { Block, Row } from '../../reports/document.ts';
import { qrFigure } from '../../reports/qr-figure.ts';
import { rangeFigure } from '../../reports/range-figure.ts';
import type { StratumAccuracy } from '../../valuation/calibration/holdout-cases.ts';
import { accuracyMembers } from '../valuation/value-members.ts';
import type { PropertyValue, SaleComparable, ValuationOf } from '../valuation-types.ts';

/** Sections that reports of all kinds share. */

export function heading(text: string): Block {
  return { kind: 'heading', level: 2, text };
}

export function paragraph(text: string, look?: 'lead' | 'quiet'): Block {
  return { kind: 'paragraph', text, ...(look && { look }) };
}

type Located = Pick<ValuationOf<'property'>, 'addressInfo'>;

/** Its coordinates if it has no address. */
export function addressOf({ addressInfo }: Located): string {
  const { formattedAddress, latitude, longitude } = addressInfo;
  return formattedAddress ?? `Location ${latitude}, ${longitude}`;
}

type Excluded = NonNullable<ValuationOf<'property'>['changes']>['excluded'][number];

/** With all known parts of its address. */
export function nameOfSale(sale: SaleComparable | Excluded): string {
  const addedAt = 'choice' in sale && sale.choice === 'added' ? sale : null;
  return saleName({ id: sale.compId, street: null, address: sale.formattedAddress, addedAt });
}

export function countyOf({ addressInfo: { county, state } }: Located): string {
  return [county, state].filter(Boolean).join(', ') || UNKNOWN;
}

/** The range and the value in large type, what they mean, and a figure. */
export function valueBlocks(
  value: Pick<PropertyValue, 'pointValue' | 'confidenceInterval_90' | 'confidenceInterval_95'>,
  meaning: string,
  period = '',
): Block[] {
  const { pointValue, confidenceInterval_90: range90, confidenceInterval_95: range95 } = value;
  const range = `${formatUsd(range90.lower)} to ${formatUsd(range90.upper)}`;
  return [
    heading('Value'),
    paragraph(`${range}, most likely ${formatUsd(pointValue)}${period}`, 'lead'),
    paragraph(meaning),
    rangeFigure(pointValue, range90, range95),
  ];
}

export const NO_COMPARABLES = paragraph(
  'The valuation was requested without comparables, so this report lists none.',
);

/** Null if the address was not located. */
export function placeOf({ addressInfo }: Located) {
  const { latitude, longitude } = addressInfo;
  return latitude === null || longitude === null ? null : { latitude, longitude };
}

/** What facts are about, and where others of the kind are. */
export type FactsOf = 'home' | 'listing';

interface Input {
  readonly field: string;
  readonly value: number | boolean | string | null;
  readonly source: PropertyValue['inputs'][number]['source'];
  readonly support: number | null;
}

const SOURCES = { request: 'Entered', record: 'Public record', default: 'Assumed' } as const;

/** `Public record`, `15 nearby homes`. */
function sourceOf({ source, support }: Input, of: FactsOf): string {
  return source === 'comparables' ? formatMany(support ?? 0, `nearby ${of}`) : SOURCES[source];
}

/** The facts with their sources, and what is missing. */
export function factBlocks(valuation: Warned, of: FactsOf): Block[] {
  return [
    heading('Facts and their sources'),
    {
      kind: 'table',
      caption: 'Facts that the value was computed from',
      columns: [
        { label: 'Fact', width: 3 },
        { label: 'Value', width: 3 },
        { label: 'Source', width: 3 },
      ],
      rows: inputRows(valuation.inputs, of),
    },
    heading('Missing information'),
    ...missingItems(valuation, of),
  ];
}

/** Rows of a table of the known facts: label, value and source. */
function inputRows(inputs: readonly Input[], of: FactsOf): Row[] {
  return inputs
    .filter(({ value }) => value !== null)
    .map((input) => ({
      cells: [labelOf(input.field), upperFirst(wordOf(input.field, input.value)), sourceOf(input, of)],
    }));
}

type Warned = Pick<PropertyValue, 'warnings'> & { readonly inputs: readonly Input[] };

/** Facts without a record, and the warnings of the valuation. */
function missingItems({ inputs, warnings }: Warned, of: FactsOf): Block[] {
  const unknown = inputs.filter(({ value }) => value === null).map(({ field }) => labelOf(field));
  const items = [
    ...(unknown.length > 0 ? [`Unknown: ${unknown.join(', ')}.`] : []),
    ...inputs
      .filter(({ value, source }) => value !== null && (source === 'comparables' || source === 'default'))
      .map((input) => {
        const source = sourceOf(input, of).toLowerCase();
        const how = input.source === 'comparables' ? `estimated from ${source}` : source;
        return `${labelOf(input.field)}: no record; ${wordOf(input.field, input.value)} (${how}).`;
      }),
    ...warnings.filter((warning) => !isAboutChoice(warning)).map(warningText),
  ];
  return items.length === 0
    ? [paragraph('None: every fact was entered or is in the public record, and there are no warnings.')]
    : [{ kind: 'list', items }];
}

/** Warnings about which comparables were chosen stand with the changes. */
export function isAboutChoice({ field }: Pick<PropertyValue['warnings'][number], 'field'>): boolean {
  return field?.split('.')[0] === 'comparables';
}

/** `Fireplaces: No training sale has this detail, …` */
function warningText({ field, message }: PropertyValue['warnings'][number]): string {
  const member = field?.split('.').at(-1);
  return `${member ? `${labelOf(member)}: ` : ''}${readableMessage(message)}`;
}

const TYPES: Readonly<Record<string, string>> = {
  all: 'All types',
  houses: 'Houses',
  townhomes: 'Townhomes',
  condos: 'Condos',
  small_multifamily: '2–4 units',
  multifamily: '5 units or more',
  mobile: 'Mobile homes',
};

function stratumWords(stratum: string): string {
  const [type, level] = stratum.split(':');
  return [TYPES[type] ?? type, level && `${level} confidence`].filter(Boolean).join(', ');
}

/** The measured accuracy of the model: of all types, of this type, and of its confidence levels. */
export function accuracyBlocks(
  { accuracy, propertyType, model }: Pick<PropertyValue, 'accuracy' | 'propertyType' | 'model'>,
  strata: readonly StratumAccuracy[] | null,
  rows: 'sales' | 'listings',
): Block[] {
  const title = heading('Accuracy in this market');
  const listed = strata
    ?.filter(({ stratum }) => stratum === 'all' || stratum.split(':')[0] === propertyType)
    .map(accuracyMembers);
  const shown = listed && listed.length > 0 ? listed : accuracy ? [accuracy] : [];
  if (shown.length === 0) return [title, paragraph('The accuracy of the model was not measured.')];
  const [first, last] = (accuracy ?? shown[0]).window.split('/').map(formatDay);
  return [
    title,
    paragraph(
      `Measured on ${rows} from ${first} to ${last}, each valued as of its own date by a model that was trained before it. The model of this value was trained on ${formatDay(model.version)}.${accuracy ? ` This value belongs to: ${stratumWords(accuracy.stratum)}.` : ''}`,
    ),
    {
      kind: 'table',
      caption: 'Accuracy of the model by type and confidence',
      columns: [
        { label: 'Group', width: 4 },
        { label: `Holdout ${rows}`, width: 2, align: 'right' },
        { label: 'Median error', width: 2, align: 'right' },
        { label: 'Within 10%', width: 2, align: 'right' },
        { label: 'Inside the 90% range', width: 3, align: 'right' },
      ],
      rows: shown.map(({ stratum, n, mdape, ppe10, coverage_90 }) => ({
        cells: [
          stratumWords(stratum),
          formatCount(n),
          formatPercent(mdape),
          formatPercent(ppe10, 0),
          formatPercent(coverage_90, 0),
        ],
      })),
    },
  ];
}

/**
 * What identifies the valuation, the disclaimer and the assumptions. The assumptions are last, because a page can end
 * within them: the last page never has a code and nothing else.
 */
export function closingBlocks(closing: {
  readonly valuation: Pick<PropertyValue, 'valuationId' | 'model'>;
  readonly assumptions: readonly string[];
  /** Null if the public address of the server is not known. */
  readonly verifyUrl: string | null;
}): Block[] {
  const { valuation, assumptions, verifyUrl } = closing;
  const { id, version, sha256, dataSnapshot } = valuation.model;
  return [
    heading('Identification'),
    {
      kind: 'facts',
      isWide: true,
      facts: [
        ['Valuation ID', valuation.valuationId],
        ['Model', `${id}, trained on ${formatDay(version)}`],
        ['Model hash (SHA-256)', sha256],
        ['Data snapshot', dataSnapshot],
      ],
    },
    ...(verifyUrl === null ? [] : verificationBlocks(verifyUrl)),
    {
      kind: 'note',
      title: 'Not an appraisal',
      text: 'This report was computed by an automated valuation model (AVM) from the sales and public records that were loaded. Nobody inspected the property. It is not an appraisal and does not replace one where the law or a lender requires it.',
    },
    heading('Assumptions'),
    { kind: 'list', items: assumptions },
  ];
}

function verificationBlocks(url: string): Block[] {
  return [paragraph('To verify this report, scan the code or open'), { kind: 'link', url }, qrFigure(url)];
}
