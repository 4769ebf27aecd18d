import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { LoadGauges } from './overload.ts';

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
