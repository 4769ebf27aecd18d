import { request } from './request.ts';

export const ENVIRONMENTS = ['live', 'test'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/** A key as its owner may see it again. */
export interface Key {
  readonly id: string;
  readonly name: string;
  readonly environment: Environment;
  readonly scopes: readonly string[];
  readonly last_characters: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
}

/** A key just made, with the text that is shown this once. */
export type NewKey = Key & { readonly key: string };

export async function listKeys(signal?: AbortSignal): Promise<readonly Key[]> {
  const { keys } = await request<{ readonly keys: readonly Key[] }>('GET', '/keys', { signal });
  return keys;
}

export function createKey(key: {
  readonly name: string;
  readonly environment: Environment;
  readonly scopes: readonly string[];
  readonly expires_at: string | null;
}): Promise<NewKey> {
  return request('POST', '/keys', { body: key });
}

export function rotateKey(id: string, overlapDays: number): Promise<NewKey> {
  return request('POST', `/keys/${id}/rotate`, { body: { overlap_days: overlapDays } });
}

export async function revokeKey(id: string): Promise<void> {
  await request('POST', `/keys/${id}/revoke`, { body: {} });
}
