import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { completeAddress } from '../../operations/complete-address.ts';
import { censusHere } from '../../operations/places/census-here.ts';
import { integer, nullable, number, responseObject, string } from '../../schemas/members.ts';
import { headerText, pathParameter } from '../request-context.ts';
import { readRequest } from '../request/read-http-request.ts';
import { createRequestReader } from '../request/read-request.ts';
import type { ApiDeps } from '../route.ts';
import type { ConsoleRoute } from './console-route.ts';

const CensusHereQuery = Type.Object(
  {
    latitude: Type.Number({ minimum: -90, maximum: 90 }),
    longitude: Type.Number({ minimum: -180, maximum: 180 }),
  },
  { title: 'CensusHereQuery' },
);

export const CensusHereBody = responseObject('CensusHere', {
  county: nullable.string('GEOID of the county; null outside all of them.'),
  years: Type.Array(integer(), {
    description: 'Of which figures of an area that holds the place are loaded, newest first.',
  }),
});

/** More would not be looked through while typing. */
const MOST_SUGGESTIONS = 20;

const AddressesQuery = Type.Object(
  {
    query: string('An address as far as it is typed.', { minLength: 1, maxLength: 200 }),
    limit: Type.Optional(
      Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        minimum: 1,
        maximum: MOST_SUGGESTIONS,
        default: 8,
        description: 'How many at most.',
      }),
    ),
  },
  { title: 'AddressesQuery' },
);

const LoadedAddressBody = responseObject('LoadedAddress', {
  address: string(),
  latitude: number(),
  longitude: number(),
  market: string(),
});

const AddressesBody = responseObject('LoadedAddresses', {
  addresses: Type.Array(LoadedAddressBody, { description: 'Best first; empty where none begins so.' }),
});

/**
 * A browser asks again after so long whether a tile still holds; that costs no drawing. Kept by it alone: the map shows what
 * was loaded here.
 */
const KEPT = 'private, max-age=60';

/** A square of the map; 304 where the browser has it as it is. */
async function getMapTile(deps: ApiDeps, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const number = (name: string): number => {
    const text = pathParameter(request, name);
    return /^\d{1,8}$/.test(text) ? Number(text) : Number.NaN;
  };
  const { mapTiles } = deps;
  const place = { z: number('z'), x: number('x'), y: number('y') };
  const version = await mapTiles.version();
  const known = headerText(request.headers['if-none-match']) ?? '';
  const isKnown = known.includes(`"${version}"`);
  const tile = isKnown ? null : await mapTiles.tile(place);
  reply.header('cache-control', KEPT).header('etag', `"${tile?.version ?? version}"`);
  if (tile === null) return reply.code(304).send();
  return reply.type('application/vnd.mapbox-vector-tile').send(Buffer.from(tile.bytes));
}

const hereRequest = createRequestReader<typeof CensusHereQuery, Static<typeof CensusHereQuery>>({
  schema: CensusHereQuery,
  check: () => [],
  build: (asked) => asked,
});

/** Which years may be chosen at a place; the figures themselves are asked for, and charged, as by a key. */
async function getCensusHere(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Static<typeof CensusHereBody>> {
  const { latitude, longitude } = readRequest(deps, request, reply, hereRequest);
  const { county, years } = await censusHere(deps.operations.places, latitude, longitude);
  return { county, years: [...years] };
}

const FEW = 8;

const addressesRequest = createRequestReader<typeof AddressesQuery, { query: string; limit: number }>({
  schema: AddressesQuery,
  check: () => [],
  build: ({ query, limit }) => ({ query, limit: limit ?? FEW }),
});

/** What somebody who is typing an address may mean. */
async function getAddresses(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Static<typeof AddressesBody>> {
  const { query, limit } = readRequest(deps, request, reply, addressesRequest);
  const found = await completeAddress(deps.operations, query, limit);
  return {
    addresses: found.map(({ formattedAddress, latitude, longitude, marketId }) => ({
      address: formattedAddress,
      latitude,
      longitude,
      market: marketId,
    })),
  };
}

/** What maps are drawn of, addresses as they are typed, and what there is to choose from at a place. */
export const MAP_ROUTES: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/console/api/map/{z}/{x}/{y}',
    operationId: 'readMapTile',
    access: 'signed_in',
    response: null,
    responseType: 'application/vnd.mapbox-vector-tile',
    handle: getMapTile,
  },
  {
    method: 'GET',
    path: '/console/api/addresses',
    operationId: 'completeAddress',
    access: 'signed_in',
    query: AddressesQuery,
    response: AddressesBody,
    handle: getAddresses,
  },
  {
    method: 'GET',
    path: '/console/api/census-here',
    operationId: 'readCensusHere',
    access: 'signed_in',
    query: CensusHereQuery,
    response: CensusHereBody,
    handle: getCensusHere,
  },
];
