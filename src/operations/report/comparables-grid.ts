import type { AdjustmentField } from '../../domain/adjustment-fields.ts';
import {
  formatChangeUsd,
  formatCount,
  formatDay,
  formatPercent,
  formatUsd,
  UNKNOWN,
} from '../../domain/display-format.ts';
import { labelOf, wordOf } from '../../domain/field-words.ts';
import { ATTRIBUTES, type Attributes, type OwnFeatures } from '../../domain/property.ts';
import { NEIGHBORHOOD } from '../../domain/own-features.ts';
import { PROPERTY_TYPE_LABELS, type PropertyType } from '../../domain/property-types.ts';
import type { Cell, TableBlock } from '../../reports/document.ts';
import { detailWords, isEstimate, otherDetails, type OtherDetail } from '../../domain/other-details.ts';
import { formatProximity } from '../../domain/compass-direction.ts';
import { fieldNameOf } from '../../schemas/field-names.ts';
import type { PropertyValue, SaleComparable } from '../valuation-types.ts';
import type { ComparableRecord } from '../property/comparable-records.ts';
import { nameOfSale } from './report-sections.ts';

/** The appraisal form has three comparables beside the subject. */
const PER_TABLE = 3;

/** A home in the grid: the subject, or a comparable. */
interface GridHome {
  readonly type: PropertyType;
  readonly attributes: Partial<Attributes>;
  readonly features: OwnFeatures;
  /** Undefined of the subject, and if the data was pruned. */
  readonly priorSale?: Sale | null;
  readonly knownDetails?: ComparableRecord['knownDetails'];
}

type Sale = Pick<NonNullable<ComparableRecord['priorSale']>, 'saleDate' | 'salePrice'>;

interface GridRow {
  readonly label: string;
  readonly subject: (home: GridHome, subject: Subject) => string;
  readonly comparable: (home: GridHome, comparable: SaleComparable, subject: Subject) => string;
  /** Adjustments that belong to the row. */
  readonly fields?: readonly AdjustmentField[];
  readonly isTotal?: true;
}

interface Subject {
  readonly address: string;
  readonly postalCode: string | null;
  readonly location: Parameters<typeof formatProximity>[1];
  readonly home: GridHome;
  readonly value: PropertyValue;
  /** Its own sales known on the as-of date, oldest first. Null if the data was pruned. */
  readonly ownSales: readonly Sale[] | null;
  /** The amounts that a challenge replaced: id of the comparable and line, separated by a space. */
  readonly replaced: ReadonlySet<string>;
}

const none = (): string => '';

/** The same for the subject and the comparables. */
function both(
  label: string,
  of: (home: GridHome) => string,
  fields: readonly AdjustmentField[] = [],
): GridRow {
  return { label, subject: of, comparable: of, fields };
}

const yesNo = (value: number | null | undefined, yes: string, no = 'None'): string =>
  value === null || value === undefined ? UNKNOWN : value >= 0.5 ? yes : no;

const count = (value: number | null | undefined): string => formatCount(value);

/** A feature of the market whose name says that it is what the row is about. */
function featureNamed(pattern: RegExp): (home: GridHome) => string {
  return ({ features }) => {
    const name = Object.keys(features).find((one) => pattern.test(one));
    return name === undefined ? UNKNOWN : features[name];
  };
}

const neighborhoodOf = featureNamed(NEIGHBORHOOD);

const outdoors = ({ attributes: { hasPorch, hasDeck, hasPool } }: GridHome): string => {
  if ([hasPorch, hasDeck, hasPool].every((value) => value === null || value === undefined)) return UNKNOWN;
  const has = [hasPorch && 'Porch', hasDeck && 'Deck', hasPool && 'Pool'].filter(Boolean);
  return has.length === 0 ? 'None' : has.join(', ');
};

