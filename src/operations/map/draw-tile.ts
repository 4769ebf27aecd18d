import { geoJSONToTile } from '@maplibre/geojson-vt';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import type { Feature, Geometry } from 'geojson';
import type { AreaShape } from '../../geo/areas/area-shape.ts';
import type { TilePlace } from '../../geo/map-tile.ts';

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
