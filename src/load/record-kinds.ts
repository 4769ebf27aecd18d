import { formatDay } from '../domain/day.ts';
import type { RentListing } from '../domain/rent.ts';
import type { Sale } from '../domain/sale.ts';
import {
  changeRents,
  changeSales,
  insertRents,
  insertSales,
  readRents,
  readSales,
  type RowChanges,
} from '../store/property-records.ts';
import { RENT_COLUMNS, SALE_COLUMNS } from '../store/record-columns.ts';
import type { Store, StoreTransaction } from '../store/store.ts';
import {
  buildRentColumns,
  buildSaleColumns,
  RECORDING_LAG_DAYS,
  type Rows,
} from '../valuation/columns/build-columns.ts';
import type { SaleColumns } from '../valuation/columns/sale-columns.ts';
import { createPriceCheck } from './checks/check-sales.ts';
import type { Finding } from './checks/finding.ts';
import type { RecordIdentity, Records } from './collect-records.ts';
import type { MarketRecord } from './record-table.ts';
import { canonicalRent, canonicalSale } from './rows/canonical-rows.ts';
import type { CellOf } from './rows/mapping.ts';
import { readRent, readSale, type ReadSettings, type Unplaced } from './rows/read-rows.ts';

/** A record as read from a file. The record id is '' if the file has none. */
export type ReadRow = Unplaced<MarketRecord>;

/** The parts of an import that differ between sales and rents. */
export interface RecordKind<Read extends ReadRow, Row extends MarketRecord> extends RecordIdentity<Row> {
  readonly kind: 'sales' | 'rents';
  readonly read: (cell: CellOf, settings: ReadSettings) => Read;
  readonly place: (row: Read, point: Pick<MarketRecord, 'lat' | 'lon'>) => Row;
  /** The dates used to detect files that give only months. */
  readonly datesOf: (row: Row) => Pick<Sale, 'soldOn' | 'recordedOn' | 'datePrecision'>;
  /** Finds earlier rows that new rows correct. */
  readonly checkChanges?: (added: Records<Row>) => {
    readonly outdated: readonly string[];
    readonly isReplaced: (earlier: Row, sameId: Row | undefined) => boolean;
    readonly findings: () => Finding[];
  };
  /** Days from closing to the day on which a row without recording date is known. */
  readonly recordingLagDays: number;
  readonly buildColumns: (rows: Rows<Row>) => SaleColumns;
  readonly insert: (store: Store, datasetId: number, rows: readonly Row[]) => Promise<void>;
  readonly change: (
    store: Store,
    transaction: StoreTransaction,
    rowsId: number,
    changes: RowChanges<Row>,
  ) => Promise<void>;
  readonly readCurrent: (store: Store, datasetId: number) => AsyncIterable<readonly Row[]>;
}

export const SALES: RecordKind<Unplaced<Sale>, Sale> = {
  kind: 'sales',
  members: SALE_COLUMNS,
  read: readSale,
  place: (sale, point) => ({ ...sale, ...point }),
  identityOf: ({ soldOn, priceUsd }) => `${formatDay(soldOn)}/${priceUsd}`,
  datesOf: (sale) => sale,
  canonical: canonicalSale,
  checkChanges: createPriceCheck,
  recordingLagDays: RECORDING_LAG_DAYS,
  buildColumns: (sales) => buildSaleColumns(sales, { recordingLagDays: RECORDING_LAG_DAYS }),
  insert: insertSales,
  change: changeSales,
  readCurrent: readSales,
};

export const RENTS: RecordKind<Unplaced<RentListing>, RentListing> = {
  kind: 'rents',
  members: RENT_COLUMNS,
  read: readRent,
  place: (listing, point) => ({ ...listing, ...point }),
  // Apartments of one building with the same rent are common, so their attributes are part of the identity.
  identityOf: ({ listedOn, rentUsd, attributes: { bedrooms, bathrooms, livingAreaSqft } }) =>
    [formatDay(listedOn), rentUsd, bedrooms ?? '', bathrooms ?? '', livingAreaSqft ?? ''].join('/'),
  datesOf: ({ listedOn, datePrecision }) => ({ soldOn: listedOn, recordedOn: null, datePrecision }),
  canonical: canonicalRent,
  recordingLagDays: 0,
  buildColumns: buildRentColumns,
  insert: insertRents,
  change: changeRents,
  readCurrent: readRents,
};
