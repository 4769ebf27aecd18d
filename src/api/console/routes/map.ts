import { getMapTile } from '../handlers/map.ts';
import type { ConsoleRoute } from '../console-route.ts';

/** What maps are drawn of. */
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
];
