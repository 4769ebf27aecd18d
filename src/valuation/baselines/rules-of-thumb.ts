import { isUsable } from '../columns/sale-columns.ts';
import { countBelow, medianInPlace, medianOf } from '../order-statistics.ts';
import type { BaselineColumns, Visibility } from './market-rows.ts';

const NEAREST = 10;

const WINDOW_DAYS = 730.5;

/** A rule's data: rows to compare with, rows to value, and what each may use. */
interface RuleTask {
  readonly candidates: Int32Array;
  readonly subjects: Int32Array;
  readonly visibilityOf: (row: number) => Visibility;
  /** Where equirectangular distances are measured. */
  readonly latitude: number;
}

/** Rows in order of closing, with projected coordinates. */
interface PlacedRows {
  readonly rows: Int32Array;
  readonly soldOn: Int32Array;
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/** The latitude of distances: the median of the rows. */
export function studyLatitude(columns: BaselineColumns, rows: Int32Array): number {
  return medianOf(Float64Array.from(rows, (row) => columns.lat[row]));
}

/**
 * An appraiser's rule of thumb: the median price per square foot of the type's 10 nearest sales of the last
 * 24 months, times the subject's living area; their median price where the area is unknown. NaN without such
 * a sale. Ties are settled as numpy does, so that published figures can be reproduced.
 */
export function nearestTen(columns: BaselineColumns, task: RuleTask): Float64Array {
  const { priceUsd, type, attributes } = columns;
  const area = attributes.livingAreaSqft;
  const perSqft = priceUsd.map((usd, row) => (area[row] > 0 ? usd / area[row] : NaN));
  const salesOfType = placedBy(columns, task, type);
  return Float64Array.from(task.subjects, (row) => {
    const source = area[row] > 0 ? perSqft : priceUsd;
    const figures = nearestFigures(columns, task, salesOfType(type[row]), source, row);
    return medianInPlace(figures, figures.length) * (area[row] > 0 ? area[row] : 1);
  });
}

/**
 * A landlord's rule of thumb: the median rent of the 10 nearest listings of the last 24 months with
 * as many bedrooms; of any bedrooms where those are fewer than 10. NaN without a listing.
 */
export function nearestTenSameBedrooms(columns: BaselineColumns, task: RuleTask): Float64Array {
  const { bedrooms } = columns.attributes;
  const all = placeRows(columns, task.candidates, task.latitude);
  const withBedrooms = placedBy(columns, task, bedrooms);
  return Float64Array.from(task.subjects, (row) => {
    const rentsIn = (placed: PlacedRows) => nearestFigures(columns, task, placed, columns.priceUsd, row);
    const alike = rentsIn(withBedrooms(bedrooms[row]));
    const taken = alike.length === NEAREST ? alike : rentsIn(all);
    return medianInPlace(taken, taken.length);
  });
}

/**
 * A broker's rule of thumb: the median price per unit of the type's unflagged sales of the last 24
 * months, times the subject's units. NaN where the units are unknown or without such a sale.
 */
export function medianPerUnit(columns: BaselineColumns, task: RuleTask): Float64Array {
  const { availableOn, priceUsd, type } = columns;
  const units = columns.attributes.totalUnits;
  const salesOfType = placedBy(columns, task, type);
  const medians = new Map<string, number>();
  return Float64Array.from(task.subjects, (row) => {
    if (!(units[row] > 0)) return NaN;
    const { closedBefore, knownBefore } = task.visibilityOf(row);
    // The subject's own sale is never used: it closes on the first excluded day, or a fold
    // withholds it.
    const key = `${type[row]} ${closedBefore} ${knownBefore}`;
    let median = medians.get(key);
    if (median === undefined) {
      const sales = salesOfType(type[row]);
      const [first, end] = windowOf(sales, closedBefore);
      const seen = sales.rows
        .subarray(first, end)
        .filter(
          (sale) =>
            units[sale] > 0 && availableOn[sale] < knownBefore && isUsable(columns, sale, knownBefore - 1),
        );
      median = medianOf(Float64Array.from(seen, (sale) => priceUsd[sale] / units[sale]));
      medians.set(key, median);
    }
    return median * units[row];
  });
}

/** The candidates with a given number in a column, placed at the first call. */
function placedBy(
  columns: BaselineColumns,
  { candidates, latitude }: RuleTask,
  column: ArrayLike<number>,
): (value: number) => PlacedRows {
  const groups = new Map<number, PlacedRows>();
  return (value) => {
    const known = groups.get(value);
    if (known) return known;
    const alike = candidates.filter((row) => column[row] === value);
    const placed = placeRows(columns, alike, latitude);
    groups.set(value, placed);
    return placed;
  };
}

function placeRows(columns: BaselineColumns, group: Int32Array, latitude: number): PlacedRows {
  const { soldOn, priceUsd, lat, lon } = columns;
  const eastScale = eastScaleAt(latitude);
  const rows = group.toSorted(
    (a, b) => soldOn[a] - soldOn[b] || priceUsd[a] - priceUsd[b] || lat[a] - lat[b] || a - b,
  );
  return {
    rows,
    soldOn: Int32Array.from(rows, (row) => soldOn[row]),
    x: Float64Array.from(rows, (row) => lon[row] * eastScale),
    y: Float64Array.from(rows, (row) => lat[row]),
  };
}

/** Factor on degrees of longitude in equirectangular distances. */
function eastScaleAt(latitude: number): number {
  return Math.cos((latitude * Math.PI) / 180);
}

/** First and end position of the rows that closed in the two years before a day. */
function windowOf({ soldOn }: PlacedRows, closedBefore: number): [first: number, end: number] {
  return [countBelow(soldOn, closedBefore - WINDOW_DAYS), countBelow(soldOn, closedBefore)];
}

/**
 * The numbers in `source` of the 10 placed rows nearest to a subject row, itself excluded, that
 * closed in the last 24 months and have a number.
 */
function nearestFigures(
  columns: BaselineColumns,
  task: RuleTask,
  placed: PlacedRows,
  source: Float64Array,
  subject: number,
): Float64Array {
  const { availableOn } = columns;
  const { rows, x, y } = placed;
  const { closedBefore, knownBefore } = task.visibilityOf(subject);
  const [east, north] = [columns.lon[subject] * eastScaleAt(task.latitude), columns.lat[subject]];
  const [first, end] = windowOf(placed, closedBefore);
  const away = new Float64Array(end - first);
  const near = new Int32Array(end - first);
  let found = 0;
  for (let i = first; i < end; i++) {
    const row = rows[i];
    if (availableOn[row] >= knownBefore || row === subject || Number.isNaN(source[row])) continue;
    away[i - first] = (x[i] - east) ** 2 + (y[i] - north) ** 2;
    near[found++] = i - first;
  }
  if (found > NEAREST) partitionLikeNumpy(away, near, found, NEAREST);
  return Float64Array.from(near.subarray(0, Math.min(NEAREST, found)), (i) => source[rows[first + i]]);
}

/**
 * Reorders `order` so that the `k` smallest keys come first (k ≥ 4), swap for swap as numpy's
 * `argpartition`: homes of one building share a point, so figures depend on how ties are settled.
 */
export function partitionLikeNumpy(keys: Float64Array, order: Int32Array, count: number, k: number): void {
  const kth = k - 1;
  let low = 0;
  let high = count - 1;
  let depthLeft = 2 * (31 - Math.clz32(count));
  while (low + 1 < high) {
    let left = low + 1;
    let right = high;
    if (depthLeft > 0 || right - left < 5) medianOfThreeToLow(keys, order, low, high);
    else {
      swap(order, left + medianOfMedians(keys, order, left, right - left), low);
      left--;
      right++;
    }
    depthLeft--;
    const pivot = keys[order[low]];
    for (;;) {
      do left++;
      while (keys[order[left]] < pivot);
      do right--;
      while (pivot < keys[order[right]]);
      if (right < left) break;
      swap(order, left, right);
    }
    swap(order, low, right);
    if (right >= kth) high = right - 1;
    if (right <= kth) low = left;
  }
  if (high === low + 1 && keys[order[high]] < keys[order[low]]) swap(order, high, low);
}

function medianOfThreeToLow(keys: Float64Array, order: Int32Array, low: number, high: number): void {
  const middle = low + ((high - low) >> 1);
  if (keys[order[high]] < keys[order[middle]]) swap(order, high, middle);
  if (keys[order[high]] < keys[order[low]]) swap(order, high, low);
  if (keys[order[low]] < keys[order[middle]]) swap(order, low, middle);
  swap(order, middle, low + 1);
}

function swap(order: Int32Array, a: number, b: number): void {
  const held = order[a];
  order[a] = order[b];
  order[b] = held;
}

/** Fallback pivot: position (from `start`) of about the median of medians of fives. */
function medianOfMedians(keys: Float64Array, order: Int32Array, start: number, count: number): number {
  const fives = Math.floor(count / 5);
  for (let i = 0; i < fives; i++) {
    const at = start + 5 * i;
    const five = order.subarray(at, at + 5);
    const middle = five.toSorted((a, b) => keys[a] - keys[b])[2];
    swap(order, order.indexOf(middle, at), start + i);
  }
  if (fives > 2) partitionLikeNumpy(keys, order.subarray(start, start + fives), fives, (fives >> 1) + 1);
  return fives >> 1;
}
