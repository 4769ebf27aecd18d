import { medianInPlace, medianOf } from '../ratio-study/order.ts';
import type { BaselineColumns } from './market-rows.ts';
import { partitionLikeNumpy } from './partition.ts';

const NEAREST = 10;
/** Two years, as the reference counts them. */
const WINDOW_DAYS = 730.5;

/** Sales of one type in order of closing, as columns of their own. */
interface TypeSales {
  readonly rows: Int32Array;
  readonly soldOn: Int32Array;
  readonly knownOn: Int32Array;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly price: Float64Array;
  readonly pricePerSqft: Float64Array;
}

/**
 * The appraiser's rule of thumb that every model must beat: the median price per square foot of the 10 nearest
 * sales of the type in the 24 months before `before(row)` (sold and known strictly earlier), times the subject's
 * living area; their median price where the subject's area is unknown. NaN without any such sale. Distances are
 * equirectangular at `latitude`, as in reference/peers.py, whose figures it repeats; ties between equally near sales included (partition.ts).
 */
export function nearestTen(
  columns: BaselineColumns,
  candidates: Int32Array,
  subjects: Int32Array,
  before: (row: number) => number,
  latitude: number,
): Float64Array {
  const eastScale = Math.cos((latitude * Math.PI) / 180);
  const byType = new Map<number, TypeSales>();
  const values = new Float64Array(subjects.length);
  for (let i = 0; i < subjects.length; i++) {
    const row = subjects[i];
    const type = columns.type[row];
    let sales = byType.get(type);
    if (!sales) {
      sales = salesOfType(columns, candidates, type, eastScale);
      byType.set(type, sales);
    }
    values[i] = valueByNearest(columns, sales, row, before(row), eastScale);
  }
  return values;
}

/** The latitude at which distances are taken: the median of the rows. */
export function studyLatitude(columns: BaselineColumns, rows: Int32Array): number {
  return medianOf(Float64Array.from(rows, (row) => columns.lat[row]));
}

function salesOfType(
  columns: BaselineColumns,
  candidates: Int32Array,
  type: number,
  eastScale: number,
): TypeSales {
  const { soldOn, knownOn, priceUsd, lat, lon } = columns;
  const rows = candidates.filter((row) => columns.type[row] === type);
  rows.sort((a, b) => soldOn[a] - soldOn[b] || priceUsd[a] - priceUsd[b] || lat[a] - lat[b] || a - b);
  const area = columns.attributes.livingAreaSqft;
  return {
    rows,
    soldOn: Int32Array.from(rows, (row) => soldOn[row]),
    knownOn: Int32Array.from(rows, (row) => knownOn[row]),
    x: Float64Array.from(rows, (row) => lon[row] * eastScale),
    y: Float64Array.from(rows, (row) => lat[row]),
    price: Float64Array.from(rows, (row) => priceUsd[row]),
    pricePerSqft: Float64Array.from(rows, (row) => (area[row] > 0 ? priceUsd[row] / area[row] : NaN)),
  };
}

function valueByNearest(
  columns: BaselineColumns,
  sales: TypeSales,
  row: number,
  before: number,
  eastScale: number,
): number {
  const area = columns.attributes.livingAreaSqft[row];
  const hasArea = area > 0;
  const source = hasArea ? sales.pricePerSqft : sales.price;
  const x = columns.lon[row] * eastScale;
  const y = columns.lat[row];
  const first = firstAtLeast(sales.soldOn, before - WINDOW_DAYS);
  const end = firstAtLeast(sales.soldOn, before);
  const away = new Float64Array(end - first);
  const near = new Int32Array(end - first);
  let found = 0;
  for (let i = first; i < end; i++) {
    if (sales.knownOn[i] >= before || Number.isNaN(source[i]) || sales.rows[i] === row) continue;
    away[i - first] = (sales.x[i] - x) ** 2 + (sales.y[i] - y) ** 2;
    near[found++] = i - first;
  }
  const taken = Math.min(NEAREST, found);
  if (found > NEAREST) partitionLikeNumpy(away, near, found, NEAREST);
  const price = Float64Array.from(near.subarray(0, taken), (i) => source[first + i]);
  const median = medianInPlace(price, taken);
  return hasArea ? median * area : median;
}

function firstAtLeast(sorted: Int32Array, limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
