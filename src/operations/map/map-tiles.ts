import { addressesInBox, type MapAddress } from '../../store/address-points.ts';
import type { DatasetKind } from '../../store/tables/datasets.ts';
import { createHash } from 'node:crypto';
import { geoJSONToTile } from '@maplibre/geojson-vt';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import type { Feature, Geometry } from 'geojson';
import { PlumblineError } from '../../errors.ts';
import { shapeOf } from '../../geo/areas/area-map.ts';
import type { AreaShape } from '../../geo/areas/area-shape.ts';
import { touches, type Bounds } from '../../geo/bounds.ts';
import { boundsOfTile, isTile, type TilePlace } from '../../geo/map-tile.ts';
import { censusAreasIn } from '../../places/census-areas.ts';
import type { PlaceDeps } from '../../places/deps.ts';
import type { Dataset } from '../../store/datasets.ts';
import { drawnFeaturesIn, type DrawnFeature } from './map-layers.ts';
import { cached } from '../../promise-cache.ts';

export interface MapTiles {
  /**
   * The version of all data that tiles show. It is cheap to compute, so a client that has the current tile
   * causes no drawing.
   */
  readonly version: () => Promise<string>;
  /** A tile stays the same as long as its version does. Throws `not_found` if there is no such tile. */
  readonly tile: (place: TilePlace) => Promise<{ readonly version: string; readonly bytes: Uint8Array }>;
}

/** About 20 KB each. This is enough for a dozen users at a time. */
const TILES_KEPT = 500;
/** Rows read for one tile, units included. A tile of zoom 14 is 1.1 miles wide in Milwaukee and holds up to 15,000. */
const MAX_ADDRESSES = 20_000;

/**
 * The first zoom at which each layer is drawn. Farther out a tile would hold too much. A tile holds the tracts of a
 * large county at zoom 9 (500), the block groups of a city at 12, and the houses of a neighborhood at 14.
 */
const FIRST_ZOOM = { counties: 3, tracts: 9, blockGroups: 12, addresses: 14 } as const;
/** The last zoom with tiles of its own. Closer views enlarge these. */
const LAST_ZOOM = 16;
/** House numbers are readable only when the last zoom is enlarged. Earlier tiles leave them out to stay small. */
const FIRST_ZOOM_WITH_NUMBERS = 16;

/** Draws map tiles of the loaded data and keeps the latest ones. One per process. */
export function openMapTiles(places: PlaceDeps): MapTiles {
  const version = async (): Promise<string> => versionOf(await places.listDatasets());
  const tiles = cached(TILES_KEPT, async (_version: string, z: number, x: number, y: number) =>
    drawTile({ z, x, y }, await layersOf(places, { z, x, y })),
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
const DRAWING = 4;

function versionOf(datasets: readonly Dataset[]): string {
  const ids = datasets.map(({ datasetId, contentHash }) => `${datasetId} ${contentHash}`).sort();
  return createHash('sha256')
    .update(`${DRAWING} ${ids.join(' ')}`)
    .digest('hex')
    .slice(0, 16);
}

/** A shape on the map with its properties. */
type Drawn = Feature<Geometry, Readonly<Record<string, string>>>;

/** The features of each layer of a tile. */
type TileLayers = Readonly<Record<string, readonly Drawn[]>>;

/** Coordinates of a tile run from 0 to this. */
const EXTENT = 4096;
/** Shapes reach this far into neighboring tiles, so that no line ends at a seam. */
const BUFFER = 64;
/** How far a simplified line may be off, in units of the extent. Three are a third of a pixel. */
const TOLERANCE = 3;

/** Everything that a tile shows, before it is cut to the tile. */
async function layersOf(deps: PlaceDeps, place: TilePlace): Promise<TileLayers> {
  const { z } = place;
  const bounds = boundsOfTile(place, BUFFER / EXTENT);
  const levels = z >= FIRST_ZOOM.blockGroups ? (['tract', 'block_group'] as const) : (['tract'] as const);
  const areas = z >= FIRST_ZOOM.tracts ? await censusAreasIn(deps, bounds, levels) : [];
  const ofLevel = (level: (typeof levels)[number]): Drawn[] =>
    areas
      .filter((area) => area.level === level)
      .map(({ geoid, name, shape }) => drawnArea(shape, name === null ? { geoid } : { geoid, name }));
  const addresses = z >= FIRST_ZOOM.addresses ? await addressPointsIn(deps, bounds) : [];
  const imported = Map.groupBy(await drawnFeaturesIn(deps, bounds, z), ({ layer }) => layer);
  return {
    ...Object.fromEntries([...imported].map(([layer, features]) => [layer, features.flatMap(drawnFeature)])),
    counties: countiesIn(deps, bounds),
    tracts: ofLevel('tract'),
    block_groups: ofLevel('block_group'),
    addresses: addresses.map(({ lat, lon, key_number: number, key_number_suffix: suffix }): Drawn => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [lon, lat] },
      properties: z >= FIRST_ZOOM_WITH_NUMBERS ? { number: number + suffix } : {},
    })),
  };
}

