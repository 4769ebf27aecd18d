import { cosineOf, haversineBetween, milesOfHaversine } from './distance.ts';
import {
  bandOf,
  bandsWithin,
  haversineReach,
  haversineSurelyWithin,
  haversineToBand,
  leastCosine,
  longitudeReach,
  wrapLongitude,
} from './latitude-bands.ts';

/**
 * Points in bands of latitude (compressed rows), ordered by longitude within a band. Bands are the same
 * for every index, so the order of visits does not depend on other points in it. 28 bytes per point.
 */
export interface PointIndex {
  readonly n: number;
  readonly rows: Int32Array;
  readonly lat: Float64Array;
  readonly lon: Float64Array;
  readonly cosine: Float64Array;
  readonly firstBand: number;
  /** Points of band `firstBand + i` are bandStart[i] … bandStart[i + 1] − 1. */
  readonly bandStart: Int32Array;
}

/** The nearest points: `n` rows, nearest first, ties broken by row number. */
export interface Nearest {
  readonly rows: Int32Array;
  readonly distancesMi: Float64Array;
  readonly n: number;
}

/**
 * Indexes the points of `rows` (default: all) that have finite coordinates. Takes a fifth of a second for a
 * million points: three passes of a 16-bit radix sort.
 */
export function buildPointIndex(lat: Float64Array, lon: Float64Array, rows?: Int32Array): PointIndex {
  let order = locatedRows(lat, lon, rows);
  const digits = [0, 1, 2].map(() => new Uint16Array(lat.length));
  for (const row of order) {
    const key = longitudeKey(lon[row]);
    digits[0][row] = key & 0xffff;
    digits[1][row] = key >>> 16;
    digits[2][row] = bandOf(lat[row]);
  }
  for (const digit of digits) order = sortByDigit(order, digit);
  const n = order.length;
  const firstBand = n === 0 ? 0 : bandOf(lat[order[0]]);
  const lastBand = n === 0 ? -1 : bandOf(lat[order[n - 1]]);
  const bandStart = new Int32Array(lastBand - firstBand + 2);
  const sortedLat = new Float64Array(n);
  const sortedLon = new Float64Array(n);
  const cosine = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    sortedLat[i] = lat[order[i]];
    sortedLon[i] = lon[order[i]];
    cosine[i] = cosineOf(sortedLat[i]);
    bandStart[bandOf(sortedLat[i]) - firstBand + 1]++;
  }
  for (let b = 1; b < bandStart.length; b++) bandStart[b] += bandStart[b - 1];
  return { n, rows: order, lat: sortedLat, lon: sortedLon, cosine, firstBand, bandStart };
}

/**
 * Visits every point with `distanceMi(...) <= radiusMi`, by location, in an order that does not depend on
 * other points in the index. Floating-point sums over it are therefore reproducible.
 */
export function forEachWithin(
  index: PointIndex,
  lat: number,
  lon: number,
  radiusMi: number,
  visit: (row: number, distanceMi: number) => void,
): void {
  const most = haversineReach(radiusMi);
  const cosine = cosineOf(lat);
  forEachSpan(index, lat, lon, radiusMi, (from, to) => {
    for (let i = from; i < to; i++) {
      const hav = haversineBetween(lat, lon, cosine, index.lat[i], index.lon[i], index.cosine[i]);
      if (hav > most) continue;
      const distance = milesOfHaversine(hav);
      if (distance <= radiusMi) visit(index.rows[i], distance);
    }
  });
}

/**
 * Visits the same points in the same order without their distances, in less than half the time. With x half
 * the angle, x² − x⁴/3 ≤ sin² x ≤ x²: only points at the rim need to be measured.
 */
export function forEachInside(
  index: PointIndex,
  lat: number,
  lon: number,
  radiusMi: number,
  visit: (row: number) => void,
): void {
  const most = haversineReach(radiusMi);
  const surely = haversineSurelyWithin(radiusMi);
  const cosine = cosineOf(lat);
  const half = Math.PI / 360;
  forEachSpan(index, lat, lon, radiusMi, (from, to) => {
    for (let i = from; i < to; i++) {
      const x = (index.lat[i] - lat) * half;
      const y = (index.lon[i] - lon) * half;
      const xx = x * x;
      const yy = y * y;
      const cosines = cosine * index.cosine[i];
      if (xx + cosines * yy > surely) {
        if (xx - (xx * xx) / 3 + cosines * (yy - (yy * yy) / 3) > most) continue;
        const hav = haversineBetween(lat, lon, cosine, index.lat[i], index.lon[i], index.cosine[i]);
        if (hav > most || !(milesOfHaversine(hav) <= radiusMi)) continue;
      }
      visit(index.rows[i]);
    }
  });
}

