import { decodeAreaLayer } from '../geo/areas/area-layer.ts';
import { createBlobCache } from '../store/blob-cache.ts';
import type { Store } from '../store/store.ts';
import type { PlaceDeps } from './deps.ts';
import { createTileCells, openFireCells } from './fire-cells.ts';
import { openNationalCounties } from './national-counties.ts';

/** Layers of areas kept open: the block groups and flood zones of some twenty large counties. */
const AREA_LAYER_BYTES = 256 * 1024 * 1024;
/** Descriptions of rasters are a few hundred bytes each. */
const FIRE_MAP_BYTES = 1024 * 1024;

/** What look-ups of places need, around an open store, with empty caches. */
export function openPlaces(store: Store, listDatasets: PlaceDeps['listDatasets']): PlaceDeps {
  return {
    store,
    listDatasets,
    areaLayers: createBlobCache(store, AREA_LAYER_BYTES, decodeAreaLayer),
    counties: openNationalCounties(),
    fireCells: createBlobCache(store, FIRE_MAP_BYTES, openFireCells),
    tileCells: createTileCells(store),
  };
}
