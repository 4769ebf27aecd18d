import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test, type TestContext } from 'node:test';
import { startS3 } from '../../test/harness/egress/s3-server.ts';
import { addSweep } from '../../test/harness/jobs/add-sweep.ts';
import { addAccount } from '../../test/harness/jobs/jobs.ts';
import { engines, type TestEngine } from '../../test/harness/store/engines.ts';
import { many } from '../../test/harness/store/rows.ts';
import { startTestApp } from '../../test/test-app.ts';
import { composeOperations } from '../cli/compose-operations.ts';
import { newId } from '../cli/configured-store.ts';
import { VALUE_FORMATS, type ValueFormat } from '../domain/value-format.ts';
import { createObjectStore } from '../egress/object-store.ts';
import type { ObjectStore } from '../egress/stored-object.ts';
import { PlumblineError } from '../errors.ts';
import { createLog } from '../log.ts';
import { deletedAccountRows } from '../store/delete-account.ts';
import { deleteAll } from '../store/delete-datasets.ts';
import { sweptValues } from '../store/sweeps.ts';
import { createSweepFiles, findSweepFile, openSweepFile } from './sweep-files.ts';

const MARKET = 'm';
const LATER = 60_001;
const VALUES = many(6000, (i) => {
  const parcelId = `p${String(i).padStart(6, '0')}`;
  const isValued = i % 7 !== 0;
  const value = isValued ? 100_000 + i : null;
  const range = { lowUsd: isValued ? 90_000 + i / 3 : null, highUsd: isValued ? 110_000 + i / 7 : null };
  const errorCode = isValued ? null : 'outside_coverage';
  return { parcelId, valueUsd: value, ...range, fsd: isValued ? 0.1 : null, errorCode };
});

/** An ended sweep, an empty bucket, a worker that stores files, and a server with object storage and one without. */
async function openStored(
  engine: TestEngine,
  t: TestContext,
  change = (objectStore: ObjectStore) => objectStore,
) {
  const s3 = await startS3(t);
  const state = { now: Date.now() };
  const clock = () => new Date(state.now);
  const store = await engine.open({ clock });
  const dataDir = mkdtempSync(join(tmpdir(), 'sweep-files-'));
  const operations = composeOperations(store);
  const sweepId = await addSweep(store, 'self', { marketId: MARKET, values: VALUES, endedAt: 1 });
  const objectStore = createObjectStore(s3.setting());
  const workerWith = (used: ObjectStore) =>
    createSweepFiles({ store, clock, newId, dataDir, objectStore: used, log: createLog('silent') });
  const worker = workerWith(change(objectStore));
  const [withObjects, without] = [
    await startTestApp(operations, { objectStore }),
    await startTestApp(operations),
  ];
  t.after(async () => {
    await Promise.all([withObjects.app.close(), without.app.close()]);
    await operations.valuationLog.close();
    await store.close();
    rmSync(dataDir, { recursive: true });
  });
  const readFrom = async ({ app, key }: typeof without, format: ValueFormat, headers = {}) => {
    const url = `/v1/sweeps/${sweepId}/values?format=${format}`;
    const {
      statusCode,
      headers: received,
      rawPayload,
    } = await app.inject({
      url,
      headers: { 'x-api-key': key, ...headers },
    });
    return { statusCode, headers: received, bytes: rawPayload };
  };
  return {
    ...s3,
    store,
    dataDir,
    worker,
    workerWith,
    objectStore,
    sweepId,
    keyOf: (format: ValueFormat) => `town/sweeps/${MARKET}/1970-01-01/${sweepId}.${format}`,
    passMs: (ms: number) => void (state.now += ms),
    read: (format: ValueFormat, headers = {}) => readFrom(withObjects, format, headers),
    readWithout: (format: ValueFormat) => readFrom(without, format),
  };
}

/** The response came from object storage. */
function isFromObject({ headers }: { readonly headers: NodeJS.Dict<unknown> }): boolean {
  return headers['accept-ranges'] === 'bytes';
}

