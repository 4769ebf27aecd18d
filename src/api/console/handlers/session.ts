import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { changePassword } from '../../../accounts/change-password.ts';
import { isOperator } from '../../../accounts/roles.ts';
import {
  findLiveSession,
  NO_SUCH_SESSION,
  ownSessions,
  revokeSession,
  signOut,
  type Client,
  type NewSession,
  type Session,
} from '../../../accounts/sessions.ts';
import { signIn } from '../../../accounts/sign-in.ts';
import { PlumblineError } from '../../../errors.ts';
import type { ApiDeps } from '../../deps.ts';
import { readingOf } from '../../handlers/charged.ts';
import { admittedSession, headerText } from '../../request-context.ts';
import { instant } from '../instant.ts';
import { createSecretReader } from '../read-secrets.ts';
import {
  PasswordChangeBody,
  SignInBody,
  type OwnSessionsBody,
  type RevokedSessionBody,
  type SessionBody,
  type SignedOutBody,
} from '../schemas/session.ts';
import { clearSessionCookie, sessionSecret, setSessionCookie } from '../session-cookie.ts';
import { uuidParameter } from '../uuid-parameter.ts';

const readPasswordChange = createSecretReader(PasswordChangeBody);
const readSignIn = createSecretReader(SignInBody);

/** Begins a session under a new id, whatever the browser held before. */
export async function postSignIn(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Static<typeof SessionBody>> {
  const credentials = readSignIn(request.body, readingOf(deps, request, reply));
  const from = { client: clientOf(request), replacing: sessionSecret(request) };
  return sessionBegun(deps, reply, await signIn(deps.people, credentials, from));
}

/** Hands a new session to the browser. */
async function sessionBegun(
  deps: ApiDeps,
  reply: FastifyReply,
  { secret }: NewSession,
): Promise<Static<typeof SessionBody>> {
  const session = await findLiveSession(deps.people, secret);
  if (session === null)
    throw new PlumblineError('not_signed_in', 'The session ended as soon as it began. Sign in again.');
  setSessionCookie(reply, secret);
  return presentSession(session);
}

export async function postSignOut(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Static<typeof SignedOutBody>> {
  await signOut(deps.people, admittedSession(request));
  clearSessionCookie(reply);
  return {};
}

/** A new password, and a new session: all others end. */
export async function postPassword(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Static<typeof SessionBody>> {
  const { current_password: current, new_password: next } = readPasswordChange(
    request.body,
    readingOf(deps, request, reply),
  );
  const session = admittedSession(request);
  const begun = await changePassword(deps.people, session, { current, next }, clientOf(request));
  return sessionBegun(deps, reply, begun);
}

export async function getSession(
  _deps: ApiDeps,
  request: FastifyRequest,
): Promise<Static<typeof SessionBody>> {
  return presentSession(admittedSession(request));
}

/** Where the caller is signed in. */
export async function getSessions(
  deps: ApiDeps,
  request: FastifyRequest,
): Promise<Static<typeof OwnSessionsBody>> {
  const own = admittedSession(request);
  const sessions = await ownSessions(deps.people, own);
  return {
    sessions: sessions.map((session) => ({
      id: session.sessionId,
      is_current: session.sessionId === own.sessionId,
      created_at: instant(session.createdAt),
      last_seen_at: instant(session.lastSeenAt),
      expires_at: instant(session.expiresAt),
      ip: session.address,
      user_agent: session.userAgent,
    })),
  };
}

export async function postRevokeSession(
  deps: ApiDeps,
  request: FastifyRequest,
): Promise<Static<typeof RevokedSessionBody>> {
  const id = uuidParameter(request, NO_SUCH_SESSION);
  await revokeSession(deps.people, admittedSession(request), id);
  return { id };
}

function clientOf({ ip, headers }: FastifyRequest): Client {
  return { address: ip, userAgent: headerText(headers['user-agent']) ?? '' };
}

function presentSession(session: Session): Static<typeof SessionBody> {
  return {
    user: { id: session.userId, name: session.userName, role: session.role },
    account: { id: session.accountId, name: session.accountName, plan: session.plan },
    is_operator: isOperator(session),
    csrf_token: session.csrfToken,
    expires_at: instant(session.endsAt),
  };
}
