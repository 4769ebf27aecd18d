import { partitionLikeNumpy } from './partition.ts';
import { WINDOW_DAYS, type BaselineColumns, type Visibility } from './market-rows.ts';

const NEAREST = 10;

/** Rows in order of closing, with projected coordinates. */
export interface PlacedRows {
  readonly rows: Int32Array;
  readonly soldOn: Int32Array;
  readonly availableOn: Int32Array;
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/** Factor on degrees of longitude in equirectangular distances at a latitude. */
export function eastScaleAt(latitude: number): number {
  return Math.cos((latitude * Math.PI) / 180);
}

export function placeRows(columns: BaselineColumns, group: Int32Array, eastScale: number): PlacedRows {
  const { soldOn, availableOn, priceUsd, lat, lon } = columns;
  const rows = group.toSorted(
    (a, b) => soldOn[a] - soldOn[b] || priceUsd[a] - priceUsd[b] || lat[a] - lat[b] || a - b,
  );
  return {
    rows,
    soldOn: Int32Array.from(rows, (row) => soldOn[row]),
    availableOn: Int32Array.from(rows, (row) => availableOn[row]),
    x: Float64Array.from(rows, (row) => lon[row] * eastScale),
    y: Float64Array.from(rows, (row) => lat[row]),
  };
}

/**
 * The numbers in `source` of the 10 rows nearest to a subject row, itself excluded, that closed in
 * the last 24 months; rows without a number (NaN) are skipped. Fewer where there are fewer.
 */
export function nearestValues(
  placed: PlacedRows,
  source: Float64Array,
  subject: { readonly row: number; readonly x: number; readonly y: number },
  visibility: Visibility,
): Float64Array {
  const first = firstAtLeast(placed.soldOn, visibility.closedBefore - WINDOW_DAYS);
  const end = firstAtLeast(placed.soldOn, visibility.closedBefore);
  const away = new Float64Array(end - first);
  const near = new Int32Array(end - first);
  let found = 0;
  for (let i = first; i < end; i++) {
    const isSeen = placed.availableOn[i] < visibility.knownBefore && placed.rows[i] !== subject.row;
    if (!isSeen || Number.isNaN(source[i])) continue;
    away[i - first] = (placed.x[i] - subject.x) ** 2 + (placed.y[i] - subject.y) ** 2;
    near[found++] = i - first;
  }
  if (found > NEAREST) partitionLikeNumpy(away, near, found, NEAREST);
  return Float64Array.from(near.subarray(0, Math.min(NEAREST, found)), (i) => source[first + i]);
}

/** The first position of a sorted column that is not below the limit. */
export function firstAtLeast(sorted: Int32Array, limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether there are ten, as the rule of thumb requires. */
export function isFull(figures: Float64Array): boolean {
  return figures.length === NEAREST;
}