for (const engine of engines) {
  test(`${engine.name}: a download has the same bytes with and without object storage, and can be resumed with it`, async (t) => {
    const { read, readWithout, worker, keys, keyOf, dataDir } = await openStored(engine, t);
    await worker.idle();
    assert.deepEqual(keys(), VALUE_FORMATS.map(keyOf).sort());
    assert.deepEqual(readdirSync(join(dataDir, 'staging')), []);
    for (const format of VALUE_FORMATS) {
      const [stored, written] = [await read(format), await readWithout(format)];
      assert.deepEqual([isFromObject(stored), isFromObject(written)], [true, false]);
      assert.ok(stored.bytes.length > 15_000, `${stored.bytes.length} bytes`);
      assert.ok(stored.bytes.equals(written.bytes));
      assert.equal(stored.headers['content-type'], written.headers['content-type']);
      assert.equal(stored.headers['content-length'], String(written.bytes.length));
      const { length } = written.bytes;
      const etag = `"${createHash('sha256').update(written.bytes).digest('hex')}"`;
      assert.equal(stored.headers.etag, etag);
      const rest = await read(format, { range: 'bytes=10000-', 'if-range': etag });
      assert.deepEqual(
        [rest.statusCode, rest.headers['content-range'], rest.headers['content-length']],
        [206, `bytes 10000-${length - 1}/${length}`, String(length - 10_000)],
      );
      assert.ok(rest.bytes.equals(written.bytes.subarray(10_000)));
      assert.ok((await read(format, { range: 'bytes=5-9' })).bytes.equals(written.bytes.subarray(5, 10)));
      assert.ok((await read(format, { range: 'bytes=-9' })).bytes.equals(written.bytes.subarray(-9)));
      // Of another file, several parts, none that it has, and not of bytes: all of it.
      for (const headers of [
        { range: 'bytes=10000-', 'if-range': '"another"' },
        { range: 'bytes=0-1,5-9' },
        { range: `bytes=${length}-` },
        { range: 'bytes=-' },
        { range: 'rows=0-1' },
      ]) {
        const all = await read(format, headers);
        assert.deepEqual([all.statusCode, all.bytes.length], [200, length], JSON.stringify(headers));
      }
    }
  });

  test(`${engine.name}: an upload that was killed is not served, and the next pass stores the file`, async (t) => {
    const killed: string[] = [];
    const { read, readWithout, worker, workerWith, objectStore, keys, keyOf, store, passMs, port } =
      await openStored(engine, t, (whole) => ({
        ...whole,
        // The connection of a killed process breaks. This server then keeps what it has.
        put: async ({ key, byteCount, bytes }) => {
          const put = request({ port, method: 'PUT', path: `/bucket/town/${key}` });
          put.on('error', () => {});
          put.setHeader('content-length', byteCount);
          for await (const chunk of bytes) {
            put.write(chunk.subarray(0, byteCount / 3));
            break;
          }
          while (!keys().includes(`town/${key}`)) await new Promise((done) => setTimeout(done, 10));
          killed.push(key);
          put.destroy();
          throw new PlumblineError('unavailable', 'killed');
        },
      }));
    await worker.idle();
    assert.deepEqual([killed.length, keys()], [1, [keyOf('parquet')]]);
    const during = await read('parquet');
    assert.equal(isFromObject(during), false);
    const { bytes } = await readWithout('parquet');
    assert.ok(during.bytes.equals(bytes));
    // The lease of a killed process ends.
    passMs(LATER);
    await workerWith(objectStore).idle();
    const after = await read('parquet');
    assert.deepEqual([isFromObject(after), after.bytes.equals(bytes)], [true, true]);
    const rows = await store.db.selectFrom('sweep_files').select(['format', 'byteCount']).execute();
    assert.equal(rows.length, VALUE_FORMATS.length);
  });

  test(`${engine.name}: a file that is missing or damaged in object storage is read from the database and stored again`, async (t) => {
    const { read, readWithout, worker, objectStore, keyOf, pathOf } = await openStored(engine, t);
    const { bytes } = await readWithout('parquet');
    const key = keyOf('parquet').slice('town/'.length);
    const damages = [
      () => objectStore.remove(key),
      () => truncateSync(pathOf(keyOf('parquet')), 1000),
      // Another file of the same length.
      () => {
        const [sha256, md5] = ['sha256', 'md5'].map((name) => createHash(name).update(bytes));
        const facts = {
          byteCount: bytes.length,
          sha256: `0${sha256.digest('hex').slice(1)}`,
          md5: md5.digest('base64'),
        };
        return objectStore.put({ key, type: 'text/csv', ...facts, bytes: Readable.from([bytes]) });
      },
    ];
    for (const damage of damages) {
      await worker.idle();
      assert.equal(isFromObject(await read('parquet')), true);
      await damage();
      const { statusCode, headers, bytes: received } = await read('parquet');
      assert.deepEqual(
        [statusCode, headers['accept-ranges'], received.equals(bytes)],
        [200, undefined, true],
      );
    }
  });

  test(`${engine.name}: files of a deleted market are deleted, and those of sweeps that have not ended are not stored`, async (t) => {
    const { worker, keys, store, keyOf } = await openStored(engine, t);
    await addSweep(store, 'self', { marketId: 'other', values: VALUES.slice(0, 9) });
    await worker.idle();
    assert.deepEqual(keys(), VALUE_FORMATS.map(keyOf).sort());
    await deleteAll(store, sweptValues(store, MARKET), 1000);
    await worker.idle();
    assert.deepEqual(keys(), []);
    assert.deepEqual(await store.db.selectFrom('sweep_files').selectAll().execute(), []);
  });

  test(`${engine.name}: a deleted account leaves no sweeps, values or files`, async (t) => {
    const { worker, keys, store, keyOf } = await openStored(engine, t);
    await addAccount(store, 'gone');
    await addSweep(store, 'gone', { values: VALUES.slice(0, 9), endedAt: 1 });
    await worker.idle();
    assert.equal(keys().length, 2 * VALUE_FORMATS.length);
    const gone = store.db.updateTable('accounts').where('accountId', '=', 'gone');
    await gone.set({ deletedAt: 1 }).execute();
    await deleteAll(store, deletedAccountRows(store), 5);
    await worker.idle();
    assert.deepEqual(keys(), VALUE_FORMATS.map(keyOf).sort());
    const values = await store.db.selectFrom('parcel_values').select('parcelId').execute();
    assert.equal(values.length, VALUES.length);
  });

  test(`${engine.name}: after a change of OBJECT_STORE, downloads come from the database until the files are stored there`, async (t) => {
    const { read, readWithout, worker, setting, store, workerWith, keys } = await openStored(engine, t);
    await worker.idle();
    await workerWith(createObjectStore(setting({ prefix: 'moved/' }))).idle();
    assert.equal(keys().filter((key) => key.startsWith('moved/sweeps/')).length, VALUE_FORMATS.length);
    const rows = await store.db.selectFrom('sweep_files').select('location').execute();
    assert.deepEqual(new Set(rows.map(({ location }) => location)), new Set(['s3://bucket/moved']));
    // A server that still has the former setting.
    const { bytes, ...response } = await read('csv');
    assert.deepEqual([isFromObject(response), bytes.equals((await readWithout('csv')).bytes)], [false, true]);
  });

  test(`${engine.name}: a file that cannot be reached is not opened, so that it is read from the database, and stays stored`, async (t) => {
    const { worker, setting, store, sweepId, objectStore } = await openStored(engine, t);
    await worker.idle();
    const log = createLog('silent');
    const unreachable = createObjectStore(setting({ endpoint: 'http://127.0.0.1:9' }));
    const file = await findSweepFile({ store, objectStore: unreachable }, sweepId, 'csv');
    assert.ok(file);
    const range = { first: 0, last: file.byteCount - 1 };
    assert.equal(await openSweepFile({ store, log, objectStore: unreachable }, file, range), null);
    // A reader that stops early breaks nothing, and one whose connection breaks goes on.
    const stopped = await openSweepFile({ store, log, objectStore }, file, range);
    await stopped?.next();
    await stopped?.return(undefined);
    let breaks = 2;
    const breaking: ObjectStore = {
      ...objectStore,
      open: async (key, asked) => {
        const opened = await objectStore.open(key, asked);
        if (opened === null || breaks-- === 0) return opened;
        const cut = async function* () {
          yield* opened.bytes.take(1);
          throw Object.assign(new Error('broken'), { code: 'ECONNRESET' });
        };
        return { ...opened, bytes: Readable.from(cut()) };
      },
    };
    const hash = createHash('sha256');
    for await (const chunk of (await openSweepFile({ store, log, objectStore: breaking }, file, range)) ??
      []) {
      hash.update(chunk);
    }
    assert.equal(hash.digest('hex'), file.sha256);
    assert.equal(breaks, -1);
  });
}
