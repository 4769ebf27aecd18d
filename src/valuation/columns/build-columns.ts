import { addMonths, dayOf, yearMonthOf, type Day } from '../../domain/day.ts';
import { featureTextKey } from '../../domain/own-features.ts';
import { PROPERTY_TYPES } from '../../domain/property.ts';
import { RENT_FEATURES, type RentListing } from '../../domain/rent.ts';
import type { Sale } from '../../domain/sale.ts';
import { flagRents } from '../flags/flag-rents.ts';
import { flagSales } from '../flags/flag-sales.ts';
import {
  buildColumns,
  compareText,
  stringColumnOf,
  appendTexts,
  joinColumns,
  selectRows,
  textAt,
  type ColumnSchema,
  type ColumnsOf,
} from '../typed-columns.ts';
import {
  codeParcels,
  ATTRIBUTE_COLUMNS,
  mapTexts,
  NEVER,
  type FeatureColumn,
  type SaleColumns,
  SALE_COLUMNS,
} from './sale-columns.ts';

/** Days from closing to the public record where no recording date is given (backtest default too). */
export const RECORDING_LAG_DAYS = 14;

/**
 * First day on which a sale is on record: its recording date, else closing + lag. A closing known
 * by month counts from the month's last day, so that nothing is available before it happened. Lag 0
 * means "available on the date as written", for months too, as published comparison tables assume.
 */
export function availableOnOf(
  sale: Pick<Sale, 'soldOn' | 'recordedOn' | 'datePrecision'>,
  recordingLagDays: number,
): Day {
  if (sale.recordedOn !== null) return Math.max(sale.soldOn, sale.recordedOn);
  if (sale.datePrecision !== 'month' || recordingLagDays === 0) return sale.soldOn + recordingLagDays;
  const { year, month } = yearMonthOf(sale.soldOn);
  return addMonths(dayOf(year, month, 1), 1) - 1 + recordingLagDays;
}

/** The sales of one market as columns, sorted and flagged. */
export function buildSaleColumns(
  sales: readonly Sale[],
  { recordingLagDays }: Pick<SaleColumns, 'recordingLagDays'>,
): SaleColumns {
  const { rows, columns } = assembleColumns(sales, recordingLagDays);
  return {
    ...columns,
    kind: 'sales',
    parcel: codeParcels({ ...columns, kind: 'sales' }),
    lastSeenOn: null,
    ...flagSales(rows, columns),
  };
}

/** The columns that sales and listings share, and the rows in column order. */
function assembleColumns<Row extends Sale>(
  sales: readonly Row[],
  recordingLagDays: number,
): { rows: Row[]; columns: Omit<SaleColumns, 'kind' | 'parcel' | 'lastSeenOn' | 'flag' | 'flaggedOn'> } {
  const sorted = sales
    .map((sale) => ({ sale, availableOn: availableOnOf(sale, recordingLagDays) }))
    .sort(
      (a, b) =>
        a.availableOn - b.availableOn ||
        a.sale.soldOn - b.sale.soldOn ||
        compareText(a.sale.recordId, b.sale.recordId),
    );
  const rows = sorted.map(({ sale }) => sale);
  const n = rows.length;
  const columns = {
    n,
    recordingLagDays,
    ...mapTexts((name) =>
      stringColumnOf(
        rows.map((sale) =>
          name === 'recordId' || name === 'parcelId' ? (sale[name] ?? '') : sale.address[name],
        ),
      ),
    ),
    soldOn: fillColumn(new Int32Array(n), rows, (sale) => sale.soldOn),
    availableOn: fillColumn(new Int32Array(n), sorted, ({ availableOn }) => availableOn),
    priceUsd: fillColumn(new Float64Array(n), rows, (sale) => sale.priceUsd),
    lat: fillColumn(new Float64Array(n), rows, (sale) => sale.lat),
    lon: fillColumn(new Float64Array(n), rows, (sale) => sale.lon),
    type: fillColumn(new Uint8Array(n), rows, (sale) => PROPERTY_TYPES.indexOf(sale.type)),
    attributes: buildColumns(ATTRIBUTE_COLUMNS, n, (name, row) => rows[row].attributes[name] ?? Number.NaN),
    features: featureColumns(rows),
    armsLength: fillColumn(new Uint8Array(n), rows, ({ isArmsLength }) =>
      isArmsLength === null ? 2 : Number(isArmsLength),
    ),
  };
  return { rows, columns };
}

