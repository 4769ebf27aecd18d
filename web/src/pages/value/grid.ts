import { formatProximity } from '../../../../src/domain/compass-direction.ts';
import { detailWords, isEstimate, otherDetails } from '../../../../src/domain/other-details.ts';
import { saleName } from '../../../../src/domain/sale-name.ts';
import type { ExcludedSale } from '../../api/challenges.ts';
import type {
  ComparableRecord,
  RentComparable,
  SaleComparable,
  ValuationInput,
} from '../../api/valuations.ts';
import { formatDay, formatUsd } from '../../parts/format.ts';
import { sortRows, type Sorting, type SortValue } from '../../parts/sort-rows.ts';
import { roomsText, wordOf } from './fields.ts';
import { sourceWords } from './words.ts';

/** A comparable sale or listing: its price, the adjustments, and the adjusted price. */
export interface GridRow {
  readonly id: string;
  readonly number: number;
  readonly title: string;
  readonly note: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly distanceMi: number;
  /** `0.42 mi NE` */
  readonly proximity: string;
  readonly date: string;
  readonly price: number;
  /** Null for rents and where the living area is unknown. */
  readonly priceUsdPerSqft: number | null;
  /** Undefined until it is loaded, and of rents. */
  readonly record: ComparableRecord | undefined;
  /** By field. */
  readonly lines: ReadonlyMap<string, Line>;
  readonly adjusted: number;
  readonly weight: number;
  /** Why it is in the set, if the user chose it. */
  readonly choice: 'pinned' | 'added' | null;
  /** Net and gross adjustment, in percent of the price. */
  readonly totals: { readonly all: Totals; readonly withoutMarketConditions: Totals };
}

interface Totals {
  readonly net: number;
  readonly gross: number;
}

export interface Line {
  readonly amount: number;
  readonly subject: number | string | null;
  readonly comp: number | string | null;
  /** What the amount rests on where no record has the subject's value. */
  readonly estimate: Estimate | null;
  /** No record has the value of the comparable, which the user added. */
  readonly isCompEstimate: boolean;
}

/** An imputed value and its source: `15 nearby homes`. */
interface Estimate {
  readonly value: number;
  readonly source: string;
}

type Subject = Parameters<typeof formatProximity>[1];

type Estimates = ReadonlyMap<string, Estimate>;

const NO_ESTIMATES: Estimates = new Map();
const NO_RECORDS: readonly ComparableRecord[] = [];

/** The detail of the home that an adjustment is about. */
const DETAIL_OF: ReadonlyMap<string, string> = new Map(
  Object.entries({
    site: 'lot_size',
    age: 'year_built',
    condition: 'condition',
    bedrooms: 'total_bedrooms',
    baths: 'total_bathrooms',
    living_area: 'living_area',
  }),
);

/** The imputed details of the home, by the adjustment about each. */
export function estimatesOf(inputs: readonly ValuationInput[], asOf: string): Estimates {
  return new Map(
    [...DETAIL_OF].flatMap(([field, detail]) => {
      const input = inputs.find((one) => one.field === detail && one.source === 'comparables');
      if (typeof input?.value !== 'number') return [];
      const { value } = input;
      const shown = field === 'age' ? Math.max(0, Number(asOf.slice(0, 4)) - Math.round(value)) : value;
      return [[field, { value: shown, source: sourceWords(input, 'home') }] as const];
    }),
  );
}

export interface Grid {
  readonly rows: readonly GridRow[];
  /** Fields of the adjustments, in the order of the appraisal form. */
  readonly fields: readonly string[];
  /** Fields by the size of their adjustments, largest first. */
  readonly bySize: readonly string[];
  /** The sum of the listed rows' weights; 1 if they are all comparables of the estimator. */
  readonly weight: number;
  /** Σ weight · adjusted price, whole dollars. */
  readonly weighted: number;
}

/** Which rows are shown, and in what order. */
export interface GridView {
  readonly radiusMi: number | null;
  readonly months: number | null;
  readonly count: number | null;
  readonly sorting: Sorting;
}

/** The order of similarity, in which the server lists comparables. */
export const FIRST_VIEW: GridView = {
  radiusMi: null,
  months: null,
  count: null,
  sorting: { column: 'number', isDescending: false },
};

/** Other names are fields of adjustments, separated by commas. */
const SORT_VALUES: Readonly<Record<string, (row: GridRow) => SortValue>> = {
  number: ({ number }) => number,
  date: ({ date }) => date,
  distance: ({ distanceMi }) => distanceMi,
  price: ({ price }) => price,
  net: ({ totals }) => totals.all.net,
  gross: ({ totals }) => totals.all.gross,
  adjusted: ({ adjusted }) => adjusted,
  weight: ({ weight }) => weight,
};

