import type { Parcel } from '../domain/parcel.ts';
import type { RentListing } from '../domain/rent.ts';
import type { Sale } from '../domain/sale.ts';
import type {
  AddressColumns,
  PARCEL_COLUMNS,
  RecordRow,
  RENT_COLUMNS,
  SALE_COLUMNS,
} from './record-columns.ts';
import type {
  Account,
  ApiKeyTable,
  AuditLogTable,
  DeviceRecord,
  SessionRecord,
  SignInAttemptTable,
  UserTable,
} from './tables/accounts.ts';
import type {
  AddressAreaTable,
  BlobChunkTable,
  BlobTable,
  CensusTableTable,
  CrimeIncidentTable,
  CurrentDatasetTable,
  DatasetTable,
  DatasetTypeTable,
  FireTileTable,
  Market,
  ModelTable,
  RunTable,
} from './tables/datasets.ts';
import type {
  DeliveryAttemptTable,
  DeliveryTable,
  FairShareTable,
  IdempotentRequest,
  JobItemTable,
  JobRequestTable,
  JobResultTable,
  JobTable,
  WebhookSecretRecord,
} from './tables/jobs.ts';
import type {
  CreditBalanceTable,
  CreditHoldTable,
  CreditLedgerTable,
  CreditUsageTable,
  RateBucketTable,
  ValuationRecord,
} from './tables/valuations.ts';
import type { UploadPartTable, UploadPieceTable, UploadRecord, UploadRowsTable } from './tables/uploads.ts';

/**
 * The tables as `Store.db` sees them: the tables of migrations/, with columns in camel case (Kysely's CamelCasePlugin), so that
 * most rows are the records that the program works with.
 */
export type Database = {
  readonly markets: Market;
  readonly datasets: DatasetTable;
  readonly runs: RunTable;
  readonly current_datasets: CurrentDatasetTable;
  readonly address_areas: AddressAreaTable;
  readonly dataset_types: DatasetTypeTable;
  readonly census_tables: CensusTableTable;
  readonly crime_incidents: CrimeIncidentTable;
  readonly fire_tiles: FireTileTable;
  readonly blobs: BlobTable;
  readonly blob_chunks: BlobChunkTable;
  readonly models: ModelTable;
  readonly accounts: Account;
  readonly api_keys: ApiKeyTable;
  readonly valuations: ValuationRecord;
  readonly rate_buckets: RateBucketTable;
  readonly credit_ledger: CreditLedgerTable;
  readonly credit_balances: CreditBalanceTable;
  readonly credit_holds: CreditHoldTable;
  readonly credit_usage: CreditUsageTable;
  readonly webhook_secrets: WebhookSecretRecord;
  readonly deliveries: DeliveryTable;
  readonly delivery_attempts: DeliveryAttemptTable;
  readonly jobs: JobTable;
  readonly job_requests: JobRequestTable;
  readonly job_items: JobItemTable;
  readonly job_results: JobResultTable;
  readonly fair_share: FairShareTable;
  readonly idempotency_keys: IdempotentRequest;
  readonly uploads: UploadRecord;
  readonly upload_pieces: UploadPieceTable;
  readonly upload_rows: UploadRowsTable;
  readonly upload_parts: UploadPartTable;
  readonly users: UserTable;
  readonly sessions: SessionRecord;
  readonly devices: DeviceRecord;
  readonly sign_in_attempts: SignInAttemptTable;
  readonly audit_log: AuditLogTable;
};

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

export interface AddressPointTable extends AddressColumns {
  dataset_id: number;
  row_no: number;
  key_number: string;
  key_number_suffix: string;
  key_pre_direction: string;
  key_street_name: string;
  key_street_type: string;
  key_post_direction: string;
  key_unit: string;
  key_city: string;
  key_state_code: string;
  key_postal_code: string;
  lat: number;
  lon: number;
  cell: number;
  parcel_id: string | null;
}
