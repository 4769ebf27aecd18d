import type { Static } from 'typebox';
import type { SessionBody } from '../../../src/api/console/session.ts';
import type { ConsoleSettingsBody } from '../../../src/api/console/settings.ts';
import { request } from './request.ts';

/** Who is signed in, for which account. */
export type Session = Static<typeof SessionBody>;
export type Role = Session['user']['role'];
export const ROLES = ['administrator', 'member'] as const satisfies readonly Role[];

/** What the console as a whole should know of its server. */
export type Settings = Static<typeof ConsoleSettingsBody>;

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
