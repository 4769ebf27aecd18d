import { shapeOf } from '../../geo/areas/area-map.ts';
import { boundsOfTile, tilesOfZoom, type TilePlace } from '../../geo/map-tile.ts';
import { censusAreasIn } from '../../places/census-areas.ts';
import type { PlaceDeps } from '../../places/deps.ts';
import { drawnArea, drawnLines, drawnPoint, type Drawn, type TileLayers } from './draw-tile.ts';
import { BLOCK_ZOOM, type StreetBlock } from './street-block.ts';

/**
 * From which zoom a layer is drawn. Farther out a tile would hold too much: at 9 the tracts of a large county (500), at 12 the
 * block groups of a city, at 13 the streets of four blocks, at 16 the houses of one sixteenth of a block.
 */
export const FIRST_ZOOM = { counties: 3, tracts: 9, block_groups: 12, streets: 13, addresses: 16 } as const;

export type MapLayer = keyof typeof FIRST_ZOOM;

/** Tiles overlap by 64 of 4,096. */
const MARGIN = 1 / 64;

/** The streets and houses of a square of BLOCK_ZOOM. */
export type ReadBlock = (block: TilePlace) => Promise<StreetBlock>;

/** Everything that a tile shows, before it is cut to the tile. */
export async function tileLayers(
  deps: PlaceDeps,
  readBlock: ReadBlock,
  place: TilePlace,
): Promise<TileLayers> {
  const shows = (layer: MapLayer): boolean => place.z >= FIRST_ZOOM[layer];
  const bounds = boundsOfTile(place, MARGIN);
  const levels = [
    ...(shows('tracts') ? (['tract'] as const) : []),
    ...(shows('block_groups') ? (['block_group'] as const) : []),
  ];
  const areas = levels.length > 0 ? await censusAreasIn(deps, bounds, levels) : [];
  const ofLevel = (level: (typeof levels)[number]): Drawn[] =>
    areas
      .filter((area) => area.level === level)
      .map(({ geoid, name, shape }) => drawnArea(shape, name === null ? { geoid } : { geoid, name }));
  return {
    counties: shows('counties') ? countiesIn(deps, place) : [],
    tracts: ofLevel('tract'),
    block_groups: ofLevel('block_group'),
    ...(shows('streets') ? await streetLayers(readBlock, place, shows('addresses')) : {}),
  };
}

function countiesIn({ counties }: PlaceDeps, place: TilePlace): Drawn[] {
  const { map, geoids } = counties.all();
  return map.areasNear(boundsOfTile(place, MARGIN)).map((area) => {
    const geoid = geoids[area];
    return drawnArea(shapeOf(map, area), { geoid, name: counties.nameOf(geoid) ?? geoid });
  });
}

async function streetLayers(readBlock: ReadBlock, place: TilePlace, withDoors: boolean): Promise<TileLayers> {
  const streets: Drawn[] = [];
  const addresses: Drawn[] = [];
  for (const block of tilesOfZoom(place, BLOCK_ZOOM)) {
    const read = await readBlock(block);
    for (const { name, lines } of read.streets) streets.push(drawnLines(lines, { name }));
    if (withDoors) {
      for (const { lat, lon, number } of read.doors) addresses.push(drawnPoint(lat, lon, { number }));
    }
  }
  return { streets, addresses };
}
