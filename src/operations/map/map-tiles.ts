import { createHash } from 'node:crypto';
import { PlumblineError } from '../../errors.ts';
import { touches, type Bounds } from '../../geo/bounds.ts';
import { isTile, type TilePlace } from '../../geo/map-tile.ts';
import { decodeStreetMap } from '../../geo/streets/street-map.ts';
import type { PlaceDeps } from '../../places/deps.ts';
import { createBlobCache } from '../../store/blob-cache.ts';
import type { Dataset } from '../../store/datasets.ts';
import { addressesInBox } from '../../store/map-addresses.ts';
import { remember } from '../remembered-promises.ts';
import { doorsOf } from './doors.ts';
import { drawTile, LAST_ZOOM } from './draw-tile.ts';
import { makeStreetMap, streetSources } from './street-sources.ts';
import { FIRST_ZOOM, tileLayers, type Streets } from './tile-layers.ts';

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
/** Streets kept open: a megabyte for a city of 300,000 addresses. */
const STREET_BYTES = 64 * 1024 * 1024;
/** Versions of which it is remembered that their streets are made. */
const MADE_KEPT = 1000;
/** Houses read for a tile, which is 0.2 miles wide: more than in any block of towers, units included. */
const MOST_ADDRESSES = 20_000;

/** Draws maps of what is loaded, and keeps what was looked at last. One per process. */
export function openMapTiles(places: PlaceDeps): MapTiles {
  const { store } = places;
  const version = async (): Promise<string> => versionOf(await places.listDatasets());
  const made = remember(MADE_KEPT, (datasetId) => makeStreetMap(store, Number(datasetId)));
  const opened = createBlobCache(store, STREET_BYTES, decodeStreetMap);

  const sourcesNear = async (box: Bounds): Promise<Dataset[]> =>
    streetSources(await places.listDatasets()).filter(
      ({ bounds }) => bounds === null || touches(bounds, box),
    );

  const streets: Streets = {
    async linesNear(box) {
      const near = await sourcesNear(box);
      const maps = await Promise.all(
        near.map(async ({ datasetId }) => opened(await made(String(datasetId)))),
      );
      return maps.flatMap((map) => map.linesNear(box));
    },
    async doorsIn(box) {
      const ids = (await sourcesNear(box)).map(({ datasetId }) => datasetId);
      return doorsOf(await addressesInBox(store, ids, box, MOST_ADDRESSES));
    },
  };

  const tiles = remember(TILES_KEPT, async (key) => {
    const place = placeOf(key);
    return drawTile(place, await tileLayers(places, streets, place));
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
const DRAWING = 2;

function versionOf(datasets: readonly Dataset[]): string {
  const ids = datasets.map(({ datasetId, contentHash }) => `${datasetId} ${contentHash}`).sort();
  return createHash('sha256')
    .update(`${DRAWING} ${ids.join(' ')}`)
    .digest('hex')
    .slice(0, 16);
}
