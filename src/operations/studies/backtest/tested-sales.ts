import { formatDay } from '../../../domain/day.ts';
import { PROPERTY_TYPES } from '../../../domain/property.ts';
import type { SaleColumns } from '../../../valuation/columns/sale-columns.ts';
import { textAt } from '../../../valuation/typed-columns.ts';
import { SALE_FLAGS } from '../../../valuation/flags/sale-flags.ts';
import { pointCases, type RatioCases } from '../../../valuation/ratio-study/cases.ts';
import { csvLine } from '../strata.ts';
import { STUDY_PERCENTILES, type StudyValues } from './study-method.ts';

/** What one training of a study valued. */
export interface TestedPart {
  /** Rows of the columns. */
  readonly rows: Int32Array;
  readonly values: StudyValues;
  readonly baselines: Readonly<Record<string, Float64Array>>;
}

/** Every tested sale, or listing, with its value: by training, then by column order. */
export interface TestedSales extends TestedPart {
  readonly columns: SaleColumns;
  /** 1 where at least three parcels were sold on the same day at the same price; 0 for listings. */
  readonly isBundle: Uint8Array;
  /** 1 where the market's own checks flag the sale, at any time, as no measure of value. */
  readonly isFlagged: Uint8Array;
}

export function joinTested(
  columns: SaleColumns,
  parts: readonly TestedPart[],
  bundles: Uint8Array | null,
): TestedSales {
  const rows = Int32Array.from(parts.flatMap((part) => [...part.rows]));
  const join = (column: (part: TestedPart) => Float64Array): Float64Array =>
    Float64Array.from(parts.flatMap((part) => [...column(part)]));
  const names = parts.length > 0 ? Object.keys(parts[0].baselines) : [];
  return {
    columns,
    rows,
    values: {
      valueUsd: join((part) => part.values.valueUsd),
      percentilesUsd: STUDY_PERCENTILES.map((_, p) => join((part) => part.values.percentilesUsd[p])),
      fsd: join((part) => part.values.fsd),
    },
    baselines: Object.fromEntries(names.map((name) => [name, join((part) => part.baselines[name])])),
    isBundle: Uint8Array.from(rows, (row) => bundles?.[row] ?? 0),
    isFlagged: Uint8Array.from(rows, (row) => (columns.flag[row] === 0 ? 0 : 1)),
  };
}

/** The model's values against the prices. */
export function modelCases(tested: TestedSales): RatioCases {
  const { percentilesUsd, valueUsd, fsd } = tested.values;
  const at = (level: (typeof STUDY_PERCENTILES)[number]) => percentilesUsd[STUDY_PERCENTILES.indexOf(level)];
  return {
    n: tested.rows.length,
    price: pricesOf(tested),
    value: valueUsd,
    intervals: {
      80: { low: at(10), high: at(90) },
      90: { low: at(5), high: at(95) },
      95: { low: at(2.5), high: at(97.5) },
    },
    fsd,
  };
}

export function baselineCases(tested: TestedSales, name: string): RatioCases {
  return pointCases(pricesOf(tested), tested.baselines[name]);
}

function pricesOf({ columns, rows }: TestedSales): Float64Array {
  return Float64Array.from(rows, (row) => columns.priceUsd[row]);
}

/**
 * 1 for every row whose day and price are shared by three parcels or more, among the study rows. Other studies can
 * repeat this definition (docs/methods/measuring.md). With months only, round prices also match by chance.
 */
export function markBundles(columns: SaleColumns, studied: Int32Array): Uint8Array {
  const marks = new Uint8Array(columns.n);
  const shared = Map.groupBy(studied, (row) => `${columns.soldOn[row]} ${columns.priceUsd[row]}`);
  for (const rows of shared.values()) {
    if (new Set(rows.map((row) => columns.parcel[row])).size < 3) continue;
    for (const row of rows) marks[row] = 1;
  }
  return marks;
}

const VALUE_FIELDS = 'record_id parcel_id address sale_date price value ratio'.split(' ');
const SALE_FIELDS = 'fsd property_type total_units bedrooms latitude longitude flag bundle'.split(' ');

/**
 * Every tested sale, or listing, as CSV, a line at a time, so that others can measure it. For listings `price` is the
 * rent and `sale_date` the listing date, so that `plumbline accuracy` reads both. The console's file of holdout sales has
 * the same names.
 */
export function* salesCsv(tested: TestedSales): Generator<string> {
  const { columns, rows, values, baselines, isBundle } = tested;
  const percentiles = STUDY_PERCENTILES.map((level) => `p${String(level).replace('.', '_')}`);
  yield csvLine([...VALUE_FIELDS, ...percentiles, ...SALE_FIELDS, ...Object.keys(baselines)]);
  for (const [i, row] of rows.entries()) {
    yield csvLine([
      textAt(columns.recordId, row),
      textAt(columns.parcelId, row),
      textAt(columns.street, row),
      formatDay(columns.soldOn[row]),
      columns.priceUsd[row],
      values.valueUsd[i],
      Number((values.valueUsd[i] / columns.priceUsd[row]).toFixed(4)),
      ...values.percentilesUsd.map((column) => column[i]),
      Number(values.fsd[i].toFixed(5)),
      PROPERTY_TYPES[columns.type[row]],
      columns.attributes.totalUnits[row],
      columns.attributes.bedrooms[row],
      columns.lat[row],
      columns.lon[row],
      SALE_FLAGS[columns.flag[row]],
      isBundle[i],
      ...Object.values(baselines).map((column) => Math.round(column[i])),
    ]);
  }
}
