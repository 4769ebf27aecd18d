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
  type Session,
} from '../../../accounts/sessions.ts';
import { signIn, type Browser, type SignedIn } from '../../../accounts/sign-in.ts';
import { PlumblineError } from '../../../errors.ts';
import type { ApiDeps } from '../../route.ts';
import { readingOf } from '../../request/read-http-request.ts';
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
import {
  clearSessionCookie,
  deviceSecret,
  sessionSecret,
  setDeviceCookie,
  setSessionCookie,
} from '../cookies.ts';
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
  const from = { ...browserOf(request), replacing: sessionSecret(request) };
  return sessionBegun(deps, reply, await signIn(deps.people, credentials, from));
}

/** Hands a new session to the browser, and what it is known again by. */
async function sessionBegun(
  deps: ApiDeps,
  reply: FastifyReply,
  { secret, device }: SignedIn,
): Promise<Static<typeof SessionBody>> {
  const session = await findLiveSession(deps.people, secret);
  if (session === null)
    throw new PlumblineError('not_signed_in', 'The session ended as soon as it began. Sign in again.');
  setSessionCookie(reply, secret);
  setDeviceCookie(reply, device);
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
  const begun = await changePassword(deps.people, session, { current, next }, browserOf(request));
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

function browserOf(request: FastifyRequest): Browser {
  const { ip, headers } = request;
  const client = { address: ip, userAgent: headerText(headers['user-agent']) ?? '' };
  return { client, device: deviceSecret(request) };
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
