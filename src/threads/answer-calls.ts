import { parentPort } from 'node:worker_threads';
import { PlumblineError } from '../errors.ts';

/** A call on its way to a thread. */
export interface Call<Question> {
  readonly id: number;
  readonly question: Question;
}

/**
 * Its outcome. Classes do not survive the transfer between threads, so an error's code is sent separately.
 */
export type CallOutcome<Answer> =
  | { readonly id: number; readonly answer: Answer }
  | { readonly id: number; readonly failure: unknown; readonly code: string | null };

/** The thread's side of `openThread`: answers every call, concurrently. */
export function answerCalls<Question, Answer>(answer: (question: Question) => Promise<Answer>): void {
  const send = (outcome: CallOutcome<Answer>): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    parentPort?.postMessage(outcome);
  };
  parentPort?.on('message', ({ id, question }: Call<Question>) => {
    answer(question).then(
      (found) => send({ id, answer: found }),
      (failure: unknown) =>
        send({ id, failure, code: failure instanceof PlumblineError ? failure.code : null }),
    );
  });
}
