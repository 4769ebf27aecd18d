import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { PlumblineError } from '../errors.ts';
import { openThread } from './open-thread.ts';
import type { TestRequest } from '../../test/harness/threads/echo-thread.ts';

const thread = openThread<TestRequest, string>(
  new URL('../../test/harness/threads/echo-thread.ts', import.meta.url),
  { name: 'T' },
);
after(() => thread.close());

const codeOf = (error: unknown): string => (error instanceof PlumblineError ? error.code : String(error));

test('concurrent calls get their own responses, in whatever order these arrive', async () => {
  const calls = Array.from({ length: 50 }, (_, i) => thread.call({ echo: String(i), afterMs: (i * 7) % 13 }));
  assert.equal(thread.openCalls(), 50);
  assert.deepEqual(
    await Promise.all(calls),
    Array.from({ length: 50 }, (_, i) => `T: ${i}`),
  );
  assert.equal(thread.openCalls(), 0);
});

test('an error keeps its code and message across threads, and other calls are not affected', async () => {
  const [refused, failed, fine] = await Promise.allSettled([
    thread.call({ do: 'refuse' }),
    thread.call({ do: 'fail' }),
    thread.call({ echo: 'on', afterMs: 5 }),
  ]);
  assert.ok(refused.status === 'rejected' && refused.reason instanceof PlumblineError);
  assert.deepEqual([refused.reason.code, refused.reason.message], ['gone', 'It is gone.']);
  assert.ok(failed.status === 'rejected' && failed.reason instanceof TypeError);
  assert.deepEqual(fine, { status: 'fulfilled', value: 'T: on' });
});

test('close waits for open calls', async () => {
  const other = openThread<TestRequest, string>(
    new URL('../../test/harness/threads/echo-thread.ts', import.meta.url),
    { name: 'U' },
  );
  const call = other.call({ echo: 'slow', afterMs: 50 });
  await other.close();
  assert.equal(await Promise.race([call, 'not yet']), 'U: slow');
});

test('when a thread ends, its open calls are rejected as unavailable, and the next call starts another', async () => {
  const lost = await Promise.allSettled([
    thread.call({ echo: 'never', afterMs: 60_000 }),
    thread.call({ do: 'end' }),
  ]);
  assert.deepEqual(
    lost.map((one) => one.status === 'rejected' && codeOf(one.reason)),
    ['unavailable', 'unavailable'],
  );
  assert.equal(await thread.call({ echo: 'again', afterMs: 0 }), 'T: again');
});

test('a call between the error and the exit of a dying thread gets its response from the next thread', async () => {
  await assert.rejects(thread.call({ do: 'crash' }), (error) => codeOf(error) === 'unavailable');
  assert.equal(await thread.call({ echo: 'retried', afterMs: 200 }), 'T: retried');
  assert.equal(thread.openCalls(), 0);
});

test('a call that cannot be sent to a thread is not counted as open', async () => {
  const call = { echo: 'never', afterMs: 0, callback: () => undefined };
  await assert.rejects(async () => thread.call(call), { name: 'DataCloneError' });
  assert.deepEqual([thread.openCalls(), thread.waitMs()], [0, 0]);
});