/** Visits the runs of points that a circle may touch; they contain few other points. */
function forEachSpan(
  index: PointIndex,
  lat: number,
  lon: number,
  radiusMi: number,
  scan: (from: number, to: number) => void,
): void {
  const { first, last } = bandsWithin(lat, radiusMi);
  const lowest = Math.max(first, index.firstBand);
  const highest = Math.min(last, index.firstBand + index.bandStart.length - 2);
  for (let band = lowest; band <= highest; band++) {
    const start = index.bandStart[band - index.firstBand];
    const end = index.bandStart[band - index.firstBand + 1];
    if (start === end) continue;
    const reach = longitudeReach(lat, band, radiusMi);
    if (reach < 0) continue;
    if (reach >= 179.9) {
      scan(start, end);
      continue;
    }
    const west = longitudeKey(lon - reach) - 1;
    const east = longitudeKey(lon + reach) + 1;
    const fromWest = firstAtOrEast(index.lon, start, end, west);
    const pastEast = firstAtOrEast(index.lon, start, end, east + 1);
    if (west <= east) scan(fromWest, pastEast);
    else {
      scan(fromWest, end);
      scan(start, pastEast);
    }
  }
}

/** The k nearest accepted points within `maxMi`: the same as sorting all rows by (distance, row). */
export function nearest(
  index: PointIndex,
  lat: number,
  lon: number,
  k: number,
  accept?: (row: number) => boolean,
  maxMi = Infinity,
): Nearest {
  const rows = new Int32Array(k);
  const distancesMi = new Float64Array(k);
  const most = haversineReach(maxMi);
  const search: Search = { lat, lon, cosine: cosineOf(lat), accept, maxMi, rows, distancesMi, n: 0, most };
  if (k > 0 && index.n > 0 && Number.isFinite(lat) && Number.isFinite(lon)) {
    const center = bandOf(lat);
    const lastBand = index.firstBand + index.bandStart.length - 2;
    const outermost = Math.max(center - index.firstBand, lastBand - center);
    // The first bands with points may be far away, so start there.
    const innermost = Math.max(0, index.firstBand - center, center - lastBand);
    for (let away = innermost; away <= outermost; away++) {
      if (isOutOfReach(search, center - away) && isOutOfReach(search, center + away)) break;
      searchBand(index, search, center - away);
      if (away > 0) searchBand(index, search, center + away);
    }
  }
  sortHeap(search);
  return { rows, distancesMi, n: search.n };
}

interface Search {
  readonly lat: number;
  readonly lon: number;
  readonly cosine: number;
  readonly accept: ((row: number) => boolean) | undefined;
  readonly maxMi: number;
  /** The nearest so far: a heap of n with the farthest first. */
  readonly rows: Int32Array;
  readonly distancesMi: Float64Array;
  n: number;
  /** Haversine beyond which no point can be among the k nearest, with slack. */
  most: number;
}

function isOutOfReach(search: Search, band: number): boolean {
  return haversineToBand(search.lat, band) > search.most;
}

/** Walks a band from the point's meridian east and west, until no nearer point can follow. */
function searchBand(index: PointIndex, search: Search, band: number): void {
  const b = band - index.firstBand;
  if (b < 0 || b >= index.bandStart.length - 1) return;
  const start = index.bandStart[b];
  const count = index.bandStart[b + 1] - start;
  const toBand = haversineToBand(search.lat, band);
  if (count === 0 || toBand > search.most) return;
  const { lon } = search;
  const cosines = Math.max(0, search.cosine) * leastCosine(band);
  const meridian = firstAtOrEast(index.lon, start, start + count, longitudeKey(lon)) - start;
  let seen = 0;
  for (const step of [1, -1]) {
    let at = step === 1 ? meridian : meridian - 1;
    for (; seen < count; seen++, at += step) {
      const i = start + (at >= count ? at - count : at < 0 ? at + count : at);
      const away = step * (index.lon[i] - lon);
      const degreesAlong = away - 360 * Math.floor((away + 1e-6) / 360);
      if (degreesAlong > 180 + 1e-6) break;
      const sinLon = Math.sin((Math.min(180, Math.max(0, degreesAlong - 1e-6)) * Math.PI) / 360);
      if (toBand + cosines * sinLon * sinLon > search.most) break;
      offer(index, search, i);
    }
  }
}

