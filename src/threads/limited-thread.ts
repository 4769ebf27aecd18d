import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { systemCodeOf } from '../errors.ts';

interface ThreadLimits {
  /** The thread's own work: the time between its requests and responses. */
  readonly deadlineMs: number;
  /** Buffers are outside the heap. */
  readonly heapMb: number;
}

/**
 * Runs a module in a thread that answers each message with one. A file that makes its reader hang or exhaust memory
 * ends the thread without harm, and the request throws what `faultOf` makes of it.
 */
export function openLimitedThread<Request, Response>(
  module: URL,
  start: unknown,
  { deadlineMs, heapMb }: ThreadLimits,
  faultOf: (what: string, cause: unknown) => Error,
) {
  const worker = new Worker(module, {
    workerData: start,
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 64 },
  });
  let leftMs = deadlineMs;

  async function request(message: Request): Promise<Response> {
    const startedAt = performance.now();
    const stop = new AbortController();
    const { signal } = stop;
    const timer = setTimeout(() => stop.abort(), Math.max(1, leftMs));
    try {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage(message);
      const ended = once(worker, 'exit', { signal }).then(() => {
        throw faultOf('the thread that read it ended', null);
      });
      const responses = once(worker, 'message', { signal });
      const [response]: Response[] = await Promise.race([responses, ended]);
      return response;
    } catch (error) {
      if (signal.aborted) throw faultOf('it takes too long to read', error);
      if (systemCodeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY')
        throw faultOf('it takes too much memory to read', error);
      throw error;
    } finally {
      leftMs -= performance.now() - startedAt;
      clearTimeout(timer);
      stop.abort();
    }
  }

  return {
    request,
    close: async (): Promise<void> => {
      await worker.terminate();
    },
  };
}
