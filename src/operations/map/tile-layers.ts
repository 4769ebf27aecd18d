import { shapeOf } from '../../geo/areas/area-map.ts';
import type { Bounds } from '../../geo/bounds.ts';
import { boundsOfTile, type TilePlace } from '../../geo/map-tile.ts';
import type { StreetLine } from '../../geo/streets/street-map.ts';
import { censusAreasIn } from '../../places/census-areas.ts';
import type { PlaceDeps } from '../../places/deps.ts';
import type { Door } from './doors.ts';
import { drawnArea, drawnLines, drawnPoint, type Drawn, type TileLayers } from './draw-tile.ts';

/**
 * From which zoom a layer is drawn. Farther out a tile would hold too much: at 9 the tracts of a large county (500), at 12 the
 * block groups and the streets of a city, at 16 the houses of a few blocks.
 */
export const FIRST_ZOOM = { counties: 3, tracts: 9, block_groups: 12, streets: 12, addresses: 16 } as const;

export type MapLayer = keyof typeof FIRST_ZOOM;

/** Tiles overlap by 64 of 4,096. */
const MARGIN = 1 / 64;

/** What addresses tell of a box. */
export interface Streets {
  readonly linesNear: (bounds: Bounds) => Promise<readonly StreetLine[]>;
  readonly doorsIn: (bounds: Bounds) => Promise<readonly Door[]>;
}

/** Everything that a tile shows, before it is cut to the tile. */
export async function tileLayers(deps: PlaceDeps, streets: Streets, place: TilePlace): Promise<TileLayers> {
  const shows = (layer: MapLayer): boolean => place.z >= FIRST_ZOOM[layer];
  const bounds = boundsOfTile(place, MARGIN);
  const lines = shows('streets') ? await streets.linesNear(bounds) : [];
  const doors = shows('addresses') ? await streets.doorsIn(bounds) : [];
  return {
    counties: shows('counties') ? countiesIn(deps, bounds) : [],
    ...(shows('tracts') ? await censusLayers(deps, bounds, shows('block_groups')) : {}),
    streets: [...Map.groupBy(lines, ({ name }) => name)].map(([name, own]) =>
      drawnLines(
        own.map(({ line }) => line),
        { name },
      ),
    ),
    addresses: doors.map(({ lat, lon, number }) => drawnPoint(lat, lon, { number })),
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
