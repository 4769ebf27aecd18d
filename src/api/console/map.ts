import { censusHere } from '../../operations/places/census-variables.ts';
import { completeAddress } from '../../operations/locate-place.ts';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { PlumblineError } from '../../errors.ts';
import type { TilePlace } from '../../geo/map-tile.ts';
import { PLACE_LAYERS, placeLayerAt } from '../../operations/places/place-layer.ts';
import { integer, nullable, number, oneOf, optional, responseObject, string } from '../../schemas/members.ts';
import { headerText, pathParameter } from '../request-context.ts';
import { type ConsoleRoute, get, getFile } from './console-route.ts';

const CensusHereQuery = Type.Object({
  latitude: number(undefined, { minimum: -90, maximum: 90 }),
  longitude: number(undefined, { minimum: -180, maximum: 180 }),
});

export const CensusHereBody = responseObject('CensusHere', {
  county: nullable.string('GEOID of the county; null outside all counties.'),
  years: Type.Array(integer(), {
    description: 'Years with loaded figures for an area around the place, newest first.',
  }),
});

const ADDRESSES_LISTED = 8;

const AddressesQuery = Type.Object({
  query: string('The beginning of an address.', { minLength: 1, maxLength: 200 }),
  limit: optional.integer('Maximum number of addresses to list.', {
    minimum: 1,
    maximum: 20,
    default: ADDRESSES_LISTED,
  }),
});

export const AddressesBody = responseObject('LoadedAddresses', {
  addresses: Type.Array(
    responseObject('LoadedAddress', {
      address: string(),
      latitude: number(),
      longitude: number(),
      market: string(),
    }),
    { description: 'Best match first; empty if none begins with the query.' },
  ),
});

const PlaceLayerQuery = Type.Object({
  layer: oneOf(PLACE_LAYERS),
  latitude: number(undefined, { minimum: -90, maximum: 90 }),
  longitude: number(undefined, { minimum: -180, maximum: 180 }),
  census_key: optional.string('The figure of the layer `census`, by tract.', { maxLength: 100 }),
});

export const PlaceLayerBody = responseObject('PlaceLayer', {
  classes: Type.Array(string(), { description: 'Names of the classes, lowest first.' }),
  areas: Type.Array(
    responseObject('PlaceLayerArea', {
      id: string(),
      label: string(),
      class_index: integer('Position in `classes`.'),
      outline: Type.Unsafe<[number, number][][][]>({
        type: 'array',
        items: {},
        description: 'Coordinates of a GeoJSON MultiPolygon.',
      }),
    }),
  ),
});

/** After a minute, browsers ask whether a tile changed. Proxies must not cache tiles: they show the operator's data. */
const TILE_CACHE = 'private, max-age=60';

function tilePlaceOf(request: FastifyRequest): TilePlace {
  const number = (name: string): number => {
    const text = pathParameter(request, name);
    return /^\d{1,8}$/.test(text) ? Number(text) : Number.NaN;
  };
  return { z: number('z'), x: number('x'), y: number('y') };
}

function isKnown(request: FastifyRequest, version: string): boolean {
  return (headerText(request.headers['if-none-match']) ?? '').includes(`"${version}"`);
}

/** Map tiles, address suggestions, and the census years available at a place. */
export const MAP_ROUTES: readonly ConsoleRoute[] = [
  getFile('/console/api/map/{z}/{x}/{y}', 'readMapTile', 'signed_in', {
    responseType: 'application/vnd.mapbox-vector-tile',
    handle: async ({ deps, request, reply }) => {
      const { mapTiles } = deps;
      const place = tilePlaceOf(request);
      const version = await mapTiles.version();
      const tile = isKnown(request, version) ? null : await mapTiles.tile(place);
      reply.header('cache-control', TILE_CACHE).header('etag', `"${tile?.version ?? version}"`);
      if (tile === null) return reply.code(304).send();
      return reply.type('application/vnd.mapbox-vector-tile').send(Buffer.from(tile.bytes));
    },
  }),
  getFile('/console/api/basemap/{z}/{x}/{y}', 'readBasemapTile', 'signed_in', {
    responseType: 'application/vnd.mapbox-vector-tile',
    handle: async ({ deps: { basemap }, request, reply }) => {
      if (basemap === null) {
        throw new PlumblineError('not_found', 'There is no basemap: BASEMAP_PMTILES is not set.');
      }
      const { version, contentType } = basemap;
      const tile = isKnown(request, version) ? null : await basemap.tile(tilePlaceOf(request));
      reply.header('cache-control', TILE_CACHE).header('etag', `"${version}"`);
      if (isKnown(request, version)) return reply.code(304).send();
      if (tile === null) return reply.code(204).send();
      return reply.type(contentType).send(Buffer.from(tile));
    },
  }),
  get('/console/api/addresses', 'completeAddress', 'signed_in', {
    input: AddressesQuery,
    response: AddressesBody,
    handle: async ({ deps, read }) => {
      const { query, limit } = read();
      const found = await completeAddress(deps.operations, query, limit ?? ADDRESSES_LISTED);
      const addresses = found.map(({ formattedAddress, latitude, longitude, marketId }) => {
        return { address: formattedAddress, latitude, longitude, market: marketId };
      });
      return { addresses };
    },
  }),
  // Classes only, as the tiles show: exact figures are read and charged through the API's operations.
  get('/console/api/place-layer', 'readPlaceLayer', 'signed_in', {
    input: PlaceLayerQuery,
    response: PlaceLayerBody,
    handle: async ({ deps, read }) => {
      const { layer, latitude, longitude, census_key: censusKey = null } = read();
      return placeLayerAt(deps.operations.places, { layer, lat: latitude, lon: longitude, censusKey });
    },
  }),
  // The years only. The figures are read and charged through the API's operation.
  get('/console/api/census-here', 'readCensusHere', 'signed_in', {
    input: CensusHereQuery,
    response: CensusHereBody,
    handle: async ({ deps, read }) => {
      const { latitude, longitude } = read();
      return censusHere(deps.operations.places, latitude, longitude);
    },
  }),
];
