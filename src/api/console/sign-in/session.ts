import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import {
  type Browser,
  changePassword,
  completeSignIn,
  type SignedIn,
  signIn,
} from '../../../accounts/sign-in.ts';
import { MAX_USER_NAME_LENGTH } from '../../../accounts/manage-users.ts';
import { PASSWORD_LENGTH } from '../../../accounts/passwords.ts';
import type { Plans } from '../../../accounts/plans.ts';
import { isOperator } from '../../../accounts/roles.ts';
import {
  NO_SUCH_SESSION,
  type Session,
  findActiveSession,
  ownSessions,
  revokeSession,
  signOut,
} from '../../../accounts/sessions.ts';
import { ROLES } from '../../../domain/role.ts';
import { PlumblineError } from '../../../errors.ts';
import { CREDITS } from '../../../operations/deps.ts';
import { FREE_MINUTES } from '../../../operations/free-changes.ts';
import type { ResponseOf } from '../../../schemas/member-names.ts';
import { boolean, integer, nullable, oneOf, responseObject, string } from '../../../schemas/members.ts';
import { headerText, idParameter } from '../../request-context.ts';
import type { BodyLimits } from '../../request/input-guard.ts';
import { instant } from '../../../domain/instant.ts';
import { type ConsoleRequest, type ConsoleRoute, get, post } from '../console-route.ts';
import {
  clearSessionCookie,
  deviceSecret,
  sessionSecret,
  setDeviceCookie,
  setSessionCookie,
} from './cookies.ts';

export const Password = (description: string) => string(description, { maxLength: PASSWORD_LENGTH.max });

const SignInBody = Type.Object({
  name: string('Upper and lower case do not matter.', { maxLength: MAX_USER_NAME_LENGTH }),
  password: Password('The password.'),
});

/** Recovery codes have 19 characters; spaces do not matter. */
export const Code = string('A code of the authenticator app, or a recovery code.', { maxLength: 40 });

const SecondStepBody = Type.Object({
  challenge: string('From the response to the password.', { maxLength: 1000 }),
  code: Code,
});

const PasswordChangeBody = Type.Object({
  current_password: Password('The password to replace.'),
  new_password: Password(`${PASSWORD_LENGTH.min} characters or more.`),
});

const price = () => integer();
const PricesBody = responseObject('Prices', {
  property_valuation: price(),
  rental_valuation: price(),
  further_unit: price(),
  multifamily_valuation: price(),
  history_month: price(),
  comparable: price(),
  market_index: price(),
  free_minutes: integer('How long changes to a property are free after a charged value.'),
});

export const SessionBody = responseObject('Session', {
  user: responseObject('SessionUser', { id: string(), name: string(), role: oneOf(ROLES) }),
  account: responseObject('SessionAccount', { id: string(), name: string(), plan: string() }),
  is_operator: boolean('Whether the user is an administrator of the installation’s own account.'),
  prices: nullable.object(PricesBody, 'In credits. Null if the account has no limit of credits.'),
  csrf_token: string('Send it in `X-CSRF-Token` with every request that changes something.'),
  expires_at: string('When it ends if it is not used again.'),
});

const SignedOutBody = responseObject('SignedOut', {});

const OwnSessionBody = responseObject('OwnSession', {
  id: string(),
  is_current: boolean('The session of this request.'),
  created_at: string(),
  last_seen_at: string('To the minute.'),
  expires_at: string('The latest end, even if it is in use.'),
  ip: string('Address at sign-in.'),
  user_agent: string('As the browser reported it.'),
});

export const OwnSessionsBody = responseObject('OwnSessions', {
  sessions: Type.Array(OwnSessionBody, { description: 'Newest first.' }),
});

const RevokedSessionBody = responseObject('RevokedSession', { id: string() });

/** Sets the cookies of a new session. */
async function startSession(
  { deps, reply }: Pick<ConsoleRequest<unknown>, 'deps' | 'reply'>,
  { secret, device }: SignedIn,
): Promise<ResponseOf<typeof SessionBody>> {
  const session = await findActiveSession(deps.people, secret);
  if (session === null)
    throw new PlumblineError('not_signed_in', 'The new session has already ended. Sign in again.');
  setSessionCookie(reply, secret);
  setDeviceCookie(reply, device);
  return sessionMembers(deps, session);
}

