import { parentPort } from 'node:worker_threads';
import { PlumblineError } from '../errors.ts';

/** A question on its way into a thread. */
export interface Call<Question> {
  readonly id: number;
  readonly question: Question;
}

/** What came of it. A class does not survive the way to another thread: an error's code goes beside it. */
export type CallOutcome<Answer> =
  | { readonly id: number; readonly answer: Answer }
  | { readonly id: number; readonly failure: unknown; readonly code: string | null };

/** The thread's side of `openThread`: answers every call, as many at once as come. */
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
