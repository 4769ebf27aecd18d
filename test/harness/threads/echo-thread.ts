import { setTimeout as sleep } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import { PlumblineError } from '../../../src/errors.ts';
import { answerCalls } from '../../../src/threads/open-thread.ts';

export type TestQuestion = { readonly echo: string; readonly afterMs: number } | { readonly do: string };

const { name }: { readonly name: string } = workerData;

answerCalls<TestQuestion, string>(async (question) => {
  if ('echo' in question) {
    await sleep(question.afterMs);
    return `${name}: ${question.echo}`;
  }
  if (question.do === 'refuse') throw new PlumblineError('gone', 'It is gone.');
  if (question.do === 'fail') throw new TypeError('a bug');
  // An error outside any promise: the worker reports `error`, then `exit`.
  if (question.do === 'crash') setImmediate(() => throwNow());
  else process.exit(3);
  return sleep(60_000, '');
});

function throwNow(): never {
  throw new Error('the thread crashed');
}
