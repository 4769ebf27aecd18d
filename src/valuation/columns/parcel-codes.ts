import type { SaleColumns } from './sale-columns.ts';
import { textAt } from '../typed-columns.ts';

/** What identifies a parcel. */
export interface OnParcel {
  readonly parcelId: string | null;
  readonly lat: number;
  readonly lon: number;
}

type Placed = Pick<SaleColumns, 'n' | 'kind' | 'parcelId' | 'lat' | 'lon'>;

/** Decimals of a degree within which listings count as one building: about a meter. */
const PLACE_DECIMALS = 5;

/**
 * Key of a row's parcel; '' for a sale without parcel id, which is a parcel of its own. Listings at
 * one place are of one building, whether or not the file names it.
 */
function keyOf(kind: SaleColumns['kind'], { parcelId, lat, lon }: OnParcel): string {
  if (parcelId !== null && parcelId !== '') return parcelId;
  return kind === 'sales' ? '' : `@${lat.toFixed(PLACE_DECIMALS)},${lon.toFixed(PLACE_DECIMALS)}`;
}

function keyAt(columns: Placed, row: number): string {
  return keyOf(columns.kind, {
    parcelId: textAt(columns.parcelId, row),
    lat: columns.lat[row],
    lon: columns.lon[row],
  });
}

/**
 * Parcel code of each row, continuing the codes of the rows before. Numbered by first appearance,
 * so that a later row never renumbers an earlier one.
 */
export function codeParcels(columns: Placed, before: Int32Array = new Int32Array(0)): Int32Array {
  const codes = new Int32Array(columns.n);
  codes.set(before);
  const codeOf = new Map<string, number>();
  let next = 0;
  for (let row = 0; row < columns.n; row++) {
    const key = keyAt(columns, row);
    const code = row < before.length ? before[row] : ((key === '' ? undefined : codeOf.get(key)) ?? next);
    if (key !== '') codeOf.set(key, code);
    next = Math.max(next, code + 1);
    codes[row] = code;
  }
  return codes;
}

/** Looks up a home's parcel code, −1 where no row is on it. Indexed at the first call. */
export function parcelCodes(columns: SaleColumns, rows?: Int32Array): (home: OnParcel) => number {
  let codes: Map<string, number> | null = null;
  return (home) => {
    const key = keyOf(columns.kind, home);
    if (key === '') return -1;
    codes ??= new Map(
      Array.from(rows ?? columns.parcel.keys(), (row) => [keyAt(columns, row), columns.parcel[row]]),
    );
    return codes.get(key) ?? -1;
  };
}

/** The sales of each parcel, in column order. */
export interface ParcelSales {
  rowsOf(home: OnParcel): Int32Array;
}

/** Rows grouped by parcel code: one counting sort, then each look-up is a slice. */
export function indexParcelSales(columns: SaleColumns): ParcelSales {
  let codes = 0;
  for (let row = 0; row < columns.n; row++) codes = Math.max(codes, columns.parcel[row] + 1);
  const starts = new Int32Array(codes + 1);
  for (let row = 0; row < columns.n; row++) starts[columns.parcel[row] + 1]++;
  for (let code = 0; code < codes; code++) starts[code + 1] += starts[code];
  const rows = new Int32Array(columns.n);
  const next = starts.slice();
  for (let row = 0; row < columns.n; row++) rows[next[columns.parcel[row]]++] = row;
  const codeOf = parcelCodes(columns);
  return {
    rowsOf(home) {
      const code = codeOf(home);
      return code < 0 ? rows.subarray(0, 0) : rows.subarray(starts[code], starts[code + 1]);
    },
  };
}