export function browserOf(request: FastifyRequest): Browser {
  const { ip, headers } = request;
  const client = { address: ip, userAgent: headerText(headers['user-agent']) ?? '' };
  return { client, device: deviceSecret(request) };
}

/** A person who opens the console may print a report soon: 60 MB that programs do without. */
function sessionMembers(
  { operations, people }: ConsoleRequest<unknown>['deps'],
  session: Session,
): ResponseOf<typeof SessionBody> {
  operations.prepareReports();
  return {
    user: { id: session.userId, name: session.userName, role: session.role },
    account: { id: session.accountId, name: session.accountName, plan: session.plan },
    isOperator: isOperator(session),
    prices: hasCreditLimit(people.plans, session) ? { ...CREDITS, freeMinutes: FREE_MINUTES } : null,
    csrfToken: session.csrfToken,
    expiresAt: instant(session.endsAt),
  };
}

/** An account whose plan the service does not know signs in like any other. */
function hasCreditLimit(plans: Plans, { plan, limits }: Session): boolean {
  return (limits?.creditsPerMonth ?? plans.get(plan)?.creditsPerMonth ?? null) !== null;
}

/**
 * Anyone may send these bodies, which are held in memory while they arrive. A name of 100 characters and a password of 256
 * take 1.5 KB of UTF-8 at most.
 */
export const SIGN_IN_BODY: BodyLimits = { bytesMax: 4096, keysMax: 20 };

/** The browser that signs in. The new session gets a new id and ends the one that the browser had. */
function replacingOf(request: FastifyRequest) {
  return { ...browserOf(request), replacing: sessionSecret(request) };
}

/** Sign-in, sign-out, the password, and the sessions of the signed-in user. */
export const SESSION_ROUTES: readonly ConsoleRoute[] = [
  post('/console/api/sign-in', 'signIn', 'anyone', {
    input: SignInBody,
    hasPassword: true,
    bodyLimits: SIGN_IN_BODY,
    response: SessionBody,
    handle: async (http) =>
      startSession(http, await signIn(http.deps.people, http.read(), replacingOf(http.request))),
  }),
  post('/console/api/sign-in/second-factor', 'completeSignIn', 'anyone', {
    input: SecondStepBody,
    hasPassword: true,
    bodyLimits: SIGN_IN_BODY,
    response: SessionBody,
    handle: async (http) =>
      startSession(http, await completeSignIn(http.deps.people, http.read(), replacingOf(http.request))),
  }),
  post('/console/api/sign-out', 'signOut', 'signed_in', {
    response: SignedOutBody,
    handle: async ({ deps, reply, session }) => {
      await signOut(deps.people, session);
      clearSessionCookie(reply);
      return {};
    },
  }),
  get('/console/api/session', 'readSession', 'signed_in', {
    response: SessionBody,
    handle: async ({ deps, session }) => sessionMembers(deps, session),
  }),
  get('/console/api/sessions', 'listSessions', 'signed_in', {
    response: OwnSessionsBody,
    handle: async ({ deps, session: own }) => {
      const sessions = await ownSessions(deps.people, own);
      return {
        sessions: sessions.map((session) => ({
          id: session.sessionId,
          isCurrent: session.sessionId === own.sessionId,
          createdAt: instant(session.createdAt),
          lastSeenAt: instant(session.lastSeenAt),
          expiresAt: instant(session.expiresAt),
          ip: session.address,
          userAgent: session.userAgent,
        })),
      };
    },
  }),
  post('/console/api/sessions/{id}/revoke', 'revokeSession', 'signed_in', {
    response: RevokedSessionBody,
    handle: async ({ deps, request, session }) => {
      const id = idParameter(request, NO_SUCH_SESSION);
      await revokeSession(deps.people, session, id);
      return { id };
    },
  }),
  post('/console/api/password', 'changePassword', 'signed_in', {
    input: PasswordChangeBody,
    hasPassword: true,
    response: SessionBody,
    handle: async (http) => {
      const { current_password: current, new_password: next } = http.read();
      const passwords = { current, next };
      const { deps, request, session } = http;
      // Ends all sessions and starts a new one.
      const begun = await changePassword(deps.people, session, passwords, browserOf(request));
      return startSession(http, begun);
    },
  }),
];
