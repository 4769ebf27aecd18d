import { createHash } from 'node:crypto';
import { PlumblineError } from '../../errors.ts';
import { touches } from '../../geo/bounds.ts';
import { isTile, type TilePlace } from '../../geo/map-tile.ts';
import type { PlaceDeps } from '../../places/deps.ts';
import type { Dataset } from '../../store/datasets.ts';
import { addressesInBox } from '../../store/map-addresses.ts';
import { remember } from '../remembered-promises.ts';
import { addressPointsOf, addressSources } from './address-points.ts';
import { drawTile, LAST_ZOOM } from './draw-tile.ts';
import { FIRST_ZOOM, tileLayers, type ReadAddressPoints } from './tile-layers.ts';

/** A tile and the version of the data that it shows. The tile stays the same as long as the version does. */
export interface MapTile {
  readonly version: string;
  readonly bytes: Uint8Array;
}

export interface MapTiles {
  /**
   * The version of all data that tiles show. It is cheap to compute, so a client that has the current tile
   * causes no drawing.
   */
  readonly version: () => Promise<string>;
  /** Throws `not_found` if there is no such tile. */
  readonly tile: (place: TilePlace) => Promise<MapTile>;
}

/** About 20 KB each. This is enough for a dozen users at a time. */
const TILES_KEPT = 500;
/** Rows read for one tile, units included. A tile of zoom 14 is 1.1 miles wide in Milwaukee and holds up to 15,000. */
const MOST_ADDRESSES = 20_000;

/** Draws map tiles of the loaded data and keeps the latest ones. One per process. */
export function openMapTiles(places: PlaceDeps): MapTiles {
  const { store } = places;
  const version = async (): Promise<string> => versionOf(await places.listDatasets());

  const readAddressPoints: ReadAddressPoints = async (box) => {
    const sources = addressSources(await places.listDatasets());
    const near = sources.filter(({ bounds }) => bounds === null || touches(bounds, box));
    const ids = near.map(({ datasetId }) => datasetId);
    return addressPointsOf(await addressesInBox(store, ids, box, MOST_ADDRESSES));
  };

  const tiles = remember(TILES_KEPT, async (_version: string, z: number, x: number, y: number) =>
    drawTile({ z, x, y }, await tileLayers(places, readAddressPoints, { z, x, y })),
  );

  return {
    version,
    async tile(place) {
      if (!isTile(place) || place.z > LAST_ZOOM || place.z < FIRST_ZOOM.counties) {
        throw new PlumblineError(
          'not_found',
          `There is no such tile. The map has zooms ${FIRST_ZOOM.counties} to ${LAST_ZOOM}, each 2^zoom tiles wide.`,
        );
      }
      const at = await version();
      return { version: at, bytes: await tiles(at, place.z, place.x, place.y) };
    },
  };
}

/** Raise this number when the same data is drawn differently, so that browsers drop their cached tiles. */
const DRAWING = 3;

function versionOf(datasets: readonly Dataset[]): string {
  const ids = datasets.map(({ datasetId, contentHash }) => `${datasetId} ${contentHash}`).sort();
  return createHash('sha256')
    .update(`${DRAWING} ${ids.join(' ')}`)
    .digest('hex')
    .slice(0, 16);
}
