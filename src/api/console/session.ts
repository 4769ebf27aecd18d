import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { changePassword } from '../../accounts/change-password.ts';
import { USER_NAME_LENGTH_MAX } from '../../accounts/manage-users.ts';
import { PASSWORD_LENGTH } from '../../accounts/passwords.ts';
import { isOperator } from '../../accounts/roles.ts';
import {
  NO_SUCH_SESSION,
  type Session,
  findLiveSession,
  ownSessions,
  revokeSession,
  signOut,
} from '../../accounts/sessions.ts';
import { type Browser, type SignedIn, signIn } from '../../accounts/sign-in.ts';
import { ROLES } from '../../domain/role.ts';
import { PlumblineError } from '../../errors.ts';
import { boolean, oneOf, responseObject, string } from '../../schemas/members.ts';
import { admittedSession, headerText } from '../request-context.ts';
import type { BodyLimits } from '../request/input-guard.ts';
import { readingOf } from '../request/read-http-request.ts';
import type { ApiDeps } from '../route.ts';
import type { ConsoleRoute } from './console-route.ts';
import {
  clearSessionCookie,
  deviceSecret,
  sessionSecret,
  setDeviceCookie,
  setSessionCookie,
} from './cookies.ts';
import { instant } from './instant.ts';
import { createSecretReader } from './read-secrets.ts';
import { uuidParameter } from './uuid-parameter.ts';

const Password = (description: string) => string(description, { maxLength: PASSWORD_LENGTH.most });

const SignInBody = Type.Object(
  {
    name: string('In any spelling.', { maxLength: USER_NAME_LENGTH_MAX }),
    password: Password('As it was set.'),
  },
  { title: 'SignIn' },
);

const PasswordChangeBody = Type.Object(
  {
    current_password: Password('As it is now.'),
    new_password: Password(`${PASSWORD_LENGTH.least} characters or more.`),
  },
  { title: 'PasswordChange' },
);

export const SessionBody = responseObject('Session', {
  user: responseObject('SessionUser', { id: string(), name: string(), role: oneOf(ROLES) }),
  account: responseObject('SessionAccount', { id: string(), name: string(), plan: string() }),
  is_operator: boolean('An administrator of the account of the installation.'),
  csrf_token: string('What every change brings in `X-CSRF-Token`.'),
  expires_at: string('When it ends if it is not used again.'),
});

const SignedOutBody = responseObject('SignedOut', {});

const OwnSessionBody = responseObject('OwnSession', {
  id: string(),
  is_current: boolean('The one that asks.'),
  created_at: string(),
  last_seen_at: string('To the minute.'),
  expires_at: string('However much it is used.'),
  ip: string('Where it began.'),
  user_agent: string('What the browser said it was.'),
});

export const OwnSessionsBody = responseObject('OwnSessions', {
  sessions: Type.Array(OwnSessionBody, { description: 'Newest first.' }),
});

const RevokedSessionBody = responseObject('RevokedSession', { id: string() });

const readPasswordChange = createSecretReader(PasswordChangeBody);
const readSignIn = createSecretReader(SignInBody);

/** Begins a session under a new id, whatever the browser held before. */
async function postSignIn(
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

async function postSignOut(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Static<typeof SignedOutBody>> {
  await signOut(deps.people, admittedSession(request));
  clearSessionCookie(reply);
  return {};
}

/** A new password, and a new session: all others end. */
async function postPassword(
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

async function getSession(_deps: ApiDeps, request: FastifyRequest): Promise<Static<typeof SessionBody>> {
  return presentSession(admittedSession(request));
}

/** Where the caller is signed in. */
async function getSessions(deps: ApiDeps, request: FastifyRequest): Promise<Static<typeof OwnSessionsBody>> {
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

async function postRevokeSession(
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

/**
 * Anyone may send it, and a body is held in memory while it arrives. A name of 100 characters and a password of 256 take
 * 1.5 KB of UTF-8 at most.
 */
const SIGN_IN_BODY: BodyLimits = { bytesMax: 4096, keysMax: 20 };

/** Signing in and out, and where one is signed in. */
export const SESSION_ROUTES: readonly ConsoleRoute[] = [
  {
    method: 'POST',
    path: '/console/api/sign-in',
    operationId: 'signIn',
    access: 'anyone',
    body: SignInBody,
    bodyLimits: SIGN_IN_BODY,
    response: SessionBody,
    handle: postSignIn,
  },
  {
    method: 'POST',
    path: '/console/api/sign-out',
    operationId: 'signOut',
    access: 'signed_in',
    response: SignedOutBody,
    handle: postSignOut,
  },
  {
    method: 'GET',
    path: '/console/api/session',
    operationId: 'readSession',
    access: 'signed_in',
    response: SessionBody,
    handle: getSession,
  },
  {
    method: 'GET',
    path: '/console/api/sessions',
    operationId: 'listSessions',
    access: 'signed_in',
    response: OwnSessionsBody,
    handle: getSessions,
  },
  {
    method: 'POST',
    path: '/console/api/sessions/{id}/revoke',
    operationId: 'revokeSession',
    access: 'signed_in',
    response: RevokedSessionBody,
    handle: postRevokeSession,
  },
  {
    method: 'POST',
    path: '/console/api/password',
    operationId: 'changePassword',
    access: 'signed_in',
    body: PasswordChangeBody,
    response: SessionBody,
    handle: postPassword,
  },
];
