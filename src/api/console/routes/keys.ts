import { getKeys, postKey, postRevokeKey, postRotateKey } from '../handlers/keys.ts';
import type { ConsoleRoute } from '../console-route.ts';
import { IssuedKeyBody, KeyBody, KeysBody, NewKeyBody, RotateKeyBody } from '../schemas/keys.ts';

/** Keys of the account of whoever is signed in. */
export const KEY_ROUTES: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/console/api/keys',
    operationId: 'listKeys',
    access: 'administrator',
    answer: KeysBody,
    handle: getKeys,
  },
  {
    method: 'POST',
    path: '/console/api/keys',
    operationId: 'createKey',
    access: 'administrator',
    body: NewKeyBody,
    answer: IssuedKeyBody,
    handle: postKey,
  },
  {
    method: 'POST',
    path: '/console/api/keys/{id}/rotate',
    operationId: 'rotateKey',
    access: 'administrator',
    body: RotateKeyBody,
    answer: IssuedKeyBody,
    handle: postRotateKey,
  },
  {
    method: 'POST',
    path: '/console/api/keys/{id}/revoke',
    operationId: 'revokeKey',
    access: 'administrator',
    answer: KeyBody,
    handle: postRevokeKey,
  },
];
