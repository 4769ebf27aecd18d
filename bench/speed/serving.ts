import { randomBytes } from 'node:crypto';
import { createKey } from '../../src/accounts/manage-keys.ts';
import { systemClock } from '../../src/clock.ts';
import type { Attribute } from '../../src/domain/property.ts';
import { putBlob } from '../../src/store/blobs.ts';
import { saveModel } from '../../src/store/models.ts';
import { openStore, type StoreSettings } from '../../src/store/open-store.ts';
import type { SaleColumns } from '../../src/valuation/columns/sale-columns.ts';
import { encodeColumns } from '../../src/valuation/columns/snapshots.ts';
import { encodeTrained, type TrainedMarket } from '../../src/valuation/trained-market.ts';
import { LAST_DAY } from './synthetic-market.ts';
import { COMMAND_LINE } from '../../src/store/audit-log.ts';
import { beginDataset, publishDataset } from '../../src/store/publish-dataset.ts';

/** Number of different homes requested in turn. */
const BODIES = 200;
/** 170 m. */
const NO_RECORD_DEGREES = 0.00153;

/** Creates a database that serves the market, and returns an API key for it. */
export async function saveMarket(
  settings: StoreSettings,
  columns: SaleColumns,
  trained: TrainedMarket,
): Promise<string> {
  const store = await openStore(settings);
  const source = { name: 'bench', license: null, retrievedAt: null, fileHashes: [], options: {} };
  const datasetId = await beginDataset(store, { marketId: 'bench', kind: 'sales', source });
  const snapshotSha256 = await putBlob(store, encodeColumns(columns));
  await publishDataset(store, datasetId, { rows: 0, contentHash: snapshotSha256, snapshotSha256 });
  const sha256 = await putBlob(store, encodeTrained(trained));
  await saveModel(store, {
    modelId: 'bench',
    marketId: 'bench',
    kind: 'property',
    trainedOn: LAST_DAY,
    sha256,
    snapshotSha256,
    datasetIds: [datasetId],
    accuracy: [],
    features: null,
    createdAt: 0,
  });
  const key = await createKey({ store, clock: systemClock, randomBytes }, COMMAND_LINE, { name: 'bench' });
  await store.close();
  return key.text;
}

/**
 * Requests across the market: for fully described homes, as a lender or assessor would send, or with what a request must
 * state.
 */
export function requestsOf(
  columns: SaleColumns,
  numComps: number,
  { count = BODIES, isTerse = false } = {},
): object[] {
  return Array.from({ length: count }, (_, i) => {
    const row = (i * 7919) % columns.n;
    const known = (attribute: Attribute): number | null => {
      const value = columns.attributes[attribute][row];
      return Number.isNaN(value) ? null : value;
    };
    const required = {
      total_bedrooms: known('bedrooms'),
      total_bathrooms: known('bathrooms'),
      property_type: 'houses',
    };
    // Where no home was sold, no record is found.
    const awayDegrees = isTerse ? NO_RECORD_DEGREES : 0;
    return {
      location: { latitude: columns.lat[row] + awayDegrees, longitude: columns.lon[row] },
      search_params: { date: '2022-12-31', num_comps: numComps },
      property_fields: isTerse
        ? required
        : {
            ...required,
            living_area: known('livingAreaSqft'),
            lot_size: known('lotSizeSqft'),
            year_built: known('yearBuilt'),
            num_stories: known('stories'),
            condition: known('condition'),
            has_basement: known('hasBasement') === 1,
            has_central_air: known('hasCentralAir') === 1,
            garage_spaces: known('garageSpaces'),
          },
    };
  });
}
