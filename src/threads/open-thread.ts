import { Worker } from 'node:worker_threads';
import { ERROR_STATUS, PlumblineError, type ErrorCode } from '../errors.ts';
import type { Call, CallOutcome } from './answer-calls.ts';

/** A thread that answers questions, many at a time. */
export interface Thread<Question, Answer> {
  /** Rejects as the thread's function did; with `unavailable` if the thread died. */
  readonly ask: (question: Question) => Promise<Answer>;
  /** How many questions are open. */
  readonly asked: () => number;
  /** How long the oldest open question has waited, in ms; 0 if none is open. */
  readonly waitMs: () => number;
  /** Waits for the answers to all open questions, then ends the thread. Nothing may be asked meanwhile. */
  readonly close: () => Promise<void>;
}

interface OpenCall<Answer> {
  readonly askedAt: number;
  readonly done: Promise<Answer>;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** A worker and the calls that it alone will answer, oldest first. */
interface LiveWorker<Answer> {
  readonly worker: Worker;
  readonly calls: Map<number, OpenCall<Answer>>;
}

/**
 * Starts a thread on a module that calls `answerCalls`. `start` is its `workerData`. If the thread dies (out of memory), its
 * open questions are rejected, and the next question starts another thread.
 *
 * Node reports the death of a worker twice: as `error`, then as `exit`. A question may be asked between the two. It goes to a
 * new worker, and the late `exit` must not touch it: each worker therefore has its own calls.
 */
export function openThread<Question, Answer>(module: URL, start: unknown): Thread<Question, Answer> {
  let live: LiveWorker<Answer> | null = null;
  let lastId = 0;

  function begin(): LiveWorker<Answer> {
    const worker = new Worker(module, { workerData: start });
    const calls = new Map<number, OpenCall<Answer>>();
    const begun = { worker, calls };
    worker.on('message', (outcome: CallOutcome<Answer>) => {
      const call = calls.get(outcome.id);
      calls.delete(outcome.id);
      if ('answer' in outcome) call?.resolve(outcome.answer);
      else call?.reject(failureOf(outcome.failure, outcome.code));
    });
    const onDeath = (cause: unknown): void => {
      if (live === begun) live = null;
      const error = new PlumblineError('unavailable', 'Part of the service had to restart. Try again.', {
        cause,
      });
      for (const { reject } of calls.values()) reject(error);
      calls.clear();
    };
    worker.on('error', onDeath);
    worker.on('exit', (code) => onDeath(new Error(`A thread ended with exit code ${code}.`)));
    return begun;
  }

  return {
    ask: (question) => {
      const message: Call<Question> = { id: ++lastId, question };
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      live ??= begin();
      live.calls.set(message.id, { askedAt: performance.now(), done: promise, resolve, reject });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      live.worker.postMessage(message);
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
  };
}

/** A failure as it was thrown in the thread. */
export function failureOf(failure: unknown, code: string | null): unknown {
  const isKnown = (text: string): text is ErrorCode => text in ERROR_STATUS;
  if (code === null || !isKnown(code) || !(failure instanceof Error)) return failure;
  return new PlumblineError(code, failure.message, { cause: failure });
}
