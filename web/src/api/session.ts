import { request } from './request.ts';

export const ROLES = ['administrator', 'member'] as const;
export type Role = (typeof ROLES)[number];

/** Who is signed in, for which account. */
export interface Session {
  readonly user: { readonly id: string; readonly name: string; readonly role: Role };
  readonly account: { readonly id: string; readonly name: string; readonly plan: string };
  /** An administrator of the installation's own account: manages accounts and plans. */
  readonly is_operator: boolean;
  readonly csrf_token: string;
  readonly expires_at: string;
}

/** What the console as a whole should know of its server. */
export interface Settings {
  readonly version: string;
  readonly map_tiles_url: string | null;
  readonly is_sample: boolean;
  readonly extent: {
    readonly west: number;
    readonly south: number;
    readonly east: number;
    readonly north: number;
  } | null;
}

export function readSession(signal?: AbortSignal): Promise<Session> {
  return request('GET', '/session', { signal });
}

export function signIn(name: string, password: string): Promise<Session> {
  return request('POST', '/sign-in', { body: { name, password } });
}

export async function signOut(): Promise<void> {
  await request('POST', '/sign-out', { body: {} });
}

export function readSettings(signal?: AbortSignal): Promise<Settings> {
  return request('GET', '/settings', { signal });
}
