import { parentPort, Worker } from 'node:worker_threads';
import { PlumblineError, isErrorCode } from '../errors.ts';

/** A call on its way to a thread. */
interface Call<Question> {
  readonly id: number;
  readonly question: Question;
}

/**
 * What a thread reports about a call: the share of its work done, 0…1, and then its outcome. Classes do not survive the
 * transfer between threads, so an error's code is sent separately.
 */
type CallReport<Answer> =
  | { readonly id: number; readonly share: number }
  | { readonly id: number; readonly answer: Answer }
  | { readonly id: number; readonly failure: unknown; readonly code: string | null };

/** The thread's side of `openThread`: answers every call, concurrently. */
export function answerCalls<Question, Answer>(
  answer: (question: Question, onShare: (share: number) => void) => Answer | Promise<Answer>,
): void {
  const send = (report: CallReport<Answer>): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    parentPort?.postMessage(report);
  };
  const serve = async ({ id, question }: Call<Question>): Promise<void> => {
    try {
      send({ id, answer: await answer(question, (share) => send({ id, share })) });
    } catch (failure) {
      send({ id, failure, code: failure instanceof PlumblineError ? failure.code : null });
    }
  };
  parentPort?.on('message', (call: Call<Question>) => void serve(call));
}

/** A thread that answers questions, many at a time. */
export interface Thread<Question, Answer> {
  /** Rejects as the thread's function did, or with the error of `deathOf` if the thread died. */
  readonly ask: (question: Question, onShare?: (share: number) => void) => Promise<Answer>;
  /** How many questions are open. */
  readonly asked: () => number;
  /** How long the oldest open question has waited, in ms; 0 if none is open. */
  readonly waitMs: () => number;
  /** Waits for the answers to all open questions, then ends the thread. Nothing may be asked meanwhile. */
  readonly close: () => Promise<void>;
  /** Ends the thread at once. Open questions are rejected. */
  readonly terminate: () => Promise<void>;
}

interface OpenCall<Answer> {
  readonly askedAt: number;
  readonly onShare?: (share: number) => void;
  readonly done: Promise<Answer>;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** A worker and the calls that it alone will answer, oldest first. */
interface LiveWorker<Answer> {
  readonly worker: Worker;
  readonly calls: Map<number, OpenCall<Answer>>;
}

function asUnavailable(cause: Error): PlumblineError {
  return new PlumblineError('unavailable', 'Part of the service had to restart. Try again.', { cause });
}

/**
 * A thread on a module that calls `answerCalls`. It starts with the first question. `start` is its `workerData`. If the
 * thread dies, its open questions are rejected, and the next question starts another thread.
 *
 * Node reports the death of a worker twice: as `error`, then as `exit`. A question may be asked between the two. It goes to a
 * new worker, and the late `exit` must not touch it: each worker therefore has its own calls.
 */
export function openThread<Question, Answer>(
  module: URL,
  start: unknown,
  deathOf: (cause: Error) => Error = asUnavailable,
): Thread<Question, Answer> {
  let live: LiveWorker<Answer> | null = null;
  let lastId = 0;

  function begin(): LiveWorker<Answer> {
    const worker = new Worker(module, { workerData: start });
    const calls = new Map<number, OpenCall<Answer>>();
    const begun = { worker, calls };
    worker.on('message', (report: CallReport<Answer>) => {
      const call = calls.get(report.id);
      if ('share' in report) return call?.onShare?.(report.share);
      calls.delete(report.id);
      if ('answer' in report) call?.resolve(report.answer);
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
    ask: (question, onShare) => {
      const message: Call<Question> = { id: ++lastId, question };
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      live ??= begin();
      // Throws for what cannot be sent to a thread. Such a question must not count as open.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      live.worker.postMessage(message);
      live.calls.set(message.id, { askedAt: performance.now(), onShare, done: promise, resolve, reject });
      return promise;
    },
    asked: () => live?.calls.size ?? 0,
    waitMs: () => {
      const oldest = live?.calls.values().next().value;
      return oldest ? performance.now() - oldest.askedAt : 0;
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
