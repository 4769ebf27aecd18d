import type { RentComparable, SaleComparable } from '../../api/valuations.ts';
import { roomsText } from './fields.ts';

/** A comparable sale or listing: its price, the adjustments, and the adjusted price. */
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
  /** By field. A field that does not differ has no adjustment. */
  readonly lines: ReadonlyMap<string, Line>;
  readonly adjusted: number;
  readonly weight: number;
}

export interface Line {
  readonly amount: number;
  readonly subject: number | string | null;
  readonly comp: number | string | null;
}

export interface Grid {
  readonly rows: readonly GridRow[];
  /** Fields with an adjustment in any row: time first, location last, the others by size. */
  readonly fields: readonly string[];
  /** The sum of the listed rows' weights; 1 if they are all comparables of the estimator. */
  readonly weight: number;
  /** Σ weight · adjusted price, whole dollars. */
  readonly weighted: number;
}

/** A column of adjustments: one field, or the smallest ones together, so that every row adds up. */
export type GridColumn =
  | { readonly kind: 'line'; readonly field: string }
  | { readonly kind: 'rest'; readonly fields: readonly string[] };

/** With this many columns between time and location the grid fits a screen of 1280 px. */
const COLUMNS_AT_FIRST = 4;

/** The sum of all weights, except for floating-point error. */
const ALL_WEIGHT = 1 - 1e-9;

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

/** The listings that are compared with one unit. */
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
  const rooms = roomsText({ ...item, size: item.living_area });
  const built = item.year_built === null ? '' : `built ${item.year_built}`;
  return {
    id: item.comp_id,
    number: at + 1,
    title: item.street_address ?? item.formatted_address ?? item.comp_id,
    note: [rooms, built].filter(Boolean).join(' · '),
    latitude: item.latitude,
    longitude: item.longitude,
    distanceMi: item.distance_mi,
    lines: new Map(
      item.adjustments.map(({ field, amount, subject, comp }) => [field, { amount, subject, comp }]),
    ),
    weight: item.weight,
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

export function isComplete({ weight }: Grid): boolean {
  return weight >= ALL_WEIGHT;
}

/** The first columns of the grid, or all of them. A single remaining field gets its own column. */
export function columnsOf({ fields }: Pick<Grid, 'fields'>, hasAllFields: boolean): GridColumn[] {
  const lineOf = (field: string): GridColumn => ({ kind: 'line', field });
  const between = fields.filter((field) => !isAtTheEdge(field));
  if (hasAllFields || between.length <= COLUMNS_AT_FIRST + 1) return fields.map(lineOf);
  const rest = between.slice(COLUMNS_AT_FIRST);
  const shown = fields.filter((field) => !rest.includes(field));
  const at = shown.filter((field) => field !== 'location').length;
  return [...shown.slice(0, at).map(lineOf), { kind: 'rest', fields: rest }, ...shown.slice(at).map(lineOf)];
}

function isAtTheEdge(field: string): boolean {
  return field === 'time' || field === 'location';
}

/** The sum of a row's adjustments of some fields, and their number. */
export function restOf(
  { lines }: Pick<GridRow, 'lines'>,
  fields: readonly string[],
): { readonly amount: number; readonly count: number } {
  const amounts = fields.flatMap((field) => lines.get(field)?.amount ?? []);
  return { amount: amounts.reduce((sum, amount) => sum + amount, 0), count: amounts.length };
}
