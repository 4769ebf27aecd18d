import {
  getSession,
  getSessions,
  postPassword,
  postRevokeSession,
  postSignIn,
  postSignOut,
} from '../handlers/session.ts';
import type { BodyLimits } from '../../request/input-guard.ts';
import type { ConsoleRoute } from '../console-route.ts';
import {
  OwnSessionsBody,
  PasswordChangeBody,
  RevokedSessionBody,
  SessionBody,
  SignedOutBody,
  SignInBody,
} from '../schemas/session.ts';

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
    answer: SessionBody,
    handle: postSignIn,
  },
  {
    method: 'POST',
    path: '/console/api/sign-out',
    operationId: 'signOut',
    access: 'signed_in',
    answer: SignedOutBody,
    handle: postSignOut,
  },
  {
    method: 'GET',
    path: '/console/api/session',
    operationId: 'readSession',
    access: 'signed_in',
    answer: SessionBody,
    handle: getSession,
  },
  {
    method: 'GET',
    path: '/console/api/sessions',
    operationId: 'listSessions',
    access: 'signed_in',
    answer: OwnSessionsBody,
    handle: getSessions,
  },
  {
    method: 'POST',
    path: '/console/api/sessions/{id}/revoke',
    operationId: 'revokeSession',
    access: 'signed_in',
    answer: RevokedSessionBody,
    handle: postRevokeSession,
  },
  {
    method: 'POST',
    path: '/console/api/password',
    operationId: 'changePassword',
    access: 'signed_in',
    body: PasswordChangeBody,
    answer: SessionBody,
    handle: postPassword,
  },
];