/** 20 times as fast as `Array.from` with a function, which is seconds on a large county. */
function fillColumn<A extends Int32Array | Uint8Array | Float32Array | Float64Array, T>(
  array: A,
  items: readonly T[],
  valueOf: (item: T) => number,
): A {
  for (let i = 0; i < items.length; i++) array[i] = valueOf(items[i]);
  return array;
}

/** Levels are coded and spelled by their first appearance; columns are sorted by name. */
function featureColumns(sales: readonly Sale[]): FeatureColumn[] {
  const names = new Set<string>();
  for (const sale of sales) for (const name of Object.keys(sale.features)) names.add(name);
  return [...names].sort().map((name) => {
    return extendFeature({ name, levels: [], codes: new Int32Array(0) }, sales.length, (row) => {
      return sales[row].features[name];
    });
  });
}

/** The column with further rows, up to `n`. */
export function extendFeature(
  { name, levels: before, codes: known }: FeatureColumn,
  n: number,
  textOf: (row: number) => string | undefined,
): FeatureColumn {
  const levels = [...before];
  const codeOf = levelCoder(levels);
  const codes = new Int32Array(n);
  codes.set(known);
  for (let row = known.length; row < n; row++) codes[row] = codeOf(textOf(row));
  return { name, levels, codes };
}

/** The code of a text, −1 for none. A new text is added to the levels. */
function levelCoder(levels: string[]): (text: string | undefined) => number {
  const codeOfText = new Map<string, number>();
  const codeOfKey = new Map(levels.map((level, code) => [featureTextKey(level), code]));
  return (text) => {
    if (text === undefined || text === '') return -1;
    let code = codeOfText.get(text);
    if (code !== undefined) return code;
    const key = featureTextKey(text);
    code = codeOfKey.get(key) ?? levels.push(text) - 1;
    codeOfKey.set(key, code);
    codeOfText.set(text, code);
    return code;
  };
}

/**
 * The listings of one market as columns. A listing is available on the day it is listed; where only
 * the month is known, on the month's last day. Furniture and parking become features.
 */
export function buildRentColumns(listings: readonly RentListing[]): SaleColumns {
  const sales = listings.map((listing) => ({ ...saleOfListing(listing), listing }));
  const { rows, columns } = assembleColumns(sales, 0);
  const sorted = rows.map(({ listing }) => listing);
  const parcel = codeParcels({ ...columns, kind: 'rents' });
  return {
    ...columns,
    kind: 'rents',
    parcel,
    lastSeenOn: fillColumn(new Int32Array(sorted.length), sorted, ({ lastSeenOn }) => lastSeenOn ?? NEVER),
    ...flagRents(sorted, { ...columns, parcel }),
  };
}

function saleOfListing(listing: RentListing): Sale {
  const { recordId, parcelId, listedOn, datePrecision, rentUsd, address, lat, lon, type, attributes } =
    listing;
  return {
    recordId,
    parcelId,
    soldOn: listedOn,
    recordedOn: datePrecision === 'month' ? addMonths(listedOn, 1) - 1 : listedOn,
    datePrecision,
    priceUsd: rentUsd,
    address,
    lat,
    lon,
    type,
    attributes,
    features: {
      ...listing.features,
      ...yesNo(RENT_FEATURES.isFurnished, listing.isFurnished),
      ...yesNo(RENT_FEATURES.hasParking, listing.hasParking),
    },
    isArmsLength: null,
  };
}

function yesNo(name: string, value: boolean | null): Record<string, string> {
  return value === null ? {} : { [name]: value ? '1' : '0' };
}

/**
 * The columns a model was trained on, followed by the sales of a newer snapshot that sort after its last one.
 *
 * A model keeps numbers for each training row, so its rows must keep their positions. Sales imported since then
 * that were available before the last training sale (late corrections, back-fills) wait for the next training;
 * everything newer can be a comparable at once.
 */
