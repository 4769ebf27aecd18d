import type { OpenCatalog } from '../domain/census/catalog.ts';
import type { AreaLayer } from '../geo/areas/area-layer.ts';
import { mayReach } from '../geo/bounds.ts';
import type { IncidentColumns } from '../geo/incidents/incident-columns.ts';
import type { BlobCache } from '../store/blob-cache.ts';
import type { Dataset, DatasetKind } from '../store/datasets.ts';
import type { Store } from '../store/store.ts';
import type { FireCells, ReadTileCells } from './fire-cells.ts';
import type { NationalCounties } from './national-counties.ts';

/** What lookups of location data need, passed first. Each layer adds the cache of its opened snapshots. */
export interface PlaceDeps {
  readonly store: Store;
  /** Every current dataset; the caller keeps the list fresh. */
  readonly listDatasets: () => Promise<readonly Dataset[]>;
  readonly areaLayers: BlobCache<AreaLayer>;
  readonly counties: NationalCounties;
  readonly fireCells: BlobCache<FireCells>;
  readonly tileCells: ReadTileCells;
  readonly censusCatalogs: BlobCache<OpenCatalog>;
  readonly incidentColumns: BlobCache<IncidentColumns>;
}

/**
 * The datasets of a kind that may have data within the radius of a point, by id. A point that none can reach
 * is outside the map, which differs from "nothing here".
 */
export async function datasetsNear(
  deps: PlaceDeps,
  kind: DatasetKind,
  lat: number,
  lon: number,
  radiusMi = 0,
): Promise<Dataset[]> {
  const datasets = (await deps.listDatasets()).filter((dataset) => dataset.kind === kind);
  return datasets
    .filter(({ bounds }) => bounds === null || mayReach(bounds, lat, lon, radiusMi))
    .sort((a, b) => a.datasetId - b.datasetId);
}
