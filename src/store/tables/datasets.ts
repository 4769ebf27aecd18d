import type { Generated } from 'kysely';
import type { CensusLevel } from '../../domain/census/geoid.ts';
import type { Day } from '../../domain/day.ts';
import type { JsonValue } from '../../domain/json.ts';
import type { FeatureChoice } from '../../domain/own-features.ts';
import { MAP_LAYERS } from '../../domain/map-layer.ts';
import type { PropertyType } from '../../domain/property.ts';
import type { ValuationKind } from '../../domain/valuation-kind.ts';

/** Tables of markets, versioned datasets, location data and models. Instants are ms since 1970. */
export type DatasetTables = {
  readonly markets: { readonly marketId: string; readonly createdAt: number };
  readonly datasets: DatasetTable;
  readonly current_datasets: Pick<DatasetTable, 'marketId' | 'kind'> & { readonly datasetId: number };
  readonly dataset_types: DatasetTypeTable;
  readonly runs: RunTable;
  readonly sale_reviews: SaleReviewTable;
  readonly market_backtests: MarketBacktestTable;
  readonly address_areas: AddressAreaTable;
  readonly census_tables: CensusTableTable;
  /** `record` is JSON. */
  readonly crime_incidents: {
    readonly datasetId: number;
    readonly incidentNo: number;
    readonly record: string;
  };
  readonly fire_tiles: { readonly datasetId: number; readonly tileNo: number; readonly bytes: Uint8Array };
  readonly blobs: BlobTable;
  readonly blob_pieces: { readonly sha256: string; readonly storedAt: number; readonly bytes: Uint8Array };
  /** Bytes of blobs of earlier versions. */
  readonly blob_chunks: { readonly sha256: string; readonly chunkNo: number; readonly bytes: Uint8Array };
  /** `datasetIds`, `accuracy` and `features` are JSON. */
  readonly models: Omit<ModelRecord, 'datasetIds' | 'accuracy' | 'features'> &
    Readonly<Record<'datasetIds' | 'accuracy', string>> & { readonly features: string | null };
};

interface BlobTable {
  readonly sha256: string;
  readonly byteCount: number;
  /** When it was last stored. */
  readonly createdAt: number;
  /** SHA-256 of its pieces, 32 bytes each; null if its bytes are in `blob_chunks`. */
  readonly pieces: Uint8Array | null;
}

export const DATASET_KINDS = [
  'sales',
  'rents',
  'parcels',
  'parcel-areas',
  'addresses',
  'index',
  'census-areas',
  'census-values',
  'crime',
  'fire',
  'flood',
  ...MAP_LAYERS,
] as const;
export type DatasetKind = (typeof DATASET_KINDS)[number];
/** 'abandoned': being deleted, or about to be. */
type DatasetStatus = 'loading' | 'ready' | 'abandoned';

export interface DatasetTable {
  readonly datasetId: Generated<number>;
  readonly marketId: string;
  readonly kind: DatasetKind;
  readonly status: DatasetStatus;
  readonly baseDatasetId: number | null;
  /** JSON. */
  readonly source: string;
  /** Hash of the rows, once published. Equal hashes mean equal rows. */
  readonly contentHash: string | null;
  readonly rowCount: number | null;
  /** Blob of data that are read as a whole: columns of sales, incidents and indexes, a layer of areas, the grid of a raster. */
  readonly snapshotSha256: string | null;
  readonly begunAt: number;
  readonly heartbeatAt: number;
  readonly publishedAt: number | null;
  readonly south: number | null;
  readonly north: number | null;
  readonly west: number | null;
  readonly east: number | null;
  /** Number of its addresses, for any kind of dataset; null before it is published. */
  readonly addressCount: number | null;
  /** JSON. */
  readonly report: string | null;
  /** The version under whose id its rows are stored; null: its own. */
  readonly rowsId: number | null;
  readonly rowsDeletedAt: number | null;
}

interface DatasetTypeTable {
  readonly datasetId: number;
  readonly propertyType: PropertyType;
  readonly rowCount: number;
  readonly lastOn: Day;
}

export interface RunTable {
  readonly runId: string;
  readonly task: 'import' | 'train' | 'backtest';
  readonly marketId: string;
  /** What is imported, trained or tested; null for everything. */
  readonly kind: string | null;
  readonly begunAt: number;
  readonly beatAt: number;
  readonly step: string | null;
  readonly done: number | null;
  readonly total: number | null;
}

interface SaleReviewTable {
  readonly reviewId: string;
  readonly marketId: string;
  readonly recordId: string;
  /** 1 = use it, 0 = do not use it, 2 = withdrawn: the flags count again. */
  readonly isUsed: 0 | 1 | 2;
  readonly fromDay: Day;
  readonly reason: string;
  /** The id of the user; null at the command line. */
  readonly actorId: string | null;
  readonly actorName: string;
  readonly createdAt: number;
}

/** The newest saved backtest of a market and kind. */
export interface MarketBacktestTable {
  readonly marketId: string;
  readonly kind: ValuationKind;
  /** JSON: a BacktestReport. */
  readonly report: string;
  /** Blob of every tested sale with its value, as CSV. */
  readonly salesSha256: string;
  readonly begunAt: number;
  readonly savedAt: number;
}

interface AddressAreaTable {
  readonly datasetId: number;
  readonly postalCode: string;
  readonly city: string;
  readonly stateCode: string;
  readonly cell: number;
  readonly addressCount: number;
}

export interface CensusTableTable {
  readonly datasetId: number;
  readonly geoid: string;
  readonly year: number;
  readonly tableId: string;
  readonly level: CensusLevel;
  readonly name: string;
  /** JSON. */
  readonly cells: string;
}

/** Only active models take new valuations: a training holds back a worse model, an operator rolls one back. */
export const MODEL_STATES = ['active', 'held_back', 'rolled_back'] as const;
type ModelState = (typeof MODEL_STATES)[number];

/** A trained model of a market: its bytes, its training data and its measured accuracy. */
export interface ModelRecord {
  readonly modelId: string;
  readonly marketId: string;
  readonly kind: ValuationKind;
  /** The as-of date of the training; the model serves this day and later ones. */
  readonly trainedOn: Day;
  /** Blob of the encoded model. */
  readonly sha256: string;
  /** Blob of the columns it was trained on. */
  readonly snapshotSha256: string;
  readonly datasetIds: readonly number[];
  readonly accuracy: JsonValue;
  /** The test of the market's own columns; null without one. */
  readonly features: FeatureChoice | null;
  readonly createdAt: number;
  readonly state: ModelState;
  /** Why it is not active, as a sentence; null for active models. */
  readonly stateReason: string | null;
}
