import type { PostalAddress } from '../domain/address.ts';
import type { Attributes, PropertyType } from '../domain/property.ts';
import type { Sale } from '../domain/sale.ts';
import type { Store } from '../store/store.ts';
import type { SaleColumns } from '../valuation/columns/sale-columns.ts';
import type { CellOf } from './rows/bind-columns.ts';
import type { ReadSettings } from './rows/read-rows.ts';

/** What a sale and a listing have in common: an amount on a day, for a described home at a place. */
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

/** Read from a file: without place, and without record id (''), where the file gives none. */
export type ReadRow = Omit<MarketRecord, 'lat' | 'lon'> & {
  readonly lat: number | null;
  readonly lon: number | null;
};

/** What an import of one kind of evidence does in its own way. */
export interface RecordKind<Read extends ReadRow, Row extends MarketRecord> {
  readonly kind: 'sales' | 'rents';
  readonly read: (cell: CellOf, settings: ReadSettings) => Read;
  readonly place: (row: Read, point: { readonly lat: number; readonly lon: number }) => Row;
  /** What makes a row, besides its place: the record id of a row without one. */
  readonly identityOf: (row: Row) => string;
  /** The day by which a file shows that it knows months only. */
  readonly datesOf: (row: Row) => Pick<Sale, 'soldOn' | 'recordedOn' | 'datePrecision'>;
  readonly canonical: (row: Row) => string;
  readonly buildColumns: (rows: readonly Row[]) => SaleColumns;
  readonly insert: (store: Store, datasetId: number, rows: readonly Row[]) => Promise<void>;
  readonly readCurrent: (store: Store, datasetId: number) => AsyncIterable<readonly Row[]>;
}
