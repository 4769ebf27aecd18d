import { planOf, type Caller } from '../../accounts/authenticate.ts';
import type { PeopleDeps } from '../../accounts/people.ts';
import {
  refuseWithoutRight,
  refuseWithoutScope,
  RIGHTS,
  ROLE_SCOPES,
  type Right,
} from '../../accounts/roles.ts';
import { actingIn, findLiveSession, type Session } from '../../accounts/sessions.ts';
import { PlumblineError } from '../../errors.ts';
import { countRequest, refuseForbidden, refuseKeyInQuery, refuseWithoutBatches } from '../admit.ts';
import type { LetIn } from '../pipeline.ts';
import type { ApiDeps } from '../route.ts';
import type { ConsoleRoute } from './console-route.ts';
import { refuseForeignSite, refuseWithoutToken } from './csrf.ts';
import { sessionSecret } from './cookies.ts';

type AdmitDeps = Pick<ApiDeps, 'people' | 'clock' | 'metrics' | 'rateLimit'>;

/** 403 foreign → 401 → 403 token, role, plan → 429, before a byte of the body is read. */
export function letInBySession(deps: AdmitDeps, { access, startsJob, isLimited }: ConsoleRoute): LetIn {
  return async (request, reply) => {
    refuseKeyInQuery(request);
    refuseForeignSite(request);
    if (access === 'anyone') return;
    const session = await findLiveSession(deps.people, sessionSecret(request));
    if (session === null) throw notSignedIn();
    request.session = session;
    refuseWithoutToken(request, session);
    if (isRight(access)) return refuseWithoutRight(session, access);
    refuseWithoutScope(session, access);
    const caller = callerIn(deps.people, session);
    request.caller = caller;
    refuseForbidden(caller, access);
    if (startsJob) refuseWithoutBatches(caller);
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
