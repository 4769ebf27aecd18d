import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { test, type TestContext } from 'node:test';
import { openThread } from './open-thread.ts';
import { createSharedMemory } from './shared-memory.ts';
import {
  openGate,
  set,
  untilSet,
  type OpenAnswer,
  type OpenCall,
} from '../../test/harness/threads/memory-thread.ts';

const MODULE = new URL('../../test/harness/threads/memory-thread.ts', import.meta.url);

/** A memory for two entries of 40 bytes, and threads that open them. */
function openMemory(t: TestContext, threads: number) {
  const memory = createSharedMemory(100);
  const opened = Array.from({ length: threads }, () =>
    openThread<OpenCall, OpenAnswer>(MODULE, {}, { memory }),
  );
  t.after(() => Promise.all(opened.map((thread) => thread.terminate())));
  let builds = 0;
  const here = memory.cached(
    'test',
    async (_name: string) => {
      builds++;
      return new Uint8Array(40).fill(9);
    },
    (bytes) => bytes,
  );
  return { memory, threads: opened, here, buildsHere: () => builds };
}

test('several threads that open a memory at once see the same bytes, which one of them built', async (t) => {
  const { threads, here, buildsHere } = openMemory(t, 2);
  const [one, two] = await Promise.all(threads.map((thread) => thread.call({ name: 'a', build: 'fill' })));
  const bytes = await here('a');
  assert.equal(one[1] + two[1] + buildsHere(), 1);
  bytes[0] = 5;
  assert.deepEqual((await threads[0].call({ name: 'a', build: 'fill' }))[0], 5);
  assert.deepEqual((await threads[1].call({ name: 'a', build: 'fill' }))[0], 5);
});

test('above the limit, the memory that no thread has used for longest is dropped in every thread', async (t) => {
  const { memory, threads, here } = openMemory(t, 1);
  const [thread] = threads;
  const inThread = async (name: string) => (await thread.call({ name, build: 'fill' })).slice(1);
  assert.deepEqual(await inThread('a'), [1, 1]);
  assert.deepEqual(await inThread('b'), [2, 2]);
  const [a] = memory.sizes().keys();
  assert.deepEqual(await inThread('a'), [2, 2]);
  // The thread reports the use of `a` on another port than its answer.
  while ([...memory.sizes().keys()].at(-1) !== a) await nextTurn();
  await here('c');
  assert.deepEqual(
    ['a', 'b', 'c'].map((name) => memory.has('test', name)),
    [true, false, true],
  );
  assert.equal(memory.bytes(), 80);
  assert.deepEqual(await inThread('a'), [2, 2]);
  // The news of what was dropped may arrive after the next call.
  while ((await inThread('b'))[0] === 2);
  assert.deepEqual(await inThread('b'), [3, 3], 'built and opened again');
});

test('a thread that cannot build a memory gets its own error, and those that wait build it themselves', async (t) => {
  const { threads, here, buildsHere } = openMemory(t, 1);
  const gate = openGate();
  const failing = threads[0].call({ name: 'a', build: 'fail', gate });
  await untilSet(gate.begun);
  const waiting = here('a');
  set(gate.mayEnd);
  await assert.rejects(failing, TypeError);
  assert.equal((await waiting)[0], 9);
  assert.equal(buildsHere(), 1);
  assert.equal((await threads[0].call({ name: 'a', build: 'fill' }))[0], 9);
});

test('when a thread ends while it builds a memory, those that wait build it themselves', async (t) => {
  const { threads, here } = openMemory(t, 1);
  const gate = openGate();
  const ending = threads[0].call({ name: 'a', build: 'end', gate });
  await untilSet(gate.begun);
  const waiting = here('a');
  set(gate.mayEnd);
  await assert.rejects(ending);
  assert.equal((await waiting)[0], 9);
});
