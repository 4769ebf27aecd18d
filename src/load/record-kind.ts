import type { PostalAddress } from '../domain/address.ts';
import type { Attributes, PropertyType } from '../domain/property.ts';
import type { Sale } from '../domain/sale.ts';
import type { Store } from '../store/store.ts';
import type { SaleColumns } from '../valuation/columns/sale-columns.ts';
import type { CellOf } from './rows/bind-columns.ts';
import type { ReadSettings } from './rows/read-rows.ts';

/** The common fields of a sale and a rental listing: a home with an address, a place and attributes. */
export interface MarketRecord {
  readonly recordId: string;
  readonly parcelId: string | null;
  readonly datePrecision: Sale['datePrecision'];
  readonly address: PostalAddress;
  readonly lat: number;
  readonly lon: number;
  readonly type: PropertyType;
  readonly attributes: Attributes;
}

/** A record as read from a file. The place is null and the record id '' if the file has none. */
export type ReadRow = Omit<MarketRecord, 'lat' | 'lon'> & {
  readonly lat: number | null;
  readonly lon: number | null;
};

/** The parts of an import that differ between sales and rents. */
export interface RecordKind<Read extends ReadRow, Row extends MarketRecord> {
  readonly kind: 'sales' | 'rents';
  readonly read: (cell: CellOf, settings: ReadSettings) => Read;
  readonly place: (row: Read, point: { readonly lat: number; readonly lon: number }) => Row;
  /** The identity of a record, besides its place. It becomes the record id of a row that has none. */
  readonly identityOf: (row: Row) => string;
  /** The dates used to detect files that give only months. */
  readonly datesOf: (row: Row) => Pick<Sale, 'soldOn' | 'recordedOn' | 'datePrecision'>;
  readonly canonical: (row: Row) => string;
  readonly buildColumns: (rows: readonly Row[]) => SaleColumns;
  readonly insert: (store: Store, datasetId: number, rows: readonly Row[]) => Promise<void>;
  readonly readCurrent: (store: Store, datasetId: number) => AsyncIterable<readonly Row[]>;
}
