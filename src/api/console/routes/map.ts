import { getAddresses } from '../handlers/addresses.ts';
import { getMapTile } from '../handlers/map.ts';
import type { ConsoleRoute } from '../console-route.ts';
import { AddressesBody, AddressesQuery } from '../schemas/addresses.ts';

/** What maps are drawn of, and addresses as they are typed. */
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
];
