import { shapeOf } from '../../geo/areas/area-map.ts';
import type { Bounds } from '../../geo/bounds.ts';
import { boundsOfTile, type TilePlace } from '../../geo/map-tile.ts';
import { censusAreasIn } from '../../places/census-areas.ts';
import type { PlaceDeps } from '../../places/deps.ts';
import type { AddressPoint } from './address-points.ts';
import { drawnArea, drawnPoint, type Drawn, type TileLayers } from './draw-tile.ts';

/**
 * The first zoom at which each layer is drawn. Farther out a tile would hold too much. A tile holds the tracts of a
 * large county at zoom 9 (500), the block groups of a city at 12, and the houses of a neighborhood at 14.
 */
export const FIRST_ZOOM = { counties: 3, tracts: 9, block_groups: 12, addresses: 14 } as const;

export type MapLayer = keyof typeof FIRST_ZOOM;

/** House numbers are readable only when the last zoom is enlarged. Earlier tiles leave them out to stay small. */
const FIRST_ZOOM_WITH_NUMBERS = 16;

/** Tiles overlap by 64 of 4,096 units. */
const MARGIN = 1 / 64;

/** Reads the address points in a box. */
export type ReadAddressPoints = (bounds: Bounds) => Promise<readonly AddressPoint[]>;

/** Everything that a tile shows, before it is cut to the tile. */
export async function tileLayers(
  deps: PlaceDeps,
  readAddressPoints: ReadAddressPoints,
  place: TilePlace,
): Promise<TileLayers> {
  const shows = (layer: MapLayer): boolean => place.z >= FIRST_ZOOM[layer];
  const bounds = boundsOfTile(place, MARGIN);
  const points = shows('addresses') ? await readAddressPoints(bounds) : [];
  const withNumbers = place.z >= FIRST_ZOOM_WITH_NUMBERS;
  return {
    counties: shows('counties') ? countiesIn(deps, bounds) : [],
    ...(shows('tracts') ? await censusLayers(deps, bounds, shows('block_groups')) : {}),
    addresses: points.map(({ lat, lon, number }) => drawnPoint(lat, lon, withNumbers ? { number } : {})),
  };
}

async function censusLayers(deps: PlaceDeps, bounds: Bounds, withBlockGroups: boolean): Promise<TileLayers> {
  const levels = withBlockGroups ? (['tract', 'block_group'] as const) : (['tract'] as const);
  const areas = await censusAreasIn(deps, bounds, levels);
  const ofLevel = (level: (typeof levels)[number]): Drawn[] =>
    areas
      .filter((area) => area.level === level)
      .map(({ geoid, name, shape }) => drawnArea(shape, name === null ? { geoid } : { geoid, name }));
  return { tracts: ofLevel('tract'), block_groups: ofLevel('block_group') };
}

function countiesIn({ counties }: PlaceDeps, bounds: Bounds): Drawn[] {
  const { map, geoids } = counties.all();
  return map.areasNear(bounds).map((area) => {
    const geoid = geoids[area];
    return drawnArea(shapeOf(map, area), { geoid, name: counties.nameOf(geoid) ?? geoid });
  });
}
