import type { SaleColumns } from './sale-columns.ts';
import { textAt } from './string-column.ts';

/** Parcel ids → the codes of the columns, −1 where no sale names the parcel. Made at the first question. */
export function parcelCodes(columns: SaleColumns): (parcelId: string | null) => number {
  let codes: Map<string, number> | null = null;
  return (parcelId) => {
    if (parcelId === null || parcelId === '') return -1;
    if (codes === null) {
      codes = new Map();
      for (let row = 0; row < columns.n; row++) codes.set(textAt(columns.parcelId, row), columns.parcel[row]);
    }
    return codes.get(parcelId) ?? -1;
  };
}
