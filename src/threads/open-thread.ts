import { Worker } from 'node:worker_threads';
import { ERROR_STATUS, PlumblineError, type ErrorCode } from '../errors.ts';
import type { Call, CallOutcome } from './answer-calls.ts';

/** A thread that answers calls, many at a time. */
export interface Thread<Question, Answer> {
  /** Rejects as the thread's function did, or with `unavailable` if the thread ended during the call. */
  readonly ask: (question: Question) => Promise<Answer>;
  /** Number of calls that are not answered yet. */
  readonly asked: () => number;
  /** How long the oldest call has been waiting, ms; 0 if there is none. */
  readonly waitMs: () => number;
  /** Waits for the answers to all calls, then ends the thread. No calls may be made meanwhile. */
  readonly close: () => Promise<void>;
}

interface Waiting<Answer> {
  readonly askedAt: number;
  readonly done: Promise<Answer>;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Starts a thread on a module that calls `answerCalls`. `start` is its `workerData`. A thread that ends by itself
 * (out of memory) takes the questions it holds down with it; the next question starts another.
 */
export function openThread<Question, Answer>(module: URL, start: unknown): Thread<Question, Answer> {
  const waiting = new Map<number, Waiting<Answer>>();
  let worker: Worker | null = null;
  let lastId = 0;

  function begin(): Worker {
    const begun = new Worker(module, { workerData: start });
    begun.on('message', (outcome: CallOutcome<Answer>) => {
      const caller = waiting.get(outcome.id);
      waiting.delete(outcome.id);
      if ('answer' in outcome) caller?.resolve(outcome.answer);
      else caller?.reject(failureOf(outcome.failure, outcome.code));
    });
    begun.on('error', (error) => endAll(error));
    begun.on('exit', (code) => endAll(new Error(`A thread ended with exit code ${code}.`)));
    return begun;
  }

  function endAll(cause: unknown): void {
    worker = null;
    const lost = [...waiting.values()];
    waiting.clear();
    const error = new PlumblineError('unavailable', 'A part of the service had to start anew. Try again.', {
      cause,
    });
    for (const { reject } of lost) reject(error);
  }

  return {
    ask: (question) => {
      const call: Call<Question> = { id: ++lastId, question };
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      waiting.set(call.id, { askedAt: performance.now(), done: promise, resolve, reject });
      worker ??= begin();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage(call);
      return promise;
    },
    asked: () => waiting.size,
    // Calls are kept in order.
    waitMs: () => {
      const first = waiting.values().next();
      return first.done ? 0 : performance.now() - first.value.askedAt;
    },
    close: async () => {
      await Promise.allSettled([...waiting.values()].map(({ done }) => done));
      await worker?.terminate();
    },
  };
}

/** An error as it was thrown in the thread. */
export function failureOf(failure: unknown, code: string | null): unknown {
  const isKnown = (text: string): text is ErrorCode => text in ERROR_STATUS;
  if (code === null || !isKnown(code) || !(failure instanceof Error)) return failure;
  return new PlumblineError(code, failure.message, { cause: failure });
}
