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

/** Refuses as many requests as it takes for the others to be answered in time. */
export interface Overload {
  /** Reads the gauges; to be called every `SHEDDING.sampleMs`. */
  readonly sample: () => void;
  /** Why the request that just came should be refused; null where it may go on. */
  readonly refusal: () => OverloadReason | null;
}

export function createOverload(gauges: LoadGauges): Overload {
  let share = 0;
  let loadedSamples = 0;
  let reason: OverloadReason | null = null;
  let owed = 0;
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
    },
    // Spread evenly, not by chance: of a share of a fifth every fifth request.
    refusal() {
      owed += share;
      if (share === 0 || owed < 1) return null;
      owed -= 1;
      return reason;
    },
  };
}

function reasonOf(gauges: LoadGauges): OverloadReason | null {
  const delayMs = gauges.eventLoopDelayMs();
  const isUsedUp = gauges.eventLoopUtilization() > OVERLOAD_LIMITS.eventLoopUtilization;
  if (delayMs > OVERLOAD_LIMITS.eventLoopDelayMs) return 'event_loop_delay';
  if (gauges.heapShare() > OVERLOAD_LIMITS.heapShare) return 'heap';
  if (gauges.valueWaitMs() > OVERLOAD_LIMITS.valueWaitMs) return 'values';
  return isUsedUp && delayMs > OVERLOAD_LIMITS.lateMs ? 'event_loop_utilization' : null;
}
