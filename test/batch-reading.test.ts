import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_LARGE_READS } from '../src/api/send-text.ts';
import { serveBatches } from './batch-fixture.ts';
import { engines } from './harness/store/engines.ts';

const HOMES = 300;
/** As large as the result of a home with 20 comparables. */
const RESULT = JSON.stringify({ valuation: 'x'.repeat(32_000) });

for (const engine of engines) {
  /** A finished batch whose full response has 10 MB. */
  const serveLargeBatch = async (t: Parameters<typeof serveBatches>[0]) => {
    const served = await serveBatches(t, engine);
    const { job_id: jobId } = await served.submit(HOMES);
    await served.batchLoop.idle();
    await served.store.db
      .updateTable('job_results')
      .set({ data: RESULT, error: null, errorCode: null })
      .where('jobId', '=', jobId)
      .execute();
    return { ...served, path: `/v1/avm/batch/${jobId}` };
  };

  test(`${engine.name}: while a complete response of 10 MB is written, the event loop serves other requests`, async (t) => {
    const { call, path } = await serveLargeBatch(t);
    let rounds = 0;
    let isReading = true;
    const count = (): void => {
      rounds++;
      if (isReading) setImmediate(count);
    };
    setImmediate(count);
    const { status, body, text } = await call('GET', path);
    isReading = false;
    assert.deepEqual([status, body.results.length], [200, HOMES]);
    assert.ok(text.length > 9_600_000);
    assert.ok(body.results.every(({ data }: { data: object }) => JSON.stringify(data) === RESULT));
    assert.ok(rounds > 50, `${rounds} rounds`);
  });

  test(`${engine.name}: a complete response counts as one request per megabyte`, async (t) => {
    const { call, keyOf, store, path } = await serveLargeBatch(t);
    const as = await keyOf('acme', 'professional');
    await store.db.updateTable('jobs').set({ accountId: 'acme' }).execute();
    const remaining = async (): Promise<number> => {
      const { headers } = await call('GET', '/v1/coverage', { as });
      return Number(/"day";r=(\d+)/.exec(String(headers.ratelimit))?.[1]);
    };
    const before = await remaining();
    assert.equal((await call('GET', path, { as })).text.length > 9_600_000, true);
    const used = before - (await remaining());
    assert.ok(used >= 10 && used <= 12, `${used} requests`);
  });

  test(`${engine.name}: an account reads at most four complete responses at a time, and other accounts are not affected`, async (t) => {
    const { app, key, call, keyOf, path } = await serveLargeBatch(t);
    await app.listen({ port: 0, host: '127.0.0.1' });
    const address = app.addresses()[0];
    assert.ok(typeof address === 'object');
    const stalled: Socket[] = [];
    for (let i = 0; i < MAX_LARGE_READS; i++) {
      const socket = connect(address.port, '127.0.0.1');
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n\r\n`);
      await once(socket, 'readable');
      stalled.push(socket);
    }
    const fifth = await call('GET', path);
    assert.deepEqual(
      [fifth.status, fifth.body.code, fifth.headers['retry-after']],
      [429, 'rate_limited', '1'],
    );
    const lines = { headers: { accept: 'application/x-ndjson' } };
    assert.equal((await call('GET', `${path}/results`, lines)).status, 429);
    assert.equal((await call('GET', `${path}/results`)).status, 200, 'pages are not limited');
    const other = await keyOf('acme', 'unlimited');
    assert.equal((await call('GET', path, { as: other })).status, 404, 'another account gets a response');
    for (const socket of stalled) socket.destroy();
    let status = 429;
    for (let i = 0; i < 200 && status === 429; i++) {
      await sleep(10);
      status = (await call('GET', path)).status;
    }
    assert.equal(status, 200, 'the slots are free again');
  });
}
