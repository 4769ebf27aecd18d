import { parcelCodes, type OnParcel } from './parcel-codes.ts';
import type { SaleColumns } from './sale-columns.ts';

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