function countiesIn({ counties }: PlaceDeps, bounds: Bounds): Drawn[] {
  const { map, geoids } = counties.all();
  return map.areasNear(bounds).map((area) => {
    const geoid = geoids[area];
    return drawnArea(shapeOf(map, area), { geoid, name: counties.nameOf(geoid) ?? geoid });
  });
}

/** Encodes a Mapbox vector tile. It has no bytes if it shows nothing. Deterministic. */
function drawTile(place: TilePlace, layers: TileLayers): Uint8Array {
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

function drawnArea({ polygons }: AreaShape, properties: Drawn['properties']): Drawn {
  const coordinates = polygons.map((rings) => rings.map(pairsOf));
  return { type: 'Feature', geometry: { type: 'MultiPolygon', coordinates }, properties };
}

/** Names of areas are points: the parts of an area in several tiles would each repeat the name. */
function drawnFeature({ featureClass, name, isLine, shape }: DrawnFeature): Drawn[] {
  const properties: Drawn['properties'] = featureClass === '' ? {} : { class: featureClass };
  if (isLine) {
    const coordinates = shape.polygons.map(([path]) => pairsOf(path));
    const named = { ...properties, ...(name !== null && { name }) };
    return [{ type: 'Feature', geometry: { type: 'MultiLineString', coordinates }, properties: named }];
  }
  const area = drawnArea(shape, properties);
  if (name === null) return [area];
  const label = { type: 'Point' as const, coordinates: middleOf(shape.polygons[0][0]) };
  return [area, { type: 'Feature', geometry: label, properties: { ...properties, name } }];
}

/** The middle of a ring's box. */
function middleOf(ring: Float64Array): [number, number] {
  const [lons, lats] = [ring.filter((_, i) => i % 2 === 0), ring.filter((_, i) => i % 2 === 1)];
  const middle = (values: Float64Array): number => {
    let [low, high] = [Infinity, -Infinity];
    for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
    return (low + high) / 2;
  };
  return [middle(lons), middle(lats)];
}

function pairsOf(flat: Float64Array): [number, number][] {
  return Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i], flat[2 * i + 1]]);
}

/** The first of these that has addresses supplies a market's points. Sales repeat addresses of the other files. */
const ADDRESS_SOURCES: readonly DatasetKind[] = ['addresses', 'parcels', 'sales', 'rents'];

/** The address points in a box. One dataset of each market supplies them, in the order of their ids. */
async function addressPointsIn({ store, listDatasets }: PlaceDeps, box: Bounds): Promise<MapAddress[]> {
  const byMarket = Map.groupBy(await listDatasets(), ({ marketId }) => marketId);
  const sources = [...byMarket.values()].flatMap((own) => {
    const ofKind = (kind: DatasetKind): Dataset | undefined =>
      own.find((dataset) => dataset.kind === kind && dataset.addressCount !== 0);
    return ADDRESS_SOURCES.map(ofKind).find((dataset) => dataset !== undefined) ?? [];
  });
  const ids = sources
    .filter(({ bounds }) => bounds === null || touches(bounds, box))
    .map(({ rowsId }) => rowsId)
    .sort((a, b) => a - b);
  return onePerHouseNumber(await addressesInBox(store, ids, box, MAX_ADDRESSES));
}

/** Units share the point of their building. The order of the rows does not matter. */
function onePerHouseNumber(rows: readonly MapAddress[]): MapAddress[] {
  const points = new Map<string, MapAddress>();
  for (const row of rows) {
    if (row.key_number === '') continue;
    const key = `${streetKeyOf(row)}|${row.key_number}|${row.key_number_suffix}`;
    const known = points.get(key);
    if (!known || comesBefore(row, known)) points.set(key, row);
  }
  return [...points].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
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
