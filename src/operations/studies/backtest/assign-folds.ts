import { createHash } from 'node:crypto';
import type { SaleColumns } from '../../../valuation/columns/sale-columns.ts';
import { textAt } from '../../../valuation/columns/string-column.ts';
import type { FoldUnit } from './protocol.ts';

/** The same folds for every study, so that two studies of a market can be compared row by row. */
const SEED = 1;
/** Decimals of a degree to which two places are the same: about a meter. */
const POINT_DECIMALS = 5;
/** Degrees, in latitude and longitude: 220 m from south to north (170 m from west to east in New York). */
const CELL_DEG = 0.002;

/**
 * The fold of each row, 0 … count − 1, by a hash of its place, so that all rows of a place are in one fold; single rows
 * by a hash of their record id.
 */
export function assignFolds(columns: SaleColumns, unit: FoldUnit, count: number): Uint8Array {
  const placeOf = {
    row: () => (row: number) => textAt(columns.recordId, row),
    point: () => buildingsOf(columns),
    cell: () => (row: number) => cellOf(columns, row),
  }[unit]();
  const foldOfPlace = new Map<string, number>();
  const folds = new Uint8Array(columns.n);
  for (let row = 0; row < columns.n; row++) {
    const place = placeOf(row);
    const fold = foldOfPlace.get(place) ?? hashOf(place) % count;
    foldOfPlace.set(place, fold);
    folds[row] = fold;
  }
  return folds;
}

function hashOf(place: string): number {
  return createHash('sha256').update(`${SEED} ${place}`).digest().readUInt32BE(0);
}

function cellOf({ lat, lon }: SaleColumns, row: number): string {
  return `${Math.floor(lat[row] / CELL_DEG)} ${Math.floor(lon[row] / CELL_DEG)}`;
}

/** The place of each row's building. Rows at one point or of one parcel share a building, directly or through others. */
function buildingsOf(columns: SaleColumns): (row: number) => string {
  const { lat, lon, parcel } = columns;
  const placeAt = (row: number) => `${lat[row].toFixed(POINT_DECIMALS)} ${lon[row].toFixed(POINT_DECIMALS)}`;
  const first = new Int32Array(columns.n);
  const firstOf = (row: number): number => {
    let root = row;
    while (first[root] !== root) root = first[root] = first[first[root]];
    return root;
  };
  const rowOfParcel = new Map<number, number>();
  const rowOfPlace = new Map<string, number>();
  for (let row = 0; row < columns.n; row++) {
    first[row] = row;
    for (const earlier of [rowOfParcel.get(parcel[row]), rowOfPlace.get(placeAt(row))]) {
      if (earlier === undefined) continue;
      const [a, b] = [firstOf(row), firstOf(earlier)];
      first[Math.max(a, b)] = Math.min(a, b);
    }
    rowOfParcel.set(parcel[row], row);
    rowOfPlace.set(placeAt(row), row);
  }
  return (row) => placeAt(firstOf(row));
}
