/** How loaded this process is, since it was asked last. */
export interface LoadGauges {
  /** How much later than due the event loop came round, on average, ms. */
  readonly eventLoopDelayMs: () => number;
  /** Share of the time in which the event loop had something to do. */
  readonly eventLoopUtilization: () => number;
  /** Share of the heap that V8 may take at most. */
  readonly heapShare: () => number;
  /** How long the value that was asked for first waits by now, ms. */
  readonly valueWaitMs: () => number;
}

export type OverloadReason = 'event_loop_delay' | 'event_loop_utilization' | 'heap' | 'values';

/**
 * When requests are refused rather than kept waiting. At rest a loop comes round within 12 ms and at capacity within 30; beyond a
 * quarter of a second every caller feels it. A value takes 3 ms and the largest building under a second: one that
 * waits for two stands behind others. V8 begins to spend its time on collecting garbage above four fifths of its heap. A utilization of
 * 1 alone is a process that is used to the full, and no harm, until answers come late.
 */
export const OVERLOAD_LIMITS = {
  eventLoopDelayMs: 250,
  eventLoopUtilization: 0.95,
  /** What the loop's utilization must go along with. */
  lateMs: 50,
  heapShare: 0.8,
  valueWaitMs: 2000,
} as const;

/** How the share of requests that are refused follows the load: up fast, down slowly, and never everybody. */
export const SHEDDING = {
  sampleMs: 500,
  /** One sample may be a collection of garbage; two in a row are load. */
  sustainedSamples: 2,
  stepUp: 0.2,
  stepDown: 0.05,
  /** Some are let in even then: what they meet tells whether it is over. */
  most: 0.95,
} as const;

/** Rejects as many requests as it takes for the others to be answered in time: first of the accounts that ask the most. */
export interface Overload {
  /** Reads the gauges; to be called every `SHEDDING.sampleMs`. */
  readonly sample: () => void;
  /** Counts a request of a client, and gives the reason to reject it; null to go on. Clients are accounts, where known. */
  readonly rejection: (client: string) => OverloadReason | null;
  /** Counts what a client asked for as so many further requests: the megabytes of a long response. */
  readonly count: (client: string, requests: number) => void;
}

/** What a client asked for lately, and how many of its requests are rejected. */
interface Client {
  requests: number;
  rejectedShare: number;
  /** Fractions of rejected requests, carried over until they make one. */
  owed: number;
}

/** Requests of a sample ago count this much: a client is judged by its last three seconds or so. */
const REQUESTS_KEPT = 0.85;
/** Sums of fractions may be off by this much. */
const ROUNDING = 1e-9;
/** A client with less than this has not asked for some seconds. */
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
      // Spread evenly, not by chance: of a share of a fifth every fifth request.
      client.owed += client.rejectedShare;
      if (client.rejectedShare === 0 || client.owed < 1 - ROUNDING) return null;
      client.owed -= 1;
      return reason;
    },
    count: (name, requests) => void countFor(name, requests),
  };
}

/**
 * Shares the rejections out so that nobody is rejected who asks for less than the others get (max-min fairness): all
 * clients are cut down to the same number of requests, and those who asked for fewer keep theirs.
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
