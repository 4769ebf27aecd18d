import { createHash } from 'node:crypto';
import { isTile, type TilePlace } from '../../geo/map-tile.ts';
import { PlumblineError } from '../../errors.ts';
import { touches } from '../../geo/bounds.ts';
import { boundsOfTile } from '../../geo/map-tile.ts';
import type { PlaceDeps } from '../../places/deps.ts';
import type { Dataset, DatasetKind } from '../../store/datasets.ts';
import { remember } from '../remembered-promises.ts';
import { drawTile, LAST_ZOOM } from './draw-tile.ts';
import { readStreetBlock } from './street-block.ts';
import { FIRST_ZOOM, tileLayers } from './tile-layers.ts';

/** A tile and the name of what it was made of: as long as that stays, so does the tile. */
export interface MapTile {
  readonly version: string;
  readonly bytes: Uint8Array;
}

export interface MapTiles {
  /** Of everything that tiles are made of. Cheap: what a caller has already is not drawn again. */
  readonly version: () => Promise<string>;
  /** Throws `not_found` where there is no such tile. */
  readonly tile: (place: TilePlace) => Promise<MapTile>;
}

/** Some 20 KB each: what a dozen people look at. */
const TILES_KEPT = 500;
/** Half a megabyte each in a dense city. */
const BLOCKS_KEPT = 64;

/** Where a market's streets come from: the first of these that has addresses. Sales repeat what a survey has. */
const STREET_SOURCES: readonly DatasetKind[] = ['addresses', 'parcels', 'sales', 'rents'];

/** Draws maps of what is loaded, and keeps what was looked at last. One per process. */
export function openMapTiles(places: PlaceDeps): MapTiles {
  const version = async (): Promise<string> => versionOf(await places.listDatasets());

  const blocks = remember(BLOCKS_KEPT, async (key) => {
    const place = placeOf(key);
    const sources = streetSources(await places.listDatasets());
    const near = sources.filter(({ bounds }) => bounds === null || touches(bounds, boundsOfTile(place, 1)));
    return readStreetBlock(
      places.store,
      near.map(({ datasetId }) => datasetId),
      place,
    );
  });

  const tiles = remember(TILES_KEPT, async (key) => {
    const [at] = key.split(' ');
    const place = placeOf(key);
    return drawTile(place, await tileLayers(places, (block) => blocks(keyOf(at, block)), place));
  });

  return {
    version,
    async tile(place) {
      if (!isTile(place) || place.z > LAST_ZOOM || place.z < FIRST_ZOOM.counties) {
        throw new PlumblineError(
          'not_found',
          `There is no such tile: the map has zooms ${FIRST_ZOOM.counties} to ${LAST_ZOOM}, each 2^zoom tiles wide.`,
        );
      }
      const at = await version();
      return { version: at, bytes: await tiles(keyOf(at, place)) };
    },
  };
}

function keyOf(version: string, { z, x, y }: TilePlace): string {
  return `${version} ${z} ${x} ${y}`;
}

function placeOf(key: string): TilePlace {
  const [, z, x, y] = key.split(' ').map(Number);
  return { z, x, y };
}

/** Raised when the same data is drawn in another way, so that no browser keeps the old tiles. */
const DRAWING = 1;

function versionOf(datasets: readonly Dataset[]): string {
  const ids = datasets.map(({ datasetId, contentHash }) => `${datasetId} ${contentHash}`).sort();
  return createHash('sha256')
    .update(`${DRAWING} ${ids.join(' ')}`)
    .digest('hex')
    .slice(0, 16);
}

function streetSources(datasets: readonly Dataset[]): Dataset[] {
  const byMarket = Map.groupBy(datasets, ({ marketId }) => marketId);
  return [...byMarket.values()]
    .flatMap((own) => {
      const ofKind = (kind: DatasetKind): Dataset | undefined =>
        own.find((dataset) => dataset.kind === kind && dataset.addressCount !== 0);
      return STREET_SOURCES.map(ofKind).find((dataset) => dataset !== undefined) ?? [];
    })
    .sort((a, b) => a.datasetId - b.datasetId);
}
