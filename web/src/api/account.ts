import type { Static } from 'typebox';
import type { OwnSessionsBody } from '../../../src/api/console/session.ts';
import { request, setCsrfToken } from './request.ts';
import type { Session } from './session.ts';

type Sessions = Static<typeof OwnSessionsBody>;
/** One browser in which somebody is signed in. */
export type OwnSession = Sessions['sessions'][number];

export async function listSessions(signal?: AbortSignal): Promise<readonly OwnSession[]> {
  const answer = await request<Sessions>('GET', '/sessions', { signal });
  return answer.sessions;
}

export async function revokeSession(id: string): Promise<void> {
  await request('POST', `/sessions/${id}/revoke`, { body: {} });
}

/** Ends every session of the user, and begins a new one here: what changes after it brings that one's token. */
export async function changePassword(current: string, next: string): Promise<void> {
  const body = { current_password: current, new_password: next };
  const session = await request<Session>('POST', '/password', { body });
  setCsrfToken(session.csrf_token);
}
