import type { Generated } from 'kysely';
import type { CensusLevel } from '../domain/census/geoid.ts';
import type { DatePrecision } from '../domain/sale.ts';
import type { ATTRIBUTE_TABLE } from '../domain/property-attributes.ts';
import type { PropertyType } from '../domain/property.ts';
import type { ValuationKind } from '../domain/valuation-kind.ts';
import type {
  AuditLogTable,
  AuditWordsTable,
  DeviceTable,
  SessionTable,
  SignInAttemptTable,
  UserTable,
} from './console-tables.ts';
import type {
  IdempotencyKeyTable,
  JobItemTable,
  JobRequestTable,
  JobResultTable,
  JobTable,
  JobTurnTable,
} from './job-tables.ts';
import type { RunTable } from './run-tables.ts';

/**
 * The tables as Kysely sees them: what migrations/ creates, column by column. Rows in this form stay inside
 * src/store; everyone else gets the types of domain/ and the records that the files beside this one export.
 */
export interface Database {
  readonly schema_migrations: SchemaMigrationTable;
  readonly markets: MarketTable;
  readonly datasets: DatasetTable;
  readonly runs: RunTable;
  readonly current_datasets: CurrentDatasetTable;
  readonly sales: SaleTable;
  readonly rents: RentTable;
  readonly parcels: ParcelTable;
  readonly address_points: AddressPointTable;
  readonly address_areas: AddressAreaTable;
  readonly dataset_types: DatasetTypeTable;
  readonly census_tables: CensusTableTable;
  readonly crime_incidents: CrimeIncidentTable;
  readonly fire_tiles: FireTileTable;
  readonly blobs: BlobTable;
  readonly blob_chunks: BlobChunkTable;
  readonly models: ModelTable;
  readonly accounts: AccountTable;
  readonly api_keys: ApiKeyTable;
  readonly valuations: ValuationTable;
  readonly rate_buckets: RateBucketTable;
  readonly credit_ledger: CreditLedgerTable;
  readonly credit_balances: CreditBalanceTable;
  readonly credit_holds: CreditHoldTable;
  readonly credit_usage: CreditUsageTable;
  readonly webhook_secrets: WebhookSecretTable;
  readonly deliveries: DeliveryTable;
  readonly delivery_attempts: DeliveryAttemptTable;
  readonly jobs: JobTable;
  readonly job_requests: JobRequestTable;
  readonly job_items: JobItemTable;
  readonly job_results: JobResultTable;
  readonly job_turns: JobTurnTable;
  readonly idempotency_keys: IdempotencyKeyTable;
  readonly users: UserTable;
  readonly sessions: SessionTable;
  readonly devices: DeviceTable;
  readonly sign_in_attempts: SignInAttemptTable;
  readonly audit_log: AuditLogTable;
  readonly audit_words: AuditWordsTable;
}

export interface SchemaMigrationTable {
  number: number;
  name: string;
  sha256: string;
  applied_at: number;
}

export interface MarketTable {
  market_id: string;
  created_at: number;
}

export const DATASET_KINDS = [
  'sales',
  'rents',
  'parcels',
  'addresses',
  'census-areas',
  'census-values',
  'crime',
  'fire',
  'flood',
] as const;
export type DatasetKind = (typeof DATASET_KINDS)[number];
/** 'abandoned': being deleted, or about to be. */
export type DatasetStatus = 'loading' | 'ready' | 'abandoned';

export interface DatasetTable {
  dataset_id: Generated<number>;
  market_id: string;
  kind: DatasetKind;
  status: DatasetStatus;
  base_dataset_id: number | null;
  source: string;
  content_hash: string | null;
  row_count: number | null;
  snapshot_sha256: string | null;
  begun_at: number;
  heartbeat_at: number;
  published_at: number | null;
  south: number | null;
  north: number | null;
  west: number | null;
  east: number | null;
  address_count: number | null;
  report: string | null;
}

export interface CurrentDatasetTable {
  market_id: string;
  kind: DatasetKind;
  dataset_id: number;
}

export interface AddressColumns {
  street: string;
  city: string;
  state_code: string;
  postal_code: string;
}

/** The column of each attribute; null where unknown. */
export type AttributeColumns = {
  [A in (typeof ATTRIBUTE_TABLE)[number] as A['column']]: number | null;
};

