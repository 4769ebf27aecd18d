import { createHash } from 'node:crypto';
import { geoJSONToTile } from '@maplibre/geojson-vt';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import type { Feature, Geometry } from 'geojson';
import { PlumblineError } from '../errors.ts';
import { shapeOf } from '../geo/areas/area-map.ts';
import type { AreaShape } from '../geo/areas/area-shape.ts';
import { type Bounds, touches } from '../geo/bounds.ts';
import { boundsOfTile, isTile, type TilePlace } from '../geo/map-tile.ts';
import { remember } from './remembered-promises.ts';
import { censusAreasIn } from '../places/census-areas.ts';
import type { PlaceDeps } from '../places/deps.ts';
import type { Dataset } from '../store/datasets.ts';
import { addressesInBox, type MapAddress } from '../store/address-points.ts';
import type { DatasetKind } from '../store/tables/datasets.ts';

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

/** A shape on the map with its properties. */
export type Drawn = Feature<Geometry, Readonly<Record<string, string>>>;

/** The features of each layer of a tile. */
export type TileLayers = Readonly<Record<string, readonly Drawn[]>>;

/** The last zoom with tiles of its own. Closer views enlarge these. */
export const LAST_ZOOM = 16;

/** Coordinates of a tile run from 0 to this. */
const EXTENT = 4096;
/** Shapes reach this far into neighboring tiles, so that no line ends at a seam. */
const BUFFER = 64;
/** How far a simplified line may be off, in units of the extent. Three are a third of a pixel. */
const TOLERANCE = 3;

/** Encodes a Mapbox vector tile. It has no bytes if it shows nothing. Deterministic. */
export function drawTile(place: TilePlace, layers: TileLayers): Uint8Array {
  const { z, x, y } = place;
  const options = { maxZoom: LAST_ZOOM, extent: EXTENT, buffer: BUFFER, tolerance: TOLERANCE, clip: true };
  const drawn = Object.entries(layers)
    .filter(([, features]) => features.length > 0)
    .map(([name, features]) => {
      const collection = { type: 'FeatureCollection' as const, features: [...features] };
      return [name, geoJSONToTile(collection, z, x, y, options)] as const;
    })
    .filter(([, tile]) => tile.features.length > 0);
  if (drawn.length === 0) return new Uint8Array(0);
  return fromGeojsonVt(Object.fromEntries(drawn), { version: 2, extent: EXTENT });
}

export function drawnPoint(lat: number, lon: number, properties: Drawn['properties']): Drawn {
  return { type: 'Feature', geometry: { type: 'Point', coordinates: [lon, lat] }, properties };
}

export function drawnArea({ polygons }: AreaShape, properties: Drawn['properties']): Drawn {
  const coordinates = polygons.map((rings) => rings.map(pairsOf));
  return { type: 'Feature', geometry: { type: 'MultiPolygon', coordinates }, properties };
}

function pairsOf(flat: Float64Array): [number, number][] {
  return Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i], flat[2 * i + 1]]);
}

/** One building with its house number. */
export interface AddressPoint {
  readonly lat: number;
  readonly lon: number;
  readonly number: string;
}

/** The first of these that has addresses supplies a market's points. Sales repeat addresses of the other files. */
const ADDRESS_SOURCES: readonly DatasetKind[] = ['addresses', 'parcels', 'sales', 'rents'];

/** The datasets that supply address points: one per market, ordered by id. */
export function addressSources(datasets: readonly Dataset[]): Dataset[] {
  const byMarket = Map.groupBy(datasets, ({ marketId }) => marketId);
  return [...byMarket.values()]
    .flatMap((own) => {
      const ofKind = (kind: DatasetKind): Dataset | undefined =>
        own.find((dataset) => dataset.kind === kind && dataset.addressCount !== 0);
      return ADDRESS_SOURCES.map(ofKind).find((dataset) => dataset !== undefined) ?? [];
    })
    .sort((a, b) => a.datasetId - b.datasetId);
}

/** One point per house number. Units share the point of their building. The order of the rows does not matter. */
export function addressPointsOf(rows: readonly MapAddress[]): AddressPoint[] {
  const points = new Map<string, MapAddress>();
  for (const row of rows) {
    if (row.key_number === '') continue;
    const key = `${streetKeyOf(row)}|${row.key_number}|${row.key_number_suffix}`;
    const known = points.get(key);
    if (!known || comesBefore(row, known)) points.set(key, row);
  }
  return [...points]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { lat, lon, key_number, key_number_suffix }]) => ({
      lat,
      lon,
      number: key_number + key_number_suffix,
    }));
}

/** "N MAIN ST" and "MAIN ST N" are one street, as in src/domain/address-key.ts. */
function streetKeyOf(row: MapAddress): string {
  const { key_pre_direction: pre, key_post_direction: post } = row;
  const direction = pre < post ? pre + post : post + pre;
  return `${direction}|${row.key_street_name}|${row.key_street_type}`;
}

function comesBefore(a: MapAddress, b: MapAddress): boolean {
  if (a.key_unit !== b.key_unit && (a.key_unit === '' || b.key_unit === '')) return a.key_unit === '';
  return a.lat === b.lat ? a.lon < b.lon : a.lat < b.lat;
}
