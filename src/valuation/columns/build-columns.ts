import { addMonths, dayOf, yearMonthOf, type Day } from '../../domain/day.ts';
import { featureTextKey } from '../../domain/own-features.ts';
import { ATTRIBUTES, PROPERTY_TYPES, type Attribute } from '../../domain/property.ts';
import { RENT_FEATURES, type RentListing } from '../../domain/rent.ts';
import type { Sale } from '../../domain/sale.ts';
import { flagRents } from '../flags/flag-rents.ts';
import { collectSaleFacts, flagSales } from '../flags/flag-sales.ts';
import { groupByCode } from '../order-statistics.ts';
import {
  compareText,
  appendTexts,
  joinColumns,
  reorder,
  reorderTexts,
  selectRows,
  textAt,
  writeTexts,
  type ColumnSchema,
  type ColumnsOf,
  type StringColumn,
} from '../typed-columns.ts';
import {
  codeParcels,
  ATTRIBUTE_COLUMNS,
  mapTexts,
  NEVER,
  type FeatureColumn,
  type SaleColumns,
  SALE_COLUMNS,
  TEXT_COLUMNS,
  type TextColumn,
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

/** Rows that are read once, from an array, or made one by one. */
export type Rows<Row> = Iterable<Row> & { readonly length: number };

/** The sales of one market as columns, sorted and flagged. */
export function buildSaleColumns(
  sales: Rows<Sale>,
  { recordingLagDays }: Pick<SaleColumns, 'recordingLagDays'>,
): SaleColumns {
  const facts = collectSaleFacts(sales.length);
  const { order, columns } = assembleColumns(sales, recordingLagDays, facts.add);
  return {
    ...columns,
    kind: 'sales',
    parcel: codeParcels({ ...columns, kind: 'sales' }),
    lastSeenOn: null,
    ...flagSales(facts.inOrder(order), columns),
  };
}

type SharedColumns = Omit<SaleColumns, 'kind' | 'parcel' | 'lastSeenOn' | 'flag' | 'flaggedOn'>;

/** The columns that sales and listings share, and which row of the given ones is at each position. */
function assembleColumns(
  sales: Rows<Sale>,
  recordingLagDays: number,
  visit: (sale: Sale, row: number) => void = () => {},
): { readonly order: Int32Array; readonly columns: SharedColumns } {
  const n = sales.length;
  const written = collectColumns(sales, recordingLagDays, visit);
  const order = orderOf(written);
  // Attributes that no sale has are one column.
  const unknown = new Float32Array(n).fill(Number.NaN);
  const attributes = {} as Record<Attribute, Float32Array>;
  for (const attribute of ATTRIBUTES) {
    const column = written.attributes.get(attribute);
    attributes[attribute] = column === undefined ? unknown : reorder(column, order);
  }
  const columns = {
    n,
    recordingLagDays,
    ...mapTexts((name) => reorderTexts(written.takeTexts(name), order)),
    soldOn: reorder(written.soldOn, order),
    availableOn: reorder(written.availableOn, order),
    priceUsd: reorder(written.priceUsd, order),
    lat: reorder(written.lat, order),
    lon: reorder(written.lon, order),
    type: reorder(written.type, order),
    attributes,
    features: featureColumns(written.features, order),
    armsLength: reorder(written.armsLength, order),
  };
  return { order, columns };
}

/** The columns in the order of the rows. */
function collectColumns(
  sales: Rows<Sale>,
  recordingLagDays: number,
  visit: (sale: Sale, row: number) => void,
) {
  const n = sales.length;
  const texts = mapTexts(() => writeTexts(n));
  const columns = {
    soldOn: new Int32Array(n),
    availableOn: new Int32Array(n),
    priceUsd: new Float64Array(n),
    lat: new Float64Array(n),
    lon: new Float64Array(n),
    type: new Uint8Array(n),
    armsLength: new Uint8Array(n),
    attributes: new Map<Attribute, Float32Array>(),
    features: new Map<string, FeatureTexts>(),
  };
  let row = 0;
  for (const sale of sales) {
    for (const name of TEXT_COLUMNS) texts[name].add(textOf(sale, name));
    columns.soldOn[row] = sale.soldOn;
    columns.availableOn[row] = availableOnOf(sale, recordingLagDays);
    columns.priceUsd[row] = sale.priceUsd;
    columns.lat[row] = sale.lat;
    columns.lon[row] = sale.lon;
    columns.type[row] = PROPERTY_TYPES.indexOf(sale.type);
    columns.armsLength[row] = sale.isArmsLength === null ? 2 : Number(sale.isArmsLength);
    for (const attribute of ATTRIBUTES) {
      const value = sale.attributes[attribute];
      if (value === null) continue;
      const column = columns.attributes.get(attribute) ?? new Float32Array(n).fill(Number.NaN);
      columns.attributes.set(attribute, column);
      column[row] = value;
    }
    for (const [name, text] of Object.entries(sale.features))
      addFeature(columns.features, name, n, row, text);
    visit(sale, row++);
  }
  return {
    ...columns,
    /** The texts of a column, which are then forgotten: each is as large as all days and prices. */
    takeTexts(name: TextColumn): StringColumn {
      const column = texts[name].column();
      texts[name] = writeTexts(0);
      return column;
    },
    recordIds: () => texts.recordId.column(),
  };
}

function textOf(sale: Sale, name: TextColumn): string {
  return name === 'recordId' || name === 'parcelId' ? (sale[name] ?? '') : sale.address[name];
}

/** Row numbers by the day on which the sales became known, then the day of sale and the record id. */
function orderOf({
  availableOn,
  soldOn,
  recordIds,
}: Pick<ReturnType<typeof collectColumns>, 'availableOn' | 'soldOn' | 'recordIds'>): Int32Array {
  const recordId = recordIds();
  const first = availableOn.reduce((least, day) => Math.min(least, day), Infinity);
  const { order, starts } = groupByCode(availableOn.map((day) => day - first));
  const byDayAndId = (a: number, b: number): number =>
    soldOn[a] - soldOn[b] || compareText(textAt(recordId, a), textAt(recordId, b));
  for (let day = 0; day + 1 < starts.length; day++) {
    if (starts[day + 1] - starts[day] > 1) order.subarray(starts[day], starts[day + 1]).sort(byDayAndId);
  }
  return order;
}

/** The texts of a feature: of each row the code plus 1, 0 for none. */
interface FeatureTexts {
  readonly codeOf: Map<string, number>;
  readonly codes: Int32Array;
}

function addFeature(
  features: Map<string, FeatureTexts>,
  name: string,
  n: number,
  row: number,
  text: string,
): void {
  const feature = features.get(name) ?? { codeOf: new Map(), codes: new Int32Array(n) };
  features.set(name, feature);
  const code = feature.codeOf.get(text) ?? feature.codeOf.size + 1;
  feature.codeOf.set(text, code);
  feature.codes[row] = code;
}

/** Levels are coded and spelled by their first appearance; columns are sorted by name. */
function featureColumns(features: ReadonlyMap<string, FeatureTexts>, order: Int32Array): FeatureColumn[] {
  const sorted = [...features].sort(([a], [b]) => compareText(a, b));
  return sorted.map(([name, { codeOf, codes }]) => {
    const texts = [undefined, ...codeOf.keys()];
    const empty = { name, levels: [], codes: new Int32Array(0) };
    return extendFeature(empty, order.length, (row) => texts[codes[order[row]]]);
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
export function buildRentColumns(listings: Rows<RentListing>): SaleColumns {
  const all = [...listings];
  const { order, columns } = assembleColumns(all.map(saleOfListing), 0);
  const sorted = Array.from(order, (row) => all[row]);
  const parcel = codeParcels({ ...columns, kind: 'rents' });
  return {
    ...columns,
    kind: 'rents',
    parcel,
    lastSeenOn: Int32Array.from(sorted, ({ lastSeenOn }) => lastSeenOn ?? NEVER),
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
