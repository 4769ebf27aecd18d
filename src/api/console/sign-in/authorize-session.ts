import type { FastifyRequest } from 'fastify';
import { planOf, type AuthenticatedCaller } from '../../../accounts/authenticate.ts';
import {
  actingIn,
  findActiveSession,
  isCsrfTokenOf,
  type UserDeps,
  type Session,
} from '../../../accounts/sessions.ts';
import {
  rejectWithoutRight,
  rejectWithoutScope,
  RIGHTS,
  ROLE_SCOPES,
  type Right,
} from '../../../accounts/roles.ts';
import { PlumblineError } from '../../../errors.ts';
import { countRequest, rejectForbidden, rejectKeyInQuery, rejectWithoutBatches } from '../../admit.ts';
import type { Authorize } from '../../pipeline.ts';
import { headerText } from '../../request-context.ts';
import type { ApiDeps } from '../../route.ts';
import type { ConsoleRoute } from '../console-route.ts';
import { sessionSecret } from './cookies.ts';

type AdmitDeps = Pick<ApiDeps, 'people' | 'clock' | 'metrics' | 'rateLimit'>;

/** Checks in this order, before a byte of the body is read: 403 foreign site, 401, 403 token, role and plan, 429. */
export function authorizeBySession(
  deps: AdmitDeps,
  { access, startsJob, isLimited, fromOtherSites }: ConsoleRoute,
): Authorize {
  return async (request, reply) => {
    rejectKeyInQuery(request);
    if (!fromOtherSites) rejectCrossSite(request);
    if (access === 'anyone') return;
    const session = await findActiveSession(deps.people, sessionSecret(request));
    if (session === null) throw notSignedIn();
    request.session = session;
    rejectWithoutToken(request, session);
    if (isRight(access)) return rejectWithoutRight(session, access);
    rejectWithoutScope(session, access);
    const caller = callerIn(deps.people, session);
    request.caller = caller;
    rejectForbidden(caller, access);
    if (startsJob) rejectWithoutBatches(caller);
    if (isLimited) await countRequest(deps, reply, caller);
  };
}

/** The signed-in user as a caller of the API: with the plan of the account and the scopes of the role. */
function callerIn({ plans }: Pick<UserDeps, 'plans'>, session: Session): AuthenticatedCaller {
  return {
    keyId: `user:${session.userId}`,
    accountId: session.accountId,
    environment: 'live',
    scopes: ROLE_SCOPES[session.role],
    plan: planOf(plans, session),
    actor: actingIn(session).actor,
  };
}

function isRight(access: string): access is Right {
  return RIGHTS.some((right) => right === access);
}

function notSignedIn(): PlumblineError {
  return new PlumblineError('not_signed_in', 'Sign in first: there is no session, or it has ended.');
}

/**
 * Rejects requests that another site makes a browser send. Browsers report where a request comes from
 * (`Sec-Fetch-Site`, and `Origin` with every change), and pages cannot forge these headers. A read may also
 * come from a typed address or a bookmark (`none`).
 *
 * @throws PlumblineError `csrf_refused`
 */
function rejectCrossSite(request: FastifyRequest): void {
  const { headers, method } = request;
  const isRead = method === 'GET' || method === 'HEAD';
  const site = headerText(headers['sec-fetch-site']);
  if (site !== undefined && site !== 'same-origin' && !(isRead && site === 'none')) throw crossSiteError();
  const { origin } = headers;
  if (origin !== undefined) {
    if (hostOf(origin) !== request.host.toLowerCase()) throw crossSiteError();
  } else if (!isRead && site === undefined) throw crossSiteError();
}

/**
 * Only the host: behind a proxy that ends TLS, the scheme is http, and changes need the token anyway. Null for
 * `null`, which sandboxed pages send.
 */
function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}

/** @throws PlumblineError `csrf_refused` for a change without the token of its session */
function rejectWithoutToken({ headers, method }: FastifyRequest, session: Session): void {
  if (method === 'GET' || method === 'HEAD') return;
  if (isCsrfTokenOf(session, headerText(headers['x-csrf-token']) ?? '')) return;
  throw new PlumblineError(
    'csrf_refused',
    'Every change needs the token of its session in X-CSRF-Token. Load the page again.',
  );
}

function crossSiteError(): PlumblineError {
  return new PlumblineError(
    'csrf_refused',
    'This did not come from a page of the console. Open /console at the address of this server. A proxy in front of it must pass on the Host header.',
  );
}