/** Every row, in the order of the appraisal form (Fannie Mae form 1004). */
const ROWS: readonly GridRow[] = [
  {
    label: 'Address',
    subject: (_, { address }) => address,
    comparable: (_, comparable) => nameOfSale(comparable),
  },
  {
    label: 'Proximity',
    subject: none,
    comparable: (_, one, { location }) => formatProximity(one.distanceMi, location, one),
  },
  { label: 'Sale price', subject: none, comparable: (_, { salePrice }) => formatUsd(salePrice) },
  {
    label: 'Price per sq ft',
    subject: none,
    comparable: (_, { pricePerSqft }) => (pricePerSqft === null ? UNKNOWN : `$${pricePerSqft.toFixed(2)}`),
  },
  {
    label: 'Data source',
    subject: none,
    comparable: (_, { choice, source: { name, recordId } }) =>
      choice === 'added' ? 'Given with the challenge' : [name, recordId].filter(Boolean).join(', '),
  },
  {
    label: 'Date of sale / time',
    subject: (_, { value }) => formatDay(value.asOfDate),
    comparable: (_, { saleDate }) => formatDay(saleDate),
    fields: ['market_conditions'],
  },
  {
    label: 'Prior sale',
    subject: (_, { ownSales, value }) => priorSalesText(ownSales, value.asOfDate),
    comparable: ({ priorSale }) =>
      priorSale === undefined ? UNKNOWN : priorSale === null ? 'None on record' : saleText(priorSale),
  },
  {
    label: 'Location',
    subject: (home, { postalCode }) => locationText(home, postalCode),
    comparable: (home, { postalCode }) => locationText(home, postalCode),
    fields: ['location'],
  },
  both('Site', ({ attributes: { lotSizeSqft } }) => wordOrDash('lot_size', lotSizeSqft), ['site']),
  both('View', featureNamed(/view/i)),
  both('Design (style)', ({ type, attributes: { stories } }) =>
    [PROPERTY_TYPE_LABELS[type], stories ? `${count(stories)} story` : ''].filter(Boolean).join(', '),
  ),
  both('Quality', featureNamed(/quality|grade/i)),
  {
    label: 'Actual age',
    subject: ({ attributes: { yearBuilt } }, { value }) => ageOn(yearBuilt, value.asOfDate),
    comparable: ({ attributes: { yearBuilt } }, { saleDate, adjustments }) => {
      const age = adjustments.find(({ field }) => field === 'age')?.comp;
      return typeof age === 'number' && yearBuilt ? `${age} years` : ageOn(yearBuilt, saleDate);
    },
    fields: ['age'],
  },
  both('Condition', ({ attributes: { condition } }) => wordOrDash('condition', condition), ['condition']),
  both('Room count: bedrooms', ({ attributes: { bedrooms } }) => count(bedrooms), ['bedrooms']),
  both('Room count: baths', ({ attributes: { bathrooms } }) => count(bathrooms), ['baths']),
  both(
    'Gross living area',
    ({ attributes: { livingAreaSqft } }) => wordOrDash('living_area', livingAreaSqft),
    ['living_area'],
  ),
  both('Basement', ({ attributes: { hasBasement } }) => yesNo(hasBasement, 'Basement')),
  both('Heating / cooling', ({ attributes: { hasCentralAir } }) =>
    yesNo(hasCentralAir, 'Central air', 'No central air'),
  ),
  both('Garage', ({ attributes: { garageSpaces } }) =>
    garageSpaces === 0 ? 'None' : garageSpaces ? `${count(garageSpaces)} car` : UNKNOWN,
  ),
  both('Porch, deck, pool', outdoors),
  {
    label: 'Other features',
    subject: none,
    comparable: ({ knownDetails = null }, { adjustments }) => otherText(adjustments, knownDetails),
    fields: ['other'],
  },
  { label: 'Unexplained', subject: none, comparable: none, fields: ['unexplained'] },
];

