import { createHash } from 'node:crypto';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PlumblineError } from '../errors.ts';
import type { Metrics } from '../metrics.ts';
import { sessionSecret } from './console/sign-in/cookies.ts';
import { sendProblem } from './problems.ts';
import { CONSOLE_API, headerText } from './request-context.ts';

/**
 * Monitoring must work under load, and a load balancer must not drop a node that still works. A page of the console
 * whose script or style was rejected would not open, and these are in memory.
 */
const NEVER_SHED: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics', '/console/assets/:name']);

/** Requests whose credentials were not recently accepted count together as one client. */
const UNKNOWN_CLIENT = '';
const CREDENTIALS_KEPT = 10_000;

/**
 * Rejects requests that the process cannot handle in time, before any work is done for them: no key lookup,
 * no reading of the body, and no log line, because there would be thousands. A request counts for the account
 * whose key or session was accepted before, so that one busy account does not cause rejections for others.
 */
export function shedLoad(
  app: FastifyInstance,
  deps: { readonly overload: Pick<Overload, 'rejection'>; readonly metrics: Metrics },
): void {
  const accountOf = new Map<string, string>();
  app.addHook('onRequest', async (request, reply) => {
    if (NEVER_SHED.has(request.routeOptions.url ?? '')) return undefined;
    const reason = deps.overload.rejection(accountOf.get(credentialsOf(request)) ?? UNKNOWN_CLIENT);
    if (reason === null) return undefined;
    deps.metrics.loadShed.inc({ reason });
    const busy = new PlumblineError('unavailable', 'The service is busy. Try again in a moment.');
    return sendProblem(busy, request, reply);
  });
  app.addHook('onResponse', async (request) => {
    const accountId = request.caller?.accountId ?? request.session?.accountId;
    const credentials = credentialsOf(request);
    if (accountId === undefined || accountOf.get(credentials) === accountId) return;
    if (accountOf.size >= CREDENTIALS_KEPT) accountOf.clear();
    accountOf.set(credentials, accountId);
  });
}

/** A digest, so that no credentials are kept in memory. */
function credentialsOf(request: FastifyRequest): string {
  const isConsole = request.url.startsWith(CONSOLE_API);
  const given = isConsole ? sessionSecret(request) : headerText(request.headers['x-api-key']);
  return given ? createHash('sha256').update(given).digest('base64') : '';
}

/** The load of this process since the previous sample. */
export interface LoadGauges {
  /** Mean delay of the event loop, in ms. */
  readonly eventLoopDelayMs: () => number;
  /** Share of the time in which the event loop was busy. */
  readonly eventLoopUtilization: () => number;
  /** Share of the maximum heap size in use. */
  readonly heapShare: () => number;
  /** How long the oldest waiting value has waited, in ms. */
  readonly valueWaitMs: () => number;
}

type OverloadReason = 'event_loop_delay' | 'event_loop_utilization' | 'heap' | 'values';

/**
 * Limits above which requests are rejected instead of queued. The event loop delay is within 12 ms when idle
 * and within 30 ms at capacity; above 250 ms every caller notices it. A value takes 3 ms and the largest
 * building under a second, so a value that waits for two seconds is queued behind others. Above 80% of its
 * heap, V8 starts to spend its time on garbage collection. A utilization of 1 alone means full use and does
 * no harm unless responses are late.
 */
export const OVERLOAD_LIMITS = {
  eventLoopDelayMs: 250,
  eventLoopUtilization: 0.95,
  /** The loop's utilization counts only together with this delay. */
  lateMs: 50,
  heapShare: 0.8,
  valueWaitMs: 2000,
} as const;

/** How the share of rejected requests follows the load: it rises fast, falls slowly and never reaches 1. */
export const SHEDDING = {
  sampleMs: 500,
  /** One high sample may be garbage collection. Two in a row are load. */
  sustainedSamples: 2,
  stepUp: 0.2,
  stepDown: 0.05,
  /** Some requests are always accepted. Their delays show whether the overload is over. */
  maxShare: 0.95,
} as const;

/** A client's recent requests, and the share of them that is rejected. */
interface Client {
  requests: number;
  rejectedShare: number;
  /** The fraction of a rejected request that is carried over until it adds up to one. */
  owed: number;
}

/** The weight of the previous sample's requests, so that about the last three seconds of a client count. */
const REQUESTS_KEPT = 0.85;
/** Tolerance for rounding errors in sums of fractions. */
const ROUNDING = 1e-9;
/** A client below this weight has sent no request for some seconds. */
const REQUESTS_FORGOTTEN = 0.05;

