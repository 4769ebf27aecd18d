import type { SaleColumns } from '../../valuation/columns/sale-columns.ts';
import { decodeColumns, encodeColumns } from '../../valuation/columns/snapshot-codec.ts';
import type { StringColumn } from '../../valuation/typed-columns.ts';

/** Columns in memory that all threads share: one copy for any number of threads. */
export function shareColumns(columns: SaleColumns): SharedArrayBuffer {
  const bytes = encodeColumns(columns);
  const shared = new SharedArrayBuffer(bytes.byteLength);
  new Uint8Array(shared).set(bytes);
  return shared;
}

/** The columns as views of shared memory. Texts are copied, because decoders do not accept shared bytes. */
export function readSharedColumns(shared: SharedArrayBuffer): SaleColumns {
  const columns = decodeColumns(new Uint8Array(shared));
  const own = (texts: StringColumn): StringColumn => ({ offsets: texts.offsets, bytes: texts.bytes.slice() });
  return {
    ...columns,
    recordId: own(columns.recordId),
    parcelId: own(columns.parcelId),
    street: own(columns.street),
    city: own(columns.city),
    stateCode: own(columns.stateCode),
    postalCode: own(columns.postalCode),
  };
}