function locationText(home: GridHome, postalCode: string | null): string {
  const neighborhood = neighborhoodOf(home);
  const parts = [
    neighborhood === UNKNOWN ? '' : `Neighborhood ${neighborhood}`,
    postalCode ? `ZIP ${postalCode}` : '',
  ];
  return parts.filter(Boolean).join(', ') || UNKNOWN;
}

/** ` (added)`, ` (pinned)`: that the comparable was chosen, not found by similarity. */
export function choiceText({ choice }: Pick<SaleComparable, 'choice'>): string {
  return choice === undefined || choice === 'similar' ? '' : ` (${choice})`;
}

function saleText({ salePrice, saleDate }: Sale): string {
  return `${formatUsd(salePrice)}, ${formatDay(saleDate)}`;
}

/** Appraisals report the subject's sales of this many years. */
const SUBJECT_YEARS = 3;

function priorSalesText(sales: readonly Sale[] | null, asOfDate: string): string {
  if (sales === null) return UNKNOWN;
  const since = `${Number(asOfDate.slice(0, 4)) - SUBJECT_YEARS}${asOfDate.slice(4)}`;
  const recent = sales.filter(({ saleDate }) => saleDate >= since).map(saleText);
  return recent.length === 0 ? `None in ${SUBJECT_YEARS} years` : recent.toReversed().join('; ');
}

/** Details that are unknown of the subject are one list, which is shorter, so that two grids fit on a page. */
function otherText(adjustments: SaleComparable['adjustments'], known: ReadonlySet<string> | null): string {
  const line = adjustments.find(({ field }) => field === 'other');
  const details = line ? otherDetails(line) : [];
  const marked = details.map((detail) =>
    isEstimate(detail.field, known) ? { ...detail, comp: `${detail.comp} (estimated)` } : detail,
  );
  const unknown = marked.filter(isUnknown).map(({ field, comp }) => `${labelOf(field)} ${comp}`);
  const texts = marked.filter((detail) => !isUnknown(detail)).map(detailWords);
  if (unknown.length > 0) texts.push(`Unknown of the subject: ${unknown.join(', ')}`);
  return texts.join('; ');
}

function isUnknown({ field, subject }: OtherDetail): boolean {
  return subject === wordOf(field, null);
}

function wordOrDash(field: string, value: number | null | undefined): string {
  return value === null || value === undefined ? UNKNOWN : wordOf(field, value);
}

function ageOn(yearBuilt: number | null | undefined, day: string): string {
  return yearBuilt ? `${Math.max(0, Number(day.slice(0, 4)) - yearBuilt)} years` : UNKNOWN;
}

/** The sales comparison grid: three comparables in each table, as on the form. */
export function comparablesGrid(
  subject: Subject,
  comparables: readonly SaleComparable[],
  records: ReadonlyMap<string, ComparableRecord>,
): TableBlock[] {
  const tables = Math.ceil(comparables.length / PER_TABLE);
  return Array.from({ length: tables }, (_, at) =>
    gridTable(subject, comparables.slice(at * PER_TABLE, (at + 1) * PER_TABLE), at * PER_TABLE + 1, records),
  );
}

