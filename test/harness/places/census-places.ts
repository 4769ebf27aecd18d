import { createCatalogBuilder, encodeCatalog } from '../../../src/domain/census/catalog.ts';
import type { CensusTable } from '../../../src/domain/census/census-table.ts';
import type { JsonObject } from '../../../src/domain/json.ts';
import { encodeAreaLayer } from '../../../src/geo/areas/area-layer.ts';
import { buildAreaMap } from '../../../src/geo/areas/area-map.ts';
import { putBlob } from '../../../src/store/blobs.ts';
import { insertCensusTables } from '../../../src/store/census-tables.ts';
import type { Store } from '../../../src/store/store.ts';
import { SOURCE } from '../store/rows.ts';
import type { DatasetKind } from '../../../src/store/tables/datasets.ts';
import { beginDataset, publishDataset } from '../../../src/store/publish-dataset.ts';

/** A rectangle on the map with its record. */
export interface TestArea {
  readonly record: JsonObject;
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Publishes rectangles as a market's layer of areas. */
export async function publishAreas(
  store: Store,
  marketId: string,
  kind: DatasetKind,
  areas: readonly TestArea[],
): Promise<void> {
  const map = buildAreaMap(
    areas.map(({ west, south, east, north }) => ({
      polygons: [[Float64Array.of(west, south, east, south, east, north, west, north, west, south)]],
    })),
  );
  const bytes = encodeAreaLayer({ records: areas.map(({ record }) => record), map });
  const source = { name: null, license: null, retrievedAt: null, fileHashes: [], options: {} };
  const datasetId = await beginDataset(store, { marketId, kind, source });
  const snapshotSha256 = await putBlob(store, bytes);
  const { count, bounds } = map;
  await publishDataset(store, datasetId, {
    rows: count,
    contentHash: snapshotSha256,
    snapshotSha256,
    bounds,
  });
}

/** Publishes figures as a market's census. */
export async function publishCensusTables(
  store: Store,
  marketId: string,
  tables: readonly CensusTable[],
): Promise<void> {
  const catalog = createCatalogBuilder();
  for (const table of tables) catalog.addRow(table);
  const datasetId = await beginDataset(store, { marketId, kind: 'census-values', source: SOURCE });
  await insertCensusTables(store, datasetId, tables);
  const snapshotSha256 = await putBlob(store, encodeCatalog(catalog.build()));
  const rows = tables.length;
  await publishDataset(store, datasetId, { rows, contentHash: snapshotSha256, snapshotSha256 });
}
