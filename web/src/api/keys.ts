import type { Static } from 'typebox';
import type { IssuedKeyBody, KeysBody, NewKeyBody } from '../../../src/api/console/keys.ts';
import { request } from './request.ts';

type Keys = Static<typeof KeysBody>;
/** A key as its owner may see it again. */
export type Key = Keys['keys'][number];
export type Environment = Key['environment'];
export type KeyScope = Static<typeof NewKeyBody>['scopes'][number];

/** A key just made, with the text that is shown this once. */
export type NewKey = Static<typeof IssuedKeyBody>;

export async function listKeys(signal?: AbortSignal): Promise<readonly Key[]> {
  const { keys } = await request<Keys>('GET', '/keys', { signal });
  return keys;
}

export function createKey(key: Static<typeof NewKeyBody>): Promise<NewKey> {
  return request('POST', '/keys', { body: key });
}

export function rotateKey(id: string, overlapDays: number): Promise<NewKey> {
  return request('POST', `/keys/${id}/rotate`, { body: { overlap_days: overlapDays } });
}

export async function revokeKey(id: string): Promise<void> {
  await request('POST', `/keys/${id}/revoke`, { body: {} });
}