export interface SaleTable extends AddressColumns, AttributeColumns {
  dataset_id: number;
  record_id: string;
  parcel_id: string | null;
  sold_on: number;
  recorded_on: number | null;
  date_precision: DatePrecision;
  price_usd: number;
  lat: number;
  lon: number;
  property_type: PropertyType;
  features: string;
  is_arms_length: number | null;
}

export interface RentTable extends AddressColumns, AttributeColumns {
  dataset_id: number;
  record_id: string;
  parcel_id: string | null;
  listed_on: number;
  last_seen_on: number | null;
  date_precision: DatePrecision;
  rent_usd: number;
  lat: number;
  lon: number;
  property_type: PropertyType;
  features: string;
  is_furnished: number | null;
  has_parking: number | null;
}

export interface ParcelTable extends AddressColumns, AttributeColumns {
  dataset_id: number;
  parcel_id: string;
  as_of: number;
  lat: number;
  lon: number;
  cell: number;
  property_type: PropertyType | null;
  features: string;
}

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

export interface AddressAreaTable {
  dataset_id: number;
  postal_code: string;
  city: string;
  state_code: string;
  cell: number;
  address_count: number;
}

export interface DatasetTypeTable {
  dataset_id: number;
  property_type: PropertyType;
  row_count: number;
  last_on: number;
}

export interface CensusTableTable {
  dataset_id: number;
  geoid: string;
  year: number;
  table_id: string;
  level: CensusLevel;
  name: string;
  cells: string;
}

export interface CrimeIncidentTable {
  dataset_id: number;
  incident_no: number;
  record: string;
}

export interface FireTileTable {
  dataset_id: number;
  tile_no: number;
  bytes: Uint8Array;
}

export interface BlobTable {
  sha256: string;
  byte_count: number;
  created_at: number;
}

export interface BlobChunkTable {
  sha256: string;
  chunk_no: number;
  bytes: Uint8Array;
}

export interface ModelTable {
  model_id: string;
  market_id: string;
  kind: ValuationKind;
  trained_on: number;
  sha256: string;
  snapshot_sha256: string;
  dataset_ids: string;
  accuracy: string;
  created_at: number;
}

export interface AccountTable {
  account_id: string;
  name: string;
  plan: string;
  created_at: number;
}

export interface ApiKeyTable {
  key_id: string;
  account_id: string;
  name: string;
  environment: string;
  scopes: string;
  secret_sha256: string;
  last_characters: string;
  created_at: number;
  expires_at: number | null;
  last_used_at: number | null;
  revoked_at: number | null;
}

export interface ValuationTable {
  valuation_id: string;
  account_id: string;
  key_id: string | null;
  kind: ValuationKind;
  created_at: number;
  request: string;
  inputs: string;
  response: string;
  credits: number;
}

export interface RateBucketTable {
  bucket_id: string;
  second_at: number;
  minute_at: number;
  day_at: number;
}

export interface CreditLedgerTable {
  account_id: string;
  request_id: string;
  step: number;
  entry: string;
  period: string;
  operation: string;
  key_id: string | null;
  balance_change: number;
  credits: number;
  created_at: number;
}

export interface CreditBalanceTable {
  account_id: string;
  period: string;
  granted: number;
  balance: number;
}

export interface CreditHoldTable {
  account_id: string;
  request_id: string;
  period: string;
  operation: string;
  key_id: string | null;
  credits: number;
  expires_at: number | null;
}

export interface CreditUsageTable {
  account_id: string;
  period: string;
  operation: string;
  requests: number;
  credits: number;
}

export interface WebhookSecretTable {
  account_id: string;
  secret_no: number;
  sealed: string;
  created_at: number;
  expires_at: number | null;
}

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export interface DeliveryTable {
  delivery_id: string;
  account_id: string;
  subject: string;
  url: string;
  host: string;
  state: DeliveryState;
  attempts: number;
  round_attempts: number;
  due_at: number | null;
  fence: number;
  created_at: number;
  finished_at: number | null;
}

export interface DeliveryAttemptTable {
  delivery_id: string;
  attempt_no: number;
  attempted_at: number;
  duration_ms: number;
  status: number | null;
  error: string | null;
}
