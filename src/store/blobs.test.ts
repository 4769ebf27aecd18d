import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { checkBlob, createBlobCache, getBlob, hashesOf, putBlob } from './blobs.ts';
import type { Store } from './store.ts';
import { seededRandom } from '../valuation/random.ts';
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

    test('a blob that mostly agrees with another one stores only what differs', async () => {
      const random = seededRandom(1);
      const before = Uint8Array.from({ length: 1_000_000 }, () => random() * 256);
      const inserted = Uint8Array.from({ length: 1000 }, () => random() * 256);
      const after = Buffer.concat([before.subarray(0, 400_000), inserted, before.subarray(400_000)]);
      const bytesStored = async (): Promise<number> => {
        const rows = await store.db.selectFrom('blob_pieces').select('bytes').execute();
        return rows.reduce((sum, { bytes }) => sum + bytes.length, 0);
      };
      await putBlob(store, before);
      const stored = await bytesStored();
      const sha256 = await putBlob(store, after);
      const added = (await bytesStored()) - stored;
      assert.ok(added > 1000 && added < 150_000, `${added} bytes`);
      assert.ok(after.equals(await getBlob(store, sha256)));
    });

    test('a blob that an earlier version stored in chunks is read', async () => {
      const bytes = Buffer.alloc(1_500_000, 'abc');
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const parts = [bytes.subarray(0, 1_048_576), bytes.subarray(1_048_576)];
      for (const [chunkNo, part] of parts.entries()) {
        await store.db.insertInto('blob_chunks').values({ sha256, chunkNo, bytes: part }).execute();
      }
      const row = { sha256, byteCount: bytes.length, createdAt: 0, pieces: null };
      await store.db.insertInto('blobs').values(row).execute();
      assert.ok(bytes.equals(await getBlob(store, sha256)));
      assert.equal(await checkBlob(store, sha256), null);
    });

    test('a piece that is missing or cannot be read is reported as damage', async () => {
      const bytes = Buffer.from('0123456789'.repeat(30_000));
      const sha256 = await putBlob(store, bytes);
      const { pieces } = await store.db
        .selectFrom('blobs')
        .select('pieces')
        .where('sha256', '=', sha256)
        .executeTakeFirstOrThrow();
      const [first] = hashesOf(pieces ?? new Uint8Array(0));
      const damaged = Uint8Array.of(1, 2, 3);
      await store.db.updateTable('blob_pieces').set({ bytes: damaged }).where('sha256', '=', first).execute();
      await assert.rejects(getBlob(store, sha256), { code: 'unavailable' });
      await store.db.deleteFrom('blob_pieces').where('sha256', '=', first).execute();
      await assert.rejects(getBlob(store, sha256), { code: 'unavailable' });
      assert.match((await checkBlob(store, sha256)) ?? '', /is damaged/);
    });

    test('a failed opening is not cached', async () => {
      const bytes = new Uint8Array([7]);
      const cache = createBlobCache(store, createSharedMemory(100), (found) => found[0]);
      const sha256 = '6f'.repeat(32);
      await assert.rejects(cache(sha256), /no longer kept/);
      assert.equal(await cache(await putBlob(store, bytes)), 7);
      await assert.rejects(cache(sha256), /no longer kept/);
    });
  });
}
