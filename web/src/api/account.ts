import { request, setCsrfToken } from './request.ts';
import type { Session } from './session.ts';

/** One browser in which somebody is signed in. */
export interface OwnSession {
  readonly id: string;
  readonly created_at: string;
  readonly last_seen_at: string;
  readonly expires_at: string;
  readonly ip: string | null;
  readonly user_agent: string | null;
  readonly is_current: boolean;
}

export async function listSessions(signal?: AbortSignal): Promise<readonly OwnSession[]> {
  const answer = await request<{ readonly sessions: readonly OwnSession[] }>('GET', '/sessions', { signal });
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