export type Overload = ReturnType<typeof createOverload>;

/**
 * Rejects enough requests that the others get a response in time. It rejects those of the accounts with the
 * most requests first.
 */
export function createOverload(gauges: LoadGauges) {
  let share = 0;
  let loadedSamples = 0;
  let reason: OverloadReason | null = null;
  const clients = new Map<string, Client>();
  const countFor = (name: string, requests: number): Client => {
    const client = clients.get(name) ?? { requests: 0, rejectedShare: 0, owed: 0 };
    client.requests += requests;
    clients.set(name, client);
    return client;
  };
  return {
    /** Reads the gauges. Call it every `SHEDDING.sampleMs`. */
    sample(): void {
      const found = reasonOf(gauges);
      loadedSamples = found === null ? 0 : loadedSamples + 1;
      if (found !== null && loadedSamples >= SHEDDING.sustainedSamples) {
        reason = found;
        share = Math.min(SHEDDING.maxShare, share + SHEDDING.stepUp);
      } else if (found === null) {
        share = Math.max(0, share - SHEDDING.stepDown);
      }
      distributeRejections(clients, share);
    },
    /**
     * Counts a request of a client. Returns the reason to reject it, or null to accept it. A client is an
     * account if it is known.
     */
    rejection(name: string): OverloadReason | null {
      const client = countFor(name, 1);
      // Rejections are spread evenly, not randomly: a share of one fifth rejects every fifth request.
      client.owed += client.rejectedShare;
      if (client.rejectedShare === 0 || client.owed < 1 - ROUNDING) return null;
      client.owed -= 1;
      return reason;
    },
    /** Counts further requests for a client: one per megabyte of a long response. */
    count: (name: string, requests: number): void => void countFor(name, requests),
  };
}

/**
 * Distributes the rejections by max-min fairness: all heavy clients are reduced to the same number of
 * requests, and clients with fewer requests keep all of theirs.
 */
function distributeRejections(clients: Map<string, Client>, share: number): void {
  const cap = share === 0 ? Infinity : fairCap([...clients.values()], share);
  for (const [name, client] of clients) {
    client.rejectedShare = client.requests > cap ? 1 - cap / client.requests : 0;
    client.requests *= REQUESTS_KEPT;
    if (client.requests < REQUESTS_FORGOTTEN) clients.delete(name);
  }
}

/** The number above which a client's requests are rejected, so that `share` of all requests is rejected. */
function fairCap(clients: readonly Client[], share: number): number {
  const ascending = clients.map(({ requests }) => requests).sort((a, b) => a - b);
  let left = (1 - share) * ascending.reduce((sum, requests) => sum + requests, 0);
  for (const [i, requests] of ascending.entries()) {
    const cap = left / (ascending.length - i);
    if (requests > cap) return cap;
    left -= requests;
  }
  return Infinity;
}

function reasonOf(gauges: LoadGauges): OverloadReason | null {
  const delayMs = gauges.eventLoopDelayMs();
  const isUsedUp = gauges.eventLoopUtilization() > OVERLOAD_LIMITS.eventLoopUtilization;
  if (delayMs > OVERLOAD_LIMITS.eventLoopDelayMs) return 'event_loop_delay';
  if (gauges.heapShare() > OVERLOAD_LIMITS.heapShare) return 'heap';
  if (gauges.valueWaitMs() > OVERLOAD_LIMITS.valueWaitMs) return 'values';
  return isUsedUp && delayMs > OVERLOAD_LIMITS.lateMs ? 'event_loop_utilization' : null;
}

/**
 * How often the event loop is sampled, in ms. Node's histogram reports the whole interval, so this value is
 * subtracted.
 */
const RESOLUTION_MS = 10;

/** The gauges of this process. The threads that compute values provide `valueWaitMs`. */
export function openLoadGauges(valueWaitMs: () => number): LoadGauges & { readonly close: () => void } {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let last = performance.eventLoopUtilization();
  return {
    valueWaitMs,
    eventLoopDelayMs() {
      const meanMs = delay.mean / 1e6;
      const longestMs = delay.max / 1e6;
      delay.reset();
      // If the event loop was blocked the whole time, the histogram has no sample yet.
      return Math.max(0, (Number.isNaN(meanMs) ? longestMs : meanMs) - RESOLUTION_MS);
    },
    eventLoopUtilization() {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, last);
      last = now;
      return utilization;
    },
    heapShare() {
      const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
      return used / limit;
    },
    close: () => void delay.disable(),
  };
}
