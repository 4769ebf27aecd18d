import type { FastifyReply, FastifyRequest } from 'fastify';
import { resemblesApiKey } from '../accounts/api-key.ts';
import { hasScope, type Authenticate, type Caller } from '../accounts/authenticate.ts';
import type { FailureLimit } from '../accounts/failure-limit.ts';
import { planIncludes } from '../accounts/plans.ts';
import type { Limit, RateLimit } from '../accounts/rate-limit.ts';
import type { Scope } from '../accounts/scopes.ts';
import { PlumblineError } from '../errors.ts';
import type { ApiDeps } from './route.ts';
import { setRateHeaders } from './rate-headers.ts';
import { headerText } from './request-context.ts';

const KEY_PARAMETER = /^(x[-_]?)?api[-_]?key$/i;

/** A key in a URL ends up in the logs of every proxy on the way, so it is rejected even if it is valid. */
export function rejectKeyInQuery(request: FastifyRequest): void {
  if (!request.url.includes('?')) return;
  const isKeyLike = ([name, value]: [string, unknown]): boolean =>
    KEY_PARAMETER.test(name) ||
    [value].flat().some((text) => typeof text === 'string' && resemblesApiKey(text));
  if (Object.entries(request.query ?? {}).some(isKeyLike)) {
    throw new PlumblineError(
      'api_key_in_query',
      'Never put an API key in a URL: send it in the X-API-Key header, and replace this one, which proxies may have logged.',
    );
  }
}

/** What a route requires of its caller. */
export interface Admission {
  readonly scope: Scope;
  readonly startsJob: boolean;
}

export type Admit = (request: FastifyRequest, reply: FastifyReply, admission: Admission) => Promise<void>;

/** Checks in the order 401 → 403 → 429, before any byte of the body is read. */
export function createAdmission(
  deps: Pick<ApiDeps, 'clock' | 'metrics' | 'rateLimit'>,
  authenticate: Authenticate,
  limit: FailureLimit,
): Admit {
  return async (request, reply, { scope, startsJob }) => {
    try {
      request.caller = await authenticate(headerText(request.headers['x-api-key']));
    } catch (error) {
      if (error instanceof PlumblineError && error.status === 401)
        throw afterFailure(error, request.ip, limit);
      throw error;
    }
    rejectForbidden(request.caller, scope);
    if (startsJob) rejectWithoutBatches(request.caller);
    await countRequest(deps, reply, request.caller);
  };
}

/** Sends 429 if a limit of the plan is reached. The headers report the state of all limits. */
export async function countRequest(
  deps: Pick<ApiDeps, 'clock' | 'metrics' | 'rateLimit'>,
  reply: FastifyReply,
  caller: Caller,
): Promise<void> {
  const admitted = deps.rateLimit(caller, deps.clock().getTime());
  if (admitted !== null) await applyLimit(deps, reply, caller, admitted);
}

/** Sends 403 if the key or the plan does not include the operation. */
export function rejectForbidden(caller: Caller, scope: Scope): void {
  if (!hasScope(caller, scope)) {
    throw new PlumblineError(
      'plan_forbidden',
      `This key may not use this operation: it needs the scope "${scope}". Use a key that has it.`,
    );
  }
  if (!planIncludes(caller.plan, scope)) {
    throw new PlumblineError(
      'plan_forbidden',
      `The plan "${caller.plan.name}" does not include this operation ("${scope}"). Change the plan.`,
    );
  }
}

export function rejectWithoutBatches({ plan }: Caller): void {
  if (plan.isBatchAllowed) return;
  throw new PlumblineError(
    'plan_forbidden',
    `The plan "${plan.name}" does not include batches. Send single requests, or change the plan.`,
  );
}

async function applyLimit(
  { metrics }: Pick<ApiDeps, 'metrics'>,
  reply: FastifyReply,
  { plan }: Caller,
  admitted: NonNullable<ReturnType<RateLimit>>,
): Promise<void> {
  const { isAllowed, waitMs, limits } = await admitted;
  setRateHeaders(reply, limits);
  if (isAllowed) return;
  metrics.rateLimited.inc({ plan: plan.name });
  const wait = Math.ceil(waitMs / 1000);
  const reached = limits.filter(({ remaining }) => remaining === 0).map(describeLimit);
  throw new PlumblineError(
    'rate_limited',
    `The limit of ${reached.join(' and ')} is reached. Try again in ${wait} s.`,
    { members: { retry_after: wait } },
  );
}

function describeLimit({ name, limit, window }: Limit): string {
  const whose = name.startsWith('key-') ? 'this key' : 'this account';
  return `${limit} ${limit === 1 ? 'request' : 'requests'} a ${window} of ${whose}`;
}

function afterFailure(error: PlumblineError, address: string, limit: FailureLimit): PlumblineError {
  limit.countFailure(address);
  const wait = limit.waitSeconds(address);
  if (wait === 0) return error;
  return new PlumblineError(
    'rate_limited',
    'Too many requests without a valid key from this address. Try again later.',
    {
      members: { retry_after: wait },
    },
  );
}