export function extendColumns(trained: SaleColumns, newest: SaleColumns): SaleColumns {
  const added = rowsAfter(trained, newest);
  if (added.length === 0) return trained;
  const extend = <Schema extends ColumnSchema>(
    schema: Schema,
    head: ColumnsOf<Schema>,
    tail: ColumnsOf<Schema>,
  ) => joinColumns(schema, [head, selectRows(schema, tail, added)]);
  const [seen, seenNow] = [trained.lastSeenOn, newest.lastSeenOn];
  const extended = {
    ...extend(SALE_COLUMNS, trained, newest),
    ...mapTexts((name) => appendTexts(trained[name], newest[name], added)),
    n: trained.n + added.length,
    kind: trained.kind,
    recordingLagDays: trained.recordingLagDays,
    attributes: extend(ATTRIBUTE_COLUMNS, trained.attributes, newest.attributes),
    features: trained.features.map((feature) => appendFeature(feature, newest, added)),
    lastSeenOn: seen && seenNow ? extend({ day: 'int32' }, { day: seen }, { day: seenNow }).day : null,
    // Reviews are applied when a market is trained, so newer sales have none yet.
    ...(trained.reviews && { reviews: trained.reviews }),
  };
  return { ...extended, parcel: codeParcels(extended, trained.parcel) };
}

/** Rows of `newest` that sort after the last row of `trained`: always its last rows. */
function rowsAfter(trained: SaleColumns, newest: SaleColumns): number[] {
  const rows = [...newest.soldOn.keys()];
  if (trained.n === 0) return rows;
  const last = trained.n - 1;
  const orderOf = (row: number): number =>
    newest.availableOn[row] - trained.availableOn[last] ||
    newest.soldOn[row] - trained.soldOn[last] ||
    compareText(textAt(newest.recordId, row), textAt(trained.recordId, last));
  return rows.filter((row) => orderOf(row) > 0);
}

/** Levels are matched by their text, since each import numbers them from 0. */
function appendFeature(feature: FeatureColumn, newest: SaleColumns, rows: readonly number[]): FeatureColumn {
  const before = feature.codes.length;
  const source = newest.features.find(({ name }) => name === feature.name);
  return extendFeature(feature, before + rows.length, (row) => {
    return source?.levels[source.codes[rows[row - before]]];
  });
}

/** Number of earlier months with sales that are checked for how a market writes its dates. */
const MONTHS_BEFORE = 12;
/** Minimum number of sales in those months. */
const FEWEST_SALES = 20;

/**
 * First days of months on which a sale's date gives the month only, because the publisher writes
 * the first where the day is unknown. A first means the month only if all sales of the 12 latest
 * earlier months with sales are also dated the first (in Milwaukee's 2004–2018 all are; where days
 * are known, 1 sale in 30 is on a first). Only earlier months count, so a later sale changes no decision.
 * Sales with a recording date are skipped: their day of sale matters little.
 */
export function findMonthOnlyFirsts(
  sales: Iterable<Pick<Sale, 'soldOn' | 'recordedOn' | 'datePrecision'>>,
): ReadonlySet<Day> {
  const countOfMonth = new Map<Day, { sales: number; onFirst: number }>();
  for (const { soldOn, recordedOn, datePrecision } of sales) {
    if (recordedOn !== null || datePrecision === 'none') continue;
    const { year, month } = yearMonthOf(soldOn);
    const first = dayOf(year, month, 1);
    const count = countOfMonth.get(first) ?? { sales: 0, onFirst: 0 };
    countOfMonth.set(first, count);
    count.sales++;
    if (soldOn === first) count.onFirst++;
  }
  const months = [...countOfMonth].sort(([a], [b]) => a - b);
  const found = new Set<Day>();
  months.forEach(([first], i) => {
    const earlier = months.slice(Math.max(0, i - MONTHS_BEFORE), i).map(([, count]) => count);
    const total = earlier.reduce((sum, count) => sum + count.sales, 0);
    if (total >= FEWEST_SALES && earlier.every((count) => count.sales === count.onFirst)) found.add(first);
  });
  return found;
}
