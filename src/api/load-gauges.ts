import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { LoadGauges } from './overload.ts';

/** The loop is looked at so often, ms; Node's histogram holds the whole round, of which this is due. */
const RESOLUTION_MS = 10;

/** The gauges of this process; `valueWaitMs` is told by the threads that compute values. */
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
      // A loop that stood still all the time since has not come round to count once.
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
