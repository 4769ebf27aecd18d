import type { FastifyReply, FastifyRequest } from 'fastify';
import { resemblesApiKey } from '../accounts/api-key.ts';
import type { Authenticate, AuthenticatedCaller } from '../accounts/authenticate.ts';
import type { FailureLimit } from '../accounts/failure-limit.ts';
import { WINDOW_MS } from '../accounts/plans.ts';
import type { Limit } from '../accounts/rate-limit.ts';
import { includesScope, type Scope } from '../accounts/scopes.ts';
import { PlumblineError } from '../errors.ts';
import { headerText } from './request-context.ts';
import type { ApiDeps } from './route.ts';

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
interface RouteRequirements {
  readonly scope: Scope;
  readonly startsJob: boolean;
}

export type Admit = (request: FastifyRequest, reply: FastifyReply, route: RouteRequirements) => Promise<void>;
type LimitDeps = Pick<ApiDeps, 'clock' | 'metrics' | 'rateLimit'>;

/** Checks in the order 401 → 403 → 429, before any byte of the body is read. */
export function createAdmission(deps: LimitDeps, authenticate: Authenticate, failures: FailureLimit): Admit {
  return async (request, reply, { scope, startsJob }) => {
    try {
      request.caller = await authenticate(headerText(request.headers['x-api-key']));
    } catch (error) {
      if (error instanceof PlumblineError && error.status === 401) {
        countFailure(failures, request, 'without a valid key');
      }
      throw error;
    }
    rejectForbidden(request.caller, scope);
    if (startsJob) rejectWithoutBatches(request.caller);
    await countRequest(deps, reply, request.caller);
  };
}

/** Counts a failed request of an address. Throws `rate_limited` if there were too many. */
export function countFailure(limit: FailureLimit, { ip }: FastifyRequest, failed: string): void {
  limit.countFailure(ip);
  const wait = limit.waitSeconds(ip);
  if (wait === 0) return;
  throw new PlumblineError(
    'rate_limited',
    `Too many requests ${failed} from this address. Try again later.`,
    { members: { retry_after: wait } },
  );
}

/** Throws `plan_forbidden` (403) if the key or the plan does not include the operation. */
export function rejectForbidden(caller: AuthenticatedCaller, scope: Scope): void {
  if (!includesScope(caller.scopes, scope)) {
    throw new PlumblineError(
      'plan_forbidden',
      `This key may not use this operation: it needs the scope "${scope}". Use a key that has it.`,
    );
  }
  if (!includesScope(caller.plan.scopes, scope)) {
    throw new PlumblineError(
      'plan_forbidden',
      `The plan "${caller.plan.name}" does not include this operation ("${scope}"). Ask the operator for another plan.`,
    );
  }
}

export function rejectWithoutBatches({ plan }: AuthenticatedCaller): void {
  if (plan.isBatchAllowed) return;
  throw new PlumblineError(
    'plan_forbidden',
    `The plan "${plan.name}" does not include batches. Send single requests, or ask the operator for another plan.`,
  );
}

/** Counts the request. Throws `rate_limited` (429) if a limit is reached. Headers report all limits. */
export async function countRequest(
  deps: LimitDeps,
  reply: FastifyReply,
  caller: AuthenticatedCaller,
): Promise<void> {
  const admitting = deps.rateLimit(caller, deps.clock().getTime());
  if (admitting === null) return;
  const { isAllowed, waitMs, limits } = await admitting;
  setRateHeaders(reply, limits);
  if (isAllowed) return;
  deps.metrics.rateLimited.inc({ plan: caller.plan.name });
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
  return `${limit} ${limit === 1 ? 'request' : 'requests'} per ${window} for ${whose}`;
}

/**
 * Reports every limit and its state: `RateLimit-Policy` and `RateLimit` as in the IETF draft
 * (draft-ietf-httpapi-ratelimit-headers), and the widespread `X-RateLimit-…` for the limit that is closest to
 * being reached. Resets are the seconds until a limit is full again.
 */
function setRateHeaders(reply: FastifyReply, limits: readonly Limit[]): void {
  const nearest = limits.reduce((least, one) => (one.remaining < least.remaining ? one : least));
  const joined = (textOf: (limit: Limit) => string): string => limits.map(textOf).join(', ');
  reply.headers({
    'ratelimit-policy': joined(
      ({ name, limit, window }) => `"${name}";q=${limit};w=${WINDOW_MS[window] / 1000}`,
    ),
    ratelimit: joined(({ name, remaining, resetSeconds }) => `"${name}";r=${remaining};t=${resetSeconds}`),
    'x-ratelimit-limit': nearest.limit,
    'x-ratelimit-remaining': nearest.remaining,
    'x-ratelimit-reset': nearest.resetSeconds,
  });
}
