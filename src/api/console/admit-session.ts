import { planOf, type Caller } from '../../accounts/authenticate.ts';
import type { PeopleDeps } from '../../accounts/people.ts';
import {
  rejectWithoutRight,
  rejectWithoutScope,
  RIGHTS,
  ROLE_SCOPES,
  type Right,
} from '../../accounts/roles.ts';
import { actingIn, findLiveSession, type Session } from '../../accounts/sessions.ts';
import { PlumblineError } from '../../errors.ts';
import { countRequest, rejectForbidden, rejectKeyInQuery, rejectWithoutBatches } from '../admit.ts';
import type { Authorize } from '../pipeline.ts';
import type { ApiDeps } from '../route.ts';
import type { ConsoleRoute } from './console-route.ts';
import { rejectForeignSite, rejectWithoutToken } from './csrf.ts';
import { sessionSecret } from './cookies.ts';

type AdmitDeps = Pick<ApiDeps, 'people' | 'clock' | 'metrics' | 'rateLimit'>;

/** 403 foreign → 401 → 403 token, role, plan → 429, before a byte of the body is read. */
export function authorizeBySession(
  deps: AdmitDeps,
  { access, startsJob, isLimited }: ConsoleRoute,
): Authorize {
  return async (request, reply) => {
    rejectKeyInQuery(request);
    rejectForeignSite(request);
    if (access === 'anyone') return;
    const session = await findLiveSession(deps.people, sessionSecret(request));
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

/** Who is signed in acts for their account, under its plan, with what their role opens. */
function callerIn({ plans }: Pick<PeopleDeps, 'plans'>, session: Session): Caller {
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
