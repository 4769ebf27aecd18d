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

export type OverloadReason = 'event_loop_delay' | 'event_loop_utilization' | 'heap' | 'values';

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
  most: 0.95,
} as const;

/**
 * Rejects enough requests that the others get a response in time. It rejects those of the accounts with the
 * most requests first.
 */
export interface Overload {
  /** Reads the gauges. Call it every `SHEDDING.sampleMs`. */
  readonly sample: () => void;
  /**
   * Counts a request of a client. Returns the reason to reject it, or null to accept it. A client is an
   * account if it is known.
   */
  readonly rejection: (client: string) => OverloadReason | null;
  /** Counts further requests for a client: one per megabyte of a long response. */
  readonly count: (client: string, requests: number) => void;
}

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

export function createOverload(gauges: LoadGauges): Overload {
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
    sample() {
      const found = reasonOf(gauges);
      loadedSamples = found === null ? 0 : loadedSamples + 1;
      if (found !== null && loadedSamples >= SHEDDING.sustainedSamples) {
        reason = found;
        share = Math.min(SHEDDING.most, share + SHEDDING.stepUp);
      } else if (found === null) {
        share = Math.max(0, share - SHEDDING.stepDown);
      }
      shareOut(clients, share);
    },
    rejection(name) {
      const client = countFor(name, 1);
      // Rejections are spread evenly, not randomly: a share of one fifth rejects every fifth request.
      client.owed += client.rejectedShare;
      if (client.rejectedShare === 0 || client.owed < 1 - ROUNDING) return null;
      client.owed -= 1;
      return reason;
    },
    count: (name, requests) => void countFor(name, requests),
  };
}

/**
 * Distributes the rejections by max-min fairness: all heavy clients are reduced to the same number of
 * requests, and clients with fewer requests keep all of theirs.
 */
function shareOut(clients: Map<string, Client>, share: number): void {
  const cap = share === 0 ? Infinity : fairCap([...clients.values()], share);
  for (const [name, client] of clients) {
    client.rejectedShare = client.requests > cap ? 1 - cap / client.requests : 0;
    client.requests *= REQUESTS_KEPT;
    if (client.requests < REQUESTS_FORGOTTEN) clients.delete(name);
  }
}

/** The number of requests a client may keep, so that a share of all requests is above it. */
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
