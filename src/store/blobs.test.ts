import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createBlobCache, putBlob } from './blobs.ts';
import type { Store } from './store.ts';
import { createSharedMemory } from '../threads/shared-memory.ts';
import { engines } from '../../test/harness/store/engines.ts';

for (const engine of engines) {
  describe(engine.name, () => {
    let store: Store;
    before(async () => {
      store = await engine.open();
    });
    after(() => store.close());

    test('a cached blob is opened once, also for concurrent readers', async () => {
      const sha256 = await putBlob(store, new Uint8Array([1, 2, 3]));
      let openings = 0;
      const cache = createBlobCache(store, createSharedMemory(100), (bytes) => [openings++, ...bytes]);
      const [one, two] = await Promise.all([cache(sha256), cache(sha256)]);
      assert.deepEqual(one, [0, 1, 2, 3]);
      assert.equal(one, two);
      assert.equal(await cache(sha256), one);
    });

    test('a full cache drops the least recently used blob', async () => {
      const shas = await Promise.all([1, 2, 3].map((n) => putBlob(store, new Uint8Array(40).fill(n))));
      const opened: number[] = [];
      const cache = createBlobCache(store, createSharedMemory(100), (bytes) => opened.push(bytes[0]));
      for (const at of [0, 1, 0, 2, 0, 1]) await cache(shas[at]);
      assert.deepEqual(opened, [1, 2, 3, 2], 'the first was used between, so the second had to go');
    });

    test('a failed opening is not cached', async () => {
      const bytes = new Uint8Array([7]);
      const cache = createBlobCache(store, createSharedMemory(100), (found) => found[0]);
      const sha256 = '6f'.repeat(32);
      await assert.rejects(cache(sha256), /holds no blob/);
      assert.equal(await cache(await putBlob(store, bytes)), 7);
      await assert.rejects(cache(sha256), /holds no blob/);
    });
  });
}
