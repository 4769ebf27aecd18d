import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { addSweep } from '../../test/harness/jobs/add-sweep.ts';
import { engines, type TestEngine } from '../../test/harness/store/engines.ts';
import { startTestApp } from '../../test/test-app.ts';
import { composeOperations } from '../cli/compose-operations.ts';
import type { ByteRange, ObjectStore, OpenedObject } from '../egress/stored-object.ts';
import { insertFile, markStored } from '../store/sweep-files.ts';
import { MAX_LARGE_READS, STREAM_MS } from './send-text.ts';

const BYTES = 100_000_000;

/** A server with a sweep whose large file is in object storage, and clients that do not read it. */
async function serveLargeFile(engine: TestEngine, t: TestContext) {
  const store = await engine.open();
  const operations = composeOperations(store);
  const jobId = await addSweep(store, 'self', { endedAt: 1 });
  const location = 's3://bucket';
  const file = { jobId, format: 'csv', location, objectKey: 'k', byteCount: BYTES, sha256: 'a' } as const;
  await insertFile(store, file);
  await markStored(store, file, 1);
  const opened: Readable[] = [];
  const gate = { opens: Promise.resolve() };
  const sockets = new Set<Socket>();
  const idleMs: (number | undefined)[] = [];
  const unused = () => Promise.reject(new Error('not used'));
  const open = async (_key: string, { first, last }: ByteRange): Promise<OpenedObject> => {
    idleMs.push(...[...sockets].map(({ timeout }) => timeout));
    const bytes = new Readable({ read: () => void bytes.push(Buffer.alloc(10_000)) });
    opened.push(bytes);
    await gate.opens;
    return { byteCount: last - first + 1, sha256: file.sha256, bytes };
  };
  const objectStore: ObjectStore = { location, open, put: unused, find: unused, remove: unused };
  const { app, key } = await startTestApp(operations, { objectStore });
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket.once('close', () => sockets.delete(socket)));
  });
  const address = await app.listen({ port: 0 });
  t.after(async () => {
    app.server.closeAllConnections();
    await app.close();
    await operations.valuationLog.close();
    await store.close();
  });
  return {
    opened,
    sockets,
    idleMs,
    gate,
    connectionTimeout: app.initialConfig.connectionTimeout,
    request: (headers = {}) => {
      const url = `${address}/v1/sweeps/${jobId}/values?format=csv`;
      const sent = get(url, { agent: false, headers: { 'x-api-key': key, ...headers } });
      sent.on('error', () => {});
      return sent;
    },
  };
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(5);
}

for (const engine of engines) {
  test(`${engine.name}: a rejected download does not leave its object open, and has no headers of a file`, async (t) => {
    const { request, opened } = await serveLargeFile(engine, t);
    const held = Array.from({ length: MAX_LARGE_READS }, () => request());
    await Promise.all(held.map((sent) => once(sent, 'response')));
    const [rejected] = await once(request({ range: 'bytes=5-9' }), 'response');
    assert.equal(rejected.statusCode, 429);
    for (const name of ['accept-ranges', 'content-range', 'etag'])
      assert.ok(!(name in rejected.headers), name);
    await until(() => opened[MAX_LARGE_READS]?.destroyed === true);
    assert.ok(opened.slice(0, MAX_LARGE_READS).every(({ destroyed }) => !destroyed));
    for (const sent of held) sent.destroy();
    await until(() => opened.every(({ destroyed }) => destroyed));
  });

  test(`${engine.name}: a client that leaves while its object is being opened does not leave it open`, async (t) => {
    const { request, opened, gate, sockets } = await serveLargeFile(engine, t);
    const release = Promise.withResolvers<void>();
    gate.opens = release.promise;
    const sent = request();
    await until(() => opened.length === 1);
    sent.destroy();
    await until(() => sockets.size === 0);
    release.resolve();
    await until(() => opened[0].destroyed);
  });

  test(`${engine.name}: a connection may be idle for long before a slow response, and no longer than others during it`, async (t) => {
    const { request, sockets, idleMs, connectionTimeout } = await serveLargeFile(engine, t);
    await once(request(), 'response');
    assert.ok(idleMs.length === 1 && (idleMs[0] ?? 0) > STREAM_MS, String(idleMs));
    assert.deepEqual(
      [...sockets].map(({ timeout }) => timeout),
      [connectionTimeout],
    );
  });
}