function offer(index: PointIndex, search: Search, i: number): void {
  const { lat, lon, cosine, rows, distancesMi } = search;
  const hav = haversineBetween(lat, lon, cosine, index.lat[i], index.lon[i], index.cosine[i]);
  if (hav > search.most) return;
  const distance = milesOfHaversine(hav);
  if (distance > search.maxMi) return;
  const k = rows.length;
  const row = index.rows[i];
  if (search.n === k && !isNearer(distance, row, distancesMi[0], rows[0])) return;
  if (search.accept && !search.accept(row)) return;
  if (search.n < k) addToHeap(search, distance, row);
  else placeBelow(search, 0, k, distance, row);
  if (search.n === k) search.most = Math.min(search.most, haversineReach(distancesMi[0]));
}

function addToHeap(search: Search, distance: number, row: number): void {
  const { rows, distancesMi } = search;
  let at = search.n++;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!isNearer(distancesMi[parent], rows[parent], distance, row)) break;
    distancesMi[at] = distancesMi[parent];
    rows[at] = rows[parent];
    at = parent;
  }
  distancesMi[at] = distance;
  rows[at] = row;
}

/** Puts a point at `at` of the heap's first n, or below it in place of farther ones, which move up. */
function placeBelow(
  { rows, distancesMi }: Search,
  at: number,
  n: number,
  distance: number,
  row: number,
): void {
  for (;;) {
    let child = 2 * at + 1;
    if (child >= n) break;
    const right = child + 1;
    if (right < n && isNearer(distancesMi[child], rows[child], distancesMi[right], rows[right]))
      child = right;
    if (!isNearer(distance, row, distancesMi[child], rows[child])) break;
    distancesMi[at] = distancesMi[child];
    rows[at] = rows[child];
    at = child;
  }
  distancesMi[at] = distance;
  rows[at] = row;
}

/** Nearest first: takes the farthest off the heap until nothing is left. */
function sortHeap(search: Search): void {
  const { rows, distancesMi } = search;
  for (let last = search.n - 1; last > 0; last--) {
    const [distance, row] = [distancesMi[last], rows[last]];
    distancesMi[last] = distancesMi[0];
    rows[last] = rows[0];
    placeBelow(search, 0, last, distance, row);
  }
}

function isNearer(distance: number, row: number, otherDistance: number, otherRow: number): boolean {
  return distance < otherDistance || (distance === otherDistance && row < otherRow);
}

/** Longitude as an unsigned 32-bit number, west to east from −180°: 8.4e-8° (9 mm) per unit. */
function longitudeKey(lon: number): number {
  return Math.min(0xffffffff, Math.floor((wrapLongitude(lon) + 180) * (0x100000000 / 360)));
}

function firstAtOrEast(lon: Float64Array, start: number, end: number, key: number): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (longitudeKey(lon[middle]) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

function locatedRows(lat: Float64Array, lon: Float64Array, rows: Int32Array | undefined): Int32Array {
  const count = rows ? rows.length : lat.length;
  const located = new Int32Array(count);
  let n = 0;
  for (let i = 0; i < count; i++) {
    const row = rows ? rows[i] : i;
    if (Number.isFinite(lat[row]) && Number.isFinite(lon[row])) located[n++] = row;
  }
  return located.subarray(0, n);
}

/** Stable counting sort by a 16-bit digit. */
function sortByDigit(order: Int32Array, digit: Uint16Array): Int32Array {
  const start = new Int32Array(65537);
  for (let i = 0; i < order.length; i++) start[digit[order[i]] + 1]++;
  for (let d = 1; d < start.length; d++) start[d] += start[d - 1];
  const sorted = new Int32Array(order.length);
  for (let i = 0; i < order.length; i++) sorted[start[digit[order[i]]]++] = order[i];
  return sorted;
}