/** The rows within the limits, sorted. The count takes the most similar ones. */
export function rowsShown({ rows }: Pick<Grid, 'rows'>, view: GridView, asOf: string): readonly GridRow[] {
  const { radiusMi, months, count, sorting } = view;
  const oldest = months === null ? '' : monthsBefore(asOf, months);
  const within = rows
    .filter(({ distanceMi, date }) => distanceMi <= (radiusMi ?? Infinity) && date >= oldest)
    .slice(0, count ?? rows.length);
  const fields = sorting.column.split(',');
  const valueOf = SORT_VALUES[sorting.column] ?? ((row) => restOf(row, fields).amount);
  return sortRows(within, valueOf, sorting.isDescending);
}

function monthsBefore(day: string, months: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() - months);
  return date.toISOString().slice(0, 10);
}

/** A column of adjustments: one field, or the smallest ones together, so that every row adds up. */
export type GridColumn =
  | { readonly kind: 'line'; readonly field: string }
  | { readonly kind: 'rest'; readonly fields: readonly string[] };

/** With this many columns between market conditions and unexplained the grid fits a screen of 1280 px. */
const COLUMNS_AT_FIRST = 3;

/** The sum of all weights, except for floating-point error. */
const ALL_WEIGHT = 1 - 1e-9;

/** @param subject where distances are measured from */
export function saleGrid(
  items: readonly SaleComparable[],
  subject: Subject,
  estimates = NO_ESTIMATES,
  records = NO_RECORDS,
): Grid {
  const recordOf = new Map(records.map((record) => [record.comp_id, record]));
  return gridOf(
    items.map((item, i) => ({
      ...rowOf(item, i, subject, estimates, recordOf.get(item.comp_id)),
      date: item.sale_date,
      price: item.sale_price,
      priceUsdPerSqft: item.price_per_sqft,
      adjusted: item.adjusted_price,
    })),
  );
}

/** The listings that are compared with one unit. */
export function rentGrid(items: readonly RentComparable[], subject: Subject, unit: number): Grid {
  return gridOf(
    items
      .filter((item) => item.unit_index.includes(unit))
      .map((item, i) => ({
        ...rowOf(item, i, subject, NO_ESTIMATES, undefined),
        date: item.listed_date,
        price: item.rent,
        priceUsdPerSqft: null,
        adjusted: item.adjusted_rent,
      })),
  );
}

