import { parentPort, Worker } from 'node:worker_threads';
import { PlumblineError, isErrorCode } from '../errors.ts';
import type { OwnedMemory } from './shared-memory.ts';

/**
 * Limit of V8 on the garbage of a thread that serves. Its own limit lets each thread keep 60 to 130 MB of garbage before
 * it is collected, which is more than all else in the thread (docs/methods/speed.md#memory).
 */
const SERVING_HEAP = { maxYoungGenerationSizeMb: 12 } as const;

/**
 * Starts a thread that serves.
 *
 * @param start its `workerData`; with `memory` also `memoryPort`, for `connectMemory`
 */
export function startServingThread(module: URL, start: object, memory: OwnedMemory | null = null): Worker {
  if (memory === null) return new Worker(module, { workerData: start, resourceLimits: SERVING_HEAP });
  const memoryPort = memory.connect();
  return new Worker(module, {
    workerData: { ...start, memoryPort },
    transferList: [memoryPort],
    resourceLimits: SERVING_HEAP,
  });
}

/** A call on its way to a thread. */
interface Call<Request> {
  readonly id: number;
  readonly request: Request;
}

/**
 * What a thread reports about a call: the share of its work done, 0…1, and then its outcome. Classes do not survive the
 * transfer between threads, so an error's code is sent separately.
 */
type CallReport<Response> =
  | { readonly id: number; readonly share: number }
  | { readonly id: number; readonly response: Response }
  | { readonly id: number; readonly failure: unknown; readonly code: string | null };

/** The thread's side of `openThread`: handles all calls concurrently. */
export function handleCalls<Request, Response>(
  handle: (request: Request, onShare: (share: number) => void) => Response | Promise<Response>,
): void {
  const send = (report: CallReport<Response>): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    parentPort?.postMessage(report);
  };
  const serve = async ({ id, request }: Call<Request>): Promise<void> => {
    try {
      send({ id, response: await handle(request, (share) => send({ id, share })) });
    } catch (failure) {
      send({ id, failure, code: failure instanceof PlumblineError ? failure.code : null });
    }
  };
  parentPort?.on('message', (call: Call<Request>) => void serve(call));
}

/** A thread that handles calls, many at a time. */
export interface Thread<Request, Response> {
  /** Rejects with the error thrown in the thread, or with that of `deathOf` if the thread died. */
  readonly call: (request: Request, onShare?: (share: number) => void) => Promise<Response>;
  /** Number of calls without a response. */
  readonly openCalls: () => number;
  /** How long the oldest open call has waited, in ms; 0 if none is open. */
  readonly waitMs: () => number;
  /** Waits until all open calls have ended, then ends the thread. No call may be made in the meantime. */
  readonly close: () => Promise<void>;
  /** Ends the thread at once. Open calls are rejected. */
  readonly terminate: () => Promise<void>;
}

interface OpenCall<Response> {
  readonly calledAt: number;
  readonly onShare?: (share: number) => void;
  readonly done: Promise<Response>;
  readonly resolve: (response: Response) => void;
  readonly reject: (error: unknown) => void;
}

/** A worker and its own calls, oldest first. */
interface LiveWorker<Response> {
  readonly worker: Worker;
  readonly calls: Map<number, OpenCall<Response>>;
}

function asUnavailable(cause: Error): PlumblineError {
  return new PlumblineError('unavailable', 'Part of the service is restarting. Try again.', { cause });
}

/**
 * Runs a module that calls `handleCalls` in a worker thread, which starts with the first call. If the thread dies, its open calls are rejected, and the next call starts another thread.
 *
 * Node reports the death of a worker twice: as `error`, then as `exit`. A call between the two goes to a new worker, and
 * the late `exit` of the old worker must not reject it. Therefore each worker has its own list of calls.
 */
export function openThread<Request, Response>(
  module: URL,
  start: object,
  {
    deathOf = asUnavailable,
    memory = null,
  }: { readonly deathOf?: (cause: Error) => Error; readonly memory?: OwnedMemory | null } = {},
): Thread<Request, Response> {
  let live: LiveWorker<Response> | null = null;
  let lastId = 0;

  function begin(): LiveWorker<Response> {
    const worker = startServingThread(module, start, memory);
    const calls = new Map<number, OpenCall<Response>>();
    const begun = { worker, calls };
    worker.on('message', (report: CallReport<Response>) => {
      const call = calls.get(report.id);
      if ('share' in report) return call?.onShare?.(report.share);
      calls.delete(report.id);
      if ('response' in report) call?.resolve(report.response);
      else call?.reject(failureOf(report.failure, report.code));
    });
    const onDeath = (cause: Error): void => {
      if (live === begun) live = null;
      for (const { reject } of calls.values()) reject(deathOf(cause));
      calls.clear();
    };
    worker.on('error', onDeath);
    worker.on('exit', (code) =>
      onDeath(new Error(`A thread ended with exit code ${code}; it may have run out of memory.`)),
    );
    return begun;
  }

  return {
    call: (request, onShare) => {
      const message: Call<Request> = { id: ++lastId, request };
      const { promise, resolve, reject } = Promise.withResolvers<Response>();
      live ??= begin();
      // Throws for what cannot be sent to a thread. Such a call must not count as open.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      live.worker.postMessage(message);
      live.calls.set(message.id, { calledAt: performance.now(), onShare, done: promise, resolve, reject });
      return promise;
    },
    openCalls: () => live?.calls.size ?? 0,
    waitMs: () => {
      const oldest = live?.calls.values().next().value;
      return oldest ? performance.now() - oldest.calledAt : 0;
    },
    close: async () => {
      await Promise.allSettled([...(live?.calls.values() ?? [])].map(({ done }) => done));
      await live?.worker.terminate();
    },
    terminate: async () => void (await live?.worker.terminate()),
  };
}

/** A failure as it was thrown in the thread. */
function failureOf(failure: unknown, code: string | null): unknown {
  if (code === null || !isErrorCode(code) || !(failure instanceof Error)) return failure;
  return new PlumblineError(code, failure.message, { cause: failure });
}
