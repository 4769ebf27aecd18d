import { getAddresses } from '../handlers/addresses.ts';
import { getCensusHere } from '../handlers/census-here.ts';
import { getMapTile } from '../handlers/map.ts';
import type { ConsoleRoute } from '../console-route.ts';
import { AddressesBody, AddressesQuery } from '../schemas/addresses.ts';
import { CensusHereBody, CensusHereQuery } from '../schemas/census-here.ts';

/** What maps are drawn of, addresses as they are typed, and what there is to choose from at a place. */
export const MAP_ROUTES: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/console/api/map/{z}/{x}/{y}',
    operationId: 'readMapTile',
    access: 'signed_in',
    answer: null,
    answerType: 'application/vnd.mapbox-vector-tile',
    handle: getMapTile,
  },
  {
    method: 'GET',
    path: '/console/api/addresses',
    operationId: 'completeAddress',
    access: 'signed_in',
    query: AddressesQuery,
    answer: AddressesBody,
    handle: getAddresses,
  },
  {
    method: 'GET',
    path: '/console/api/census-here',
    operationId: 'readCensusHere',
    access: 'signed_in',
    query: CensusHereQuery,
    answer: CensusHereBody,
    handle: getCensusHere,
  },
];
