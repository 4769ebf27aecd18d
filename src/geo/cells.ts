import type { Bounds } from './bounds.ts';
import {
  BAND_COUNT,
  BAND_DEG,
  bandOf,
  bandsWithin,
  longitudeReach,
  wrapLongitude,
} from './latitude-bands.ts';

/**
 * A fixed grid over the Earth for database lookups: an integer column with a B-tree index replaces a spatial
 * extension. Cells are about 0.35 miles square: bands of 0.005° latitude with as many columns as keep them
 * square. Cell numbers are stored, so changing this needs a migration.
 */
const MAX_COLUMNS = 360 / BAND_DEG;

/** A circle of more cells is too large for a lookup (about 100 miles). */
const MAX_CELLS = 400_000;

/** A run of adjacent cells, both ends included: `cell BETWEEN from AND to`. */
interface CellRange {
  readonly from: number;
  readonly to: number;
}

/** The cell of a point: an integer that fits in 32 bits, signed. */
export function cellOf(lat: number, lon: number): number {
  const band = bandOf(lat);
  return firstCell(band) + columnOf(lon, columnsIn(band));
}

export function cellCenter(cell: number): { readonly lat: number; readonly lon: number } {
  const band = Math.floor(cell / MAX_COLUMNS) + BAND_COUNT / 2;
  const column = cell - firstCell(band);
  return { lat: (band + 0.5) * BAND_DEG - 90, lon: ((column + 0.5) / columnsIn(band)) * 360 - 180 };
}

/** Runs of cells that a circle touches, south to north. Every point within the radius is in one of them. */
export function cellRangesWithin(lat: number, lon: number, radiusMi: number): CellRange[] {
  const ranges: CellRange[] = [];
  const { first, last } = bandsWithin(lat, radiusMi);
  for (let band = first; band <= last; band++) {
    const reach = longitudeReach(lat, band, radiusMi);
    if (reach < 0) continue;
    const columns = columnsIn(band);
    const base = firstCell(band);
    const west = columnOf(lon - reach, columns);
    const east = columnOf(lon + reach, columns);
    if (reach * 2 + 360 / columns >= 360) ranges.push({ from: base, to: base + columns - 1 });
    else if (west <= east) ranges.push({ from: base + west, to: base + east });
    else ranges.push({ from: base, to: base + east }, { from: base + west, to: base + columns - 1 });
  }
  return ranges;
}

/** The cells that a circle touches. For small circles; throws RangeError beyond about 100 miles. */
export function cellsWithin(lat: number, lon: number, radiusMi: number): number[] {
  const cells: number[] = [];
  for (const { from, to } of cellRangesWithin(lat, lon, radiusMi)) {
    if (cells.length + to - from >= MAX_CELLS)
      throw new RangeError(`A radius of ${radiusMi} miles is too large for a cell lookup.`);
    for (let cell = from; cell <= to; cell++) cells.push(cell);
  }
  return cells;
}

/** Runs of cells that a box touches, south to north. The box must not cross the antimeridian. */
export function cellRangesInBox({ south, north, west, east }: Bounds): CellRange[] {
  const ranges: CellRange[] = [];
  for (let band = bandOf(south); band <= bandOf(north); band++) {
    const columns = columnsIn(band);
    const eastmost = east >= 180 ? columns - 1 : columnOf(east, columns);
    ranges.push({ from: firstCell(band) + columnOf(west, columns), to: firstCell(band) + eastmost });
  }
  return ranges;
}

function columnsIn(band: number): number {
  const middle = (band + 0.5) * BAND_DEG - 90;
  return Math.max(1, Math.round(MAX_COLUMNS * Math.cos((middle * Math.PI) / 180)));
}

function firstCell(band: number): number {
  return (band - BAND_COUNT / 2) * MAX_COLUMNS;
}

function columnOf(lon: number, columns: number): number {
  return Math.min(columns - 1, Math.floor(((wrapLongitude(lon) + 180) / 360) * columns));
}
