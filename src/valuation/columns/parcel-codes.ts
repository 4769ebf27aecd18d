import type { SaleColumns } from './sale-columns.ts';
import { textAt } from './string-column.ts';

/** What tells one parcel from another. */
export interface OnParcel {
  readonly parcelId: string | null;
  readonly lat: number;
  readonly lon: number;
}

type Placed = Pick<SaleColumns, 'n' | 'kind' | 'parcelId' | 'lat' | 'lon'>;

/** Decimals of a degree to which listings without a parcel stand in one building: about a metre. */
const PLACE_DECIMALS = 5;

/**
 * What rows of one parcel have in common; '' for a sale without a parcel, which is a parcel of its own. Listings of
 * one place are of one building whether or not the file names it.
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
 * The parcel code of each row, after the codes of the rows before: in order of first appearance, so that a row known
 * later never renumbers an earlier one.
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

/** The code of the parcel that a home stands on, −1 where none of the rows does. Made at the first question. */
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
