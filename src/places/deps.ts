import type { OpenCatalog } from '../domain/census/catalog.ts';
import type { AreaLayer } from '../geo/areas/area-layer.ts';
import type { Bounds } from '../geo/bounds.ts';
import type { IncidentColumns } from '../geo/incidents/incident-columns.ts';
import type { TileCell } from '../geo/raster-grid.ts';
import type { BlobCache } from '../store/blobs.ts';
import type { Dataset } from '../store/datasets.ts';
import type { Store } from '../store/store.ts';
import type { NationalCounties } from './national-counties.ts';
import type { DatasetKind } from '../store/tables/datasets.ts';

/** A market's rasters, ready to look up the cell of a point. */
export type FireCells = readonly {
  readonly cellAt: (lat: number, lon: number) => TileCell | null;
  readonly firstTile: number;
}[];

/** What lookups of location data need, passed first. Each layer adds the cache of its opened snapshots. */
export interface PlaceDeps {
  readonly store: Store;
  /** Every current dataset; the caller keeps the list fresh. */
  readonly listDatasets: () => Promise<readonly Dataset[]>;
  readonly areaLayers: BlobCache<AreaLayer>;
  readonly counties: NationalCounties;
  readonly fireCells: BlobCache<FireCells>;
  /** The cells of a tile, NaN without data; null if no cell has data. */
  readonly tileCells: (datasetId: number, tileNo: number) => Promise<Float32Array | null>;
  readonly censusCatalogs: BlobCache<OpenCatalog>;
  readonly incidentColumns: BlobCache<IncidentColumns>;
}

/** Opens the current datasets of a kind whose bounds may contain what is looked up, in order of id. */
export async function openDatasets<Data>(
  deps: PlaceDeps,
  kind: DatasetKind,
  open: BlobCache<Data>,
  mayHave: (bounds: Bounds) => boolean,
): Promise<{ readonly dataset: Dataset; readonly data: Data }[]> {
  const datasets = (await deps.listDatasets()).filter((dataset) => dataset.kind === kind);
  const opened: { readonly dataset: Dataset; readonly data: Data }[] = [];
  for (const dataset of datasets.sort((a, b) => a.datasetId - b.datasetId)) {
    const { bounds, snapshotSha256 } = dataset;
    if (snapshotSha256 === null || (bounds !== null && !mayHave(bounds))) continue;
    opened.push({ dataset, data: await open(snapshotSha256) });
  }
  return opened;
}