function gridTable(
  subject: Subject,
  comparables: readonly SaleComparable[],
  firstNumber: number,
  records: ReadonlyMap<string, ComparableRecord>,
): TableBlock {
  const homes = comparables.map((one) => homeOf(one, records.get(one.compId)));
  const last = firstNumber + comparables.length - 1;
  const numbers = last === firstNumber ? `Comparable ${last}` : `Comparables ${firstNumber} to ${last}`;
  // A table with fewer comparables is as wide as the others.
  const blank = Array.from({ length: PER_TABLE - comparables.length }, () => '');
  return {
    kind: 'table',
    caption: numbers,
    hasVisibleCaption: true,
    isDense: true,
    columns: [
      { label: 'Feature', width: 82 },
      { label: 'Subject', width: 92 },
      ...comparables.map((one, at) => ({
        label: `Comparable ${firstNumber + at}${choiceText(one)}`,
        width: 122,
      })),
      ...blank.map(() => ({ label: '', width: 122 })),
    ],
    rows: [
      ...ROWS.map((row, i) => ({
        cells: [
          row.label,
          subjectText(row, subject),
          ...comparables.map((one, at): Cell => cellOf(row, homes[at], one, subject)),
          ...blank,
        ],
        // The addresses.
        ...(i === 0 && { isRepeated: true as const }),
      })),
      totalRow('Net adjustment', comparables, blank, ({ adjustments }) => ({
        text: '',
        amount: formatChangeUsd(adjustments.reduce((sum, { amount }) => sum + amount, 0)),
      })),
      totalRow(
        'Adjusted sale price',
        comparables,
        blank,
        ({ adjustedPrice, netAdjustmentPct, grossAdjustmentPct }) => ({
          text: `Net ${percent(netAdjustmentPct)}, gross ${percent(grossAdjustmentPct)}`,
          amount: formatUsd(adjustedPrice),
        }),
      ),
      {
        cells: ['Weight', '', ...comparables.map(({ weight }) => formatPercent(weight)), ...blank],
      },
    ],
  };
}

/** The record's fact; an estimate, marked as one, if the record does not have it. */
function subjectText(row: GridRow, subject: Subject): string {
  const { home, value } = subject;
  const text = row.subject(home, subject);
  if (text !== UNKNOWN) return text;
  const used = new Map(value.inputs.map((input) => [input.field, input.value]));
  const estimates = ATTRIBUTES.map((attribute) => {
    const estimate = used.get(fieldNameOf(attribute)) ?? null;
    return [attribute, estimate === null ? null : Number(estimate)] as const;
  });
  const estimated = row.subject({ ...home, attributes: Object.fromEntries(estimates) }, subject);
  return estimated === UNKNOWN ? UNKNOWN : `${estimated}, estimated`;
}

/** A sale that the user added can lack details, for which the adjustments use estimates. */
function comparableText(row: GridRow, home: GridHome, comparable: SaleComparable, subject: Subject): string {
  const text = row.comparable(home, comparable, subject);
  const [field] = row.fields ?? [];
  const used = comparable.adjustments.find((line) => line.field === field)?.comp ?? null;
  return text === UNKNOWN && field && used !== null ? `${wordOf(field, used)}, estimated` : text;
}

function cellOf(row: GridRow, home: GridHome, comparable: SaleComparable, subject: Subject): Cell {
  const text = comparableText(row, home, comparable, subject);
  const amounts = comparable.adjustments.filter(({ field }) => row.fields?.includes(field));
  if (amounts.length === 0) return text;
  const isReplaced = amounts.some(({ field }) => subject.replaced.has(`${comparable.compId} ${field}`));
  return {
    text: isReplaced ? [text, 'amount overridden'].filter(Boolean).join(', ') : text,
    amount: formatChangeUsd(amounts.reduce((sum, { amount }) => sum + amount, 0)),
  };
}

function totalRow(
  label: string,
  comparables: readonly SaleComparable[],
  blank: readonly string[],
  of: (comparable: SaleComparable) => Cell,
) {
  return { cells: [label, '', ...comparables.map(of), ...blank], isTotal: true as const };
}

function percent(value: number): string {
  return `${value.toFixed(1).replace('-', '−')}%`;
}

/** The details of the data, or those of the response if the data was pruned. */
function homeOf(comparable: SaleComparable, record: ComparableRecord | undefined): GridHome {
  const { propertyType: type, numStories: stories, condition, yearBuilt } = comparable;
  const { bedrooms, bathrooms, livingArea: livingAreaSqft, lotSize: lotSizeSqft } = comparable;
  const attributes = { bedrooms, bathrooms, livingAreaSqft, lotSizeSqft, yearBuilt, stories, condition };
  return { type, attributes, features: {}, ...record };
}
