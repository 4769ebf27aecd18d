import { openCatalog } from '../domain/census/catalog.ts';
import { decodeAreaLayer } from '../geo/areas/area-layer.ts';
import { decodeIncidentColumns } from '../geo/incidents/incident-columns.ts';
import { createBlobCache } from '../store/blobs.ts';
import type { Store } from '../store/store.ts';
import type { PlaceDeps } from './deps.ts';
import { createTileCells, openFireCells } from './fire.ts';
import { openNationalCounties } from './national-counties.ts';

/** Area layers to keep open: the block groups and flood zones of about twenty large counties. */
const AREA_LAYER_BYTES = 256 * 1024 * 1024;
/** Raster descriptions are a few hundred bytes each. */
const FIRE_MAP_BYTES = 1024 * 1024;
/** Catalogs of census values: about 100 KB of names each for the built-in tables of one year. */
const CATALOG_BYTES = 64 * 1024 * 1024;
/** Incidents take 51 bytes each in their blobs: this is ten million, ten large cities for ten years. */
const INCIDENT_BYTES = 512 * 1024 * 1024;

/** The dependencies of location lookups for an open store, with empty caches. */
export function openPlaces(store: Store, listDatasets: PlaceDeps['listDatasets']): PlaceDeps {
  return {
    store,
    listDatasets,
    areaLayers: createBlobCache(store, AREA_LAYER_BYTES, decodeAreaLayer),
    counties: openNationalCounties(),
    fireCells: createBlobCache(store, FIRE_MAP_BYTES, openFireCells),
    tileCells: createTileCells(store),
    censusCatalogs: createBlobCache(store, CATALOG_BYTES, openCatalog),
    incidentColumns: createBlobCache(store, INCIDENT_BYTES, decodeIncidentColumns),
  };
}
