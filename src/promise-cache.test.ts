import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cachedFor, cached } from './promise-cache.ts';

test('arguments that differ only in spaces or in object members are different keys', async () => {
  const loaded: unknown[] = [];
  const of = cached(10, (...args: [string, string | { a: number }]) => {
    loaded.push(args);
    return Promise.resolve(JSON.stringify(args));
  });
  assert.notEqual(await of('a b', 'c'), await of('a', 'b c'));
  assert.equal(await of('a', { a: 1 }), await of('a', { a: 1 }));
  assert.notEqual(await of('a', { a: 1 }), await of('a', { a: 2 }));
  assert.equal(loaded.length, 4);
});

test('the least recently used goes first, and a failure is not kept', async () => {
  let loads = 0;
  const of = cached(2, (key: string) => {
    loads++;
    return key === 'bad' ? Promise.reject(new Error('bad')) : Promise.resolve(key);
  });
  for (const key of ['a', 'b', 'a', 'c', 'a']) await of(key);
  assert.equal(loads, 3);
  await of('b');
  assert.equal(loads, 4);
  await assert.rejects(of('bad'));
  await assert.rejects(of('bad'));
  assert.equal(loads, 6);
});

test('one read serves all calls for a while, also after the clock was set back an hour', async () => {
  let now = 3_600_000;
  let reads = 0;
  const read = cachedFor(
    1000,
    () => new Date(now),
    async () => ++reads,
  );
  assert.deepEqual([await read(), await read()], [1, 1]);
  now += 1000;
  assert.equal(await read(), 2);
  now = 0;
  assert.deepEqual([await read(), await read()], [3, 3]);
});
