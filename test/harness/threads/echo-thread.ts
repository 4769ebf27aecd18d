import { setTimeout as sleep } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import { PlumblineError } from '../../../src/errors.ts';
import { handleCalls } from '../../../src/threads/open-thread.ts';

export type TestRequest = { readonly echo: string; readonly afterMs: number } | { readonly do: string };

const { name }: { readonly name: string } = workerData;

handleCalls<TestRequest, string>(async (request) => {
  if ('echo' in request) {
    await sleep(request.afterMs);
    return `${name}: ${request.echo}`;
  }
  if (request.do === 'refuse') throw new PlumblineError('gone', 'It is gone.');
  if (request.do === 'fail') throw new TypeError('a bug');
  // An error outside any promise: the worker reports `error`, then `exit`.
  if (request.do === 'crash') setImmediate(() => throwNow());
  else process.exit(3);
  return sleep(60_000, '');
});

function throwNow(): never {
  throw new Error('the thread crashed');
}
