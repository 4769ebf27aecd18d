import type { RentComparable, SaleComparable } from '../../api/valuations.ts';
import { formatCount } from '../../parts/format.ts';

/** A comparable in the grid, whether it was sold or is let: a price, its lines, and the price that speaks for the subject. */
export interface GridRow {
  readonly id: string;
  readonly number: number;
  readonly title: string;
  readonly note: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly distanceMi: number;
  readonly date: string;
  readonly price: number;
  /** By field; a field that does not differ has none. */
  readonly lines: ReadonlyMap<string, Line>;
  readonly adjusted: number;
  readonly similarity: number;
  readonly weight: number;
  readonly source: string | null;
}

export interface Line {
  readonly amount: number;
  readonly subject: number | string | null;
  readonly comp: number | string | null;
}

export interface Grid {
  readonly rows: readonly GridRow[];
  /** Fields of which any row has a line: time first, place last, between them those that move most. */
  readonly fields: readonly string[];
  /** Of the rows listed; 1 where they are all that the estimator rests on. */
  readonly weight: number;
  /** Σ weight · adjusted price, whole dollars. */
  readonly weighted: number;
}

/** A column of lines: one of its own, or those that move least together, so that every row adds up at a glance. */
export type GridColumn =
  | { readonly kind: 'line'; readonly field: string }
  | { readonly kind: 'rest'; readonly fields: readonly string[] };

/** Between time and place so many lines have a column at first: with them the grid fits a screen of 1280 px. */
const COLUMNS_AT_FIRST = 4;

/** Weights of the rows listed that make the whole estimator, but for the last bits of a sum. */
const WHOLE = 1 - 1e-9;

export function saleGrid(items: readonly SaleComparable[]): Grid {
  return gridOf(
    items.map((item, i) => ({
      ...rowOf(item, i),
      date: item.sale_date,
      price: item.sale_price,
      adjusted: item.adjusted_price,
    })),
  );
}

/** Of those that are compared with one of the units: each is adjusted to units like it. */
export function rentGrid(items: readonly RentComparable[], unit: number): Grid {
  return gridOf(
    items
      .filter((item) => item.unit_index.includes(unit))
      .map((item, i) => ({
        ...rowOf(item, i),
        date: item.listed_date,
        price: item.rent,
        adjusted: item.adjusted_rent,
      })),
  );
}

function rowOf(
  item: SaleComparable | RentComparable,
  at: number,
): Omit<GridRow, 'date' | 'price' | 'adjusted'> {
  const rooms = [
    item.bedrooms === null ? null : `${item.bedrooms} bed`,
    item.bathrooms === null ? null : `${item.bathrooms} bath`,
    item.living_area === null ? null : `${formatCount(item.living_area)} sq ft`,
    item.year_built === null ? null : `built ${item.year_built}`,
  ];
  return {
    id: item.comp_id,
    number: at + 1,
    title: item.street_address ?? item.formatted_address ?? item.comp_id,
    note: rooms.filter((part) => part !== null).join(' · '),
    latitude: item.latitude,
    longitude: item.longitude,
    distanceMi: item.distance_mi,
    lines: new Map(
      item.adjustments.map(({ field, amount, subject, comp }) => [field, { amount, subject, comp }]),
    ),
    similarity: item.similarity,
    weight: item.weight,
    source: item.source.name,
  };
}

function gridOf(rows: readonly GridRow[]): Grid {
  const moved = new Map<string, number>();
  for (const { lines } of rows) {
    for (const [field, { amount }] of lines) moved.set(field, (moved.get(field) ?? 0) + Math.abs(amount));
  }
  const between = [...moved]
    .filter(([field]) => !isAtTheEdge(field))
    .toSorted((a, b) => b[1] - a[1])
    .map(([field]) => field);
  return {
    rows,
    fields: [
      ...(moved.has('time') ? ['time'] : []),
      ...between,
      ...(moved.has('location') ? ['location'] : []),
    ],
    weight: rows.reduce((sum, { weight }) => sum + weight, 0),
    weighted: Math.round(rows.reduce((sum, { weight, adjusted }) => sum + weight * adjusted, 0)),
  };
}

export function isWhole({ weight }: Grid): boolean {
  return weight >= WHOLE;
}

/** The columns of the grid at first, or all of them. A rest of one line would be as wide as the line. */
export function columnsOf({ fields }: Pick<Grid, 'fields'>, isWholeShown: boolean): GridColumn[] {
  const lineOf = (field: string): GridColumn => ({ kind: 'line', field });
  const between = fields.filter((field) => !isAtTheEdge(field));
  if (isWholeShown || between.length <= COLUMNS_AT_FIRST + 1) return fields.map(lineOf);
  const rest = between.slice(COLUMNS_AT_FIRST);
  const shown = fields.filter((field) => !rest.includes(field));
  const at = shown.filter((field) => field !== 'location').length;
  return [...shown.slice(0, at).map(lineOf), { kind: 'rest', fields: rest }, ...shown.slice(at).map(lineOf)];
}

function isAtTheEdge(field: string): boolean {
  return field === 'time' || field === 'location';
}

/** What the fields move the row together, and how many of them do. */
export function restOf(
  { lines }: Pick<GridRow, 'lines'>,
  fields: readonly string[],
): { readonly amount: number; readonly count: number } {
  const amounts = fields.flatMap((field) => lines.get(field)?.amount ?? []);
  return { amount: amounts.reduce((sum, amount) => sum + amount, 0), count: amounts.length };
}
