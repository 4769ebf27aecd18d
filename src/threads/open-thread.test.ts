import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { PlumblineError } from '../errors.ts';
import { openThread } from './open-thread.ts';
import type { TestQuestion } from '../../test/harness/threads/echo-thread.ts';

const thread = openThread<TestQuestion, string>(
  new URL('../../test/harness/threads/echo-thread.ts', import.meta.url),
  { name: 'T' },
);
after(() => thread.close());

const codeOf = (error: unknown): string => (error instanceof PlumblineError ? error.code : String(error));

test('each of many questions at once gets its own answer, whatever the order they come in', async () => {
  const asked = Array.from({ length: 50 }, (_, i) => thread.ask({ echo: String(i), afterMs: (i * 7) % 13 }));
  assert.equal(thread.asked(), 50);
  assert.deepEqual(
    await Promise.all(asked),
    Array.from({ length: 50 }, (_, i) => `T: ${i}`),
  );
  assert.equal(thread.asked(), 0);
});

test('an error keeps its code and sentence on its way out of the thread, and others go on', async () => {
  const [refused, failed, fine] = await Promise.allSettled([
    thread.ask({ do: 'refuse' }),
    thread.ask({ do: 'fail' }),
    thread.ask({ echo: 'on', afterMs: 5 }),
  ]);
  assert.ok(refused.status === 'rejected' && refused.reason instanceof PlumblineError);
  assert.deepEqual([refused.reason.code, refused.reason.message], ['gone', 'It is gone.']);
  assert.ok(failed.status === 'rejected' && failed.reason instanceof TypeError);
  assert.deepEqual(fine, { status: 'fulfilled', value: 'T: on' });
});

test('closing waits for the answers to what was asked', async () => {
  const other = openThread<TestQuestion, string>(
    new URL('../../test/harness/threads/echo-thread.ts', import.meta.url),
    { name: 'U' },
  );
  const asked = other.ask({ echo: 'slow', afterMs: 50 });
  await other.close();
  assert.equal(await Promise.race([asked, 'not yet']), 'U: slow');
});

test('a thread that ends takes its questions down as unavailable, and the next question starts another', async () => {
  const lost = await Promise.allSettled([
    thread.ask({ echo: 'never', afterMs: 60_000 }),
    thread.ask({ do: 'end' }),
  ]);
  assert.deepEqual(
    lost.map((one) => one.status === 'rejected' && codeOf(one.reason)),
    ['unavailable', 'unavailable'],
  );
  assert.equal(await thread.ask({ echo: 'again', afterMs: 0 }), 'T: again');
});

test('a question asked between the error and the exit of a dying thread is answered by the next thread', async () => {
  await assert.rejects(thread.ask({ do: 'crash' }), (error) => codeOf(error) === 'unavailable');
  assert.equal(await thread.ask({ echo: 'retried', afterMs: 200 }), 'T: retried');
  assert.equal(thread.asked(), 0);
});

test('a question that cannot be sent to a thread is not counted as open', async () => {
  const question = { echo: 'never', afterMs: 0, callback: () => undefined };
  await assert.rejects(async () => thread.ask(question), { name: 'DataCloneError' });
  assert.deepEqual([thread.asked(), thread.waitMs()], [0, 0]);
});
