import type { Day } from '../domain/day.ts';
import type { Parcel } from '../domain/parcel.ts';
import type { RentListing } from '../domain/rent.ts';
import type { Sale } from '../domain/sale.ts';
import type {
  AddressColumns,
  AddressKeyColumns,
  PARCEL_COLUMNS,
  RecordRow,
  RENT_COLUMNS,
  SALE_COLUMNS,
} from './record-columns.ts';
import type { AccountTables } from './tables/accounts.ts';
import type { DatasetTables } from './tables/datasets.ts';
import type { JobTables } from './tables/jobs.ts';
import type { PortfolioTables } from './tables/portfolios.ts';
import type { SweepTables } from './tables/sweeps.ts';

/**
 * The tables as `Store.db` sees them: the tables of migrations/, with columns in camel case (Kysely's CamelCasePlugin), so that
 * most rows are the records that the program works with.
 */
export type Database = AccountTables & DatasetTables & JobTables & SweepTables & PortfolioTables;

/**
 * The wide tables that are read by the hundred thousand rows, as `Store.rows` sees them: with the names of the columns, because
 * renaming the 35 columns of every row would double the time of reading them.
 */
export type RowTables = {
  readonly sales: SaleTable;
  readonly rents: RentTable;
  readonly parcels: ParcelTable;
  readonly address_points: AddressPointTable;
};

export type SaleTable = RecordRow<Sale, typeof SALE_COLUMNS>;

export type RentTable = RecordRow<RentListing, typeof RENT_COLUMNS>;

/** `cell` is that of the point (geo/cells.ts). */
export type ParcelTable = RecordRow<Parcel, typeof PARCEL_COLUMNS> & { cell: number };

export type AddressPointTable = AddressColumns &
  AddressKeyColumns & {
    dataset_id: number;
    row_no: number;
    lat: number;
    lon: number;
    cell: number;
    parcel_id: string | null;
    known_on: Day | null;
  };