/** The beginning of an address, with its unit: `1633 N Prospect Av, Unit 5B`. */
const STREET = /^[^,]*(?:, *(?:unit|apt|ste|#)[^,]*)?/i;

/** Of a comparable, or of a sale that a challenge excluded, which has no street address of its own. */
export function nameOfSale(item: SaleComparable | RentComparable | ExcludedSale): string {
  return saleName({
    id: item.comp_id,
    street: 'street_address' in item ? item.street_address : null,
    address: STREET.exec(item.formatted_address ?? '')?.[0] || null,
    addedAt: 'choice' in item && item.choice === 'added' ? item : null,
  });
}

/** `3 bed · 2 bath · 1,262 sq ft · built 1951`, as far as it is known. */
export function homeWords(
  home: Pick<SaleComparable, 'bedrooms' | 'bathrooms' | 'living_area' | 'year_built'>,
): string {
  const built = home.year_built === null ? '' : `built ${home.year_built}`;
  return [roomsText({ ...home, size: home.living_area }), built].filter(Boolean).join(' · ');
}

function rowOf(
  item: SaleComparable | RentComparable,
  at: number,
  subject: Subject,
  estimates: Estimates,
  record: ComparableRecord | undefined,
): Omit<GridRow, 'date' | 'price' | 'priceUsdPerSqft' | 'adjusted'> {
  const known = knownDetailsOf({ record });
  return {
    id: item.comp_id,
    number: at + 1,
    title: nameOfSale(item),
    note: homeWords(item),
    latitude: item.latitude,
    longitude: item.longitude,
    distanceMi: item.distance_mi,
    proximity: formatProximity(item.distance_mi, subject, item),
    lines: new Map(
      item.adjustments.map(({ field, amount, subject, comp }) => {
        const estimate = subject === null && comp !== null ? (estimates.get(field) ?? null) : null;
        const detail = DETAIL_OF.get(field);
        const isCompEstimate = detail !== undefined && comp !== null && isEstimate(detail, known);
        return [field, { amount, subject, comp, estimate, isCompEstimate }];
      }),
    ),
    record,
    weight: item.weight,
    choice: 'choice' in item && item.choice && item.choice !== 'similar' ? item.choice : null,
    totals: {
      all: { net: item.net_adjustment_pct, gross: item.gross_adjustment_pct },
      withoutMarketConditions: {
        net: item.net_adjustment_pct_without_market_conditions,
        gross: item.gross_adjustment_pct_without_market_conditions,
      },
    },
  };
}

function gridOf(rows: readonly GridRow[]): Grid {
  const moved = new Map<string, number>();
  for (const { lines } of rows) {
    for (const [field, { amount }] of lines) moved.set(field, (moved.get(field) ?? 0) + Math.abs(amount));
  }
  return {
    rows,
    fields: [...moved.keys()],
    bySize: [...moved].toSorted((a, b) => b[1] - a[1]).map(([field]) => field),
    weight: rows.reduce((sum, { weight }) => sum + weight, 0),
    weighted: Math.round(rows.reduce((sum, { weight, adjusted }) => sum + weight * adjusted, 0)),
  };
}

export function isComplete({ weight }: Grid): boolean {
  return weight >= ALL_WEIGHT;
}

/** The columns of the largest adjustments, or all. A single remaining field gets its own column. */
export function columnsOf(
  { fields, bySize }: Pick<Grid, 'fields' | 'bySize'>,
  hasAllFields: boolean,
): GridColumn[] {
  const lineOf = (field: string): GridColumn => ({ kind: 'line', field });
  const rest = bySize.filter((field) => !ALWAYS_SHOWN.has(field)).slice(COLUMNS_AT_FIRST);
  if (hasAllFields || rest.length <= 1) return fields.map(lineOf);
  const smallest = fields.filter((field) => rest.includes(field));
  const shown = fields.filter((field) => !rest.includes(field));
  const at = shown.filter((field) => field !== 'unexplained').length;
  return [
    ...shown.slice(0, at).map(lineOf),
    { kind: 'rest', fields: smallest },
    ...shown.slice(at).map(lineOf),
  ];
}

const ALWAYS_SHOWN: ReadonlySet<string> = new Set(['market_conditions', 'unexplained']);

/** What the two homes have: `939 → 876 sq ft`; null if it is not known of either. Estimates are marked. */
export function differenceText(
  field: string,
  { subject, comp, estimate, isCompEstimate }: Line,
): string | null {
  // Unknown details are shown as unknown.
  if (!DETAIL_OF.has(field) && subject === null && comp === null) return null;
  const [of, to] = [wordOf(field, comp), wordOf(field, subject ?? estimate?.value ?? null)];
  const [unit = ''] = / (sq ft|years)$/.exec(to) ?? [];
  if (of === to && !estimate && !isCompEstimate) return of;
  return `${marked(of.replace(unit, ''), isCompEstimate)} → ${marked(to, estimate !== null)}`;
}

/** `1,939 est.` */
function marked(text: string, isEstimated: boolean): string {
  return isEstimated ? `${text} est.` : text;
}

/** The details of the line “other”: `Deck or balcony: no est. → yes` */
export function otherTexts({ lines, record }: Pick<GridRow, 'lines' | 'record'>): string[] {
  const line = lines.get('other');
  const known = knownDetailsOf({ record });
  return (line ? otherDetails(line) : []).map((detail) =>
    detailWords({ ...detail, comp: marked(detail.comp, isEstimate(detail.field, known)) }),
  );
}

function knownDetailsOf({ record }: Pick<GridRow, 'record'>): ReadonlySet<string> | null {
  return record?.known_details ? new Set(record.known_details) : null;
}

/** Net and gross adjustment, in percent of the price: `−2.1%, 8.4%` */
export function totalsText({ net, gross }: GridRow['totals']['all']): string {
  return `${net < 0 ? '−' : ''}${Math.abs(net).toFixed(1)}%, ${gross.toFixed(1)}%`;
}

/** `prior sale Mar 3, 2019 · $185,000`; null while it is not known. */
export function priorSaleText({ record }: Pick<GridRow, 'record'>): string | null {
  if (!record) return null;
  const { prior_sale: sale } = record;
  if (!sale) return 'no prior sale on record';
  return `prior sale ${formatDay(sale.sale_date)} · ${formatUsd(sale.sale_price)}`;
}

/** The smallest, the middle and the largest adjusted price. */
export function adjustedRange({ rows }: Pick<Grid, 'rows'>) {
  const sorted = rows.map(({ adjusted }) => adjusted).toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const [below, above] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
  return { least: sorted[0], median: Math.round((below + above) / 2), most: sorted[sorted.length - 1] };
}

/** The sum of a row's adjustments of some fields, and their number. */
export function restOf(
  { lines }: Pick<GridRow, 'lines'>,
  fields: readonly string[],
): { readonly amount: number; readonly count: number } {
  const amounts = fields.flatMap((field) => lines.get(field)?.amount ?? []);
  return { amount: amounts.reduce((sum, amount) => sum + amount, 0), count: amounts.length };
}
