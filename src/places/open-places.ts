import { openCatalog } from '../domain/census/catalog.ts';
import { decodeAreaLayer } from '../geo/areas/area-layer.ts';
import { decodeIncidentColumns } from '../geo/incidents/incident-columns.ts';
import { createBlobCache } from '../store/blobs.ts';
import type { Store } from '../store/store.ts';
import { createSharedMemory, type SharedMemory } from '../threads/shared-memory.ts';
import type { PlaceDeps } from './deps.ts';
import { createTileCells, openFireCells } from './fire.ts';
import { openNationalCounties } from './national-counties.ts';

/** The dependencies of location lookups for an open store. */
export function openPlaces(
  store: Store,
  listDatasets: PlaceDeps['listDatasets'],
  memory: SharedMemory = createSharedMemory(),
): PlaceDeps {
  return {
    store,
    listDatasets,
    areaLayers: createBlobCache(store, memory, decodeAreaLayer),
    counties: openNationalCounties(),
    fireCells: createBlobCache(store, memory, openFireCells),
    tileCells: createTileCells(store),
    censusCatalogs: createBlobCache(store, memory, openCatalog),
    incidentColumns: createBlobCache(store, memory, decodeIncidentColumns),
  };
}
