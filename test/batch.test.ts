import assert from 'node:assert/strict';
import { RESULTS_KEPT_MS } from './app-config.ts';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { eventBodyFrom } from '../src/cli/compose.ts';
import { composeOperations } from '../src/cli/compose-operations.ts';
import { engines } from './harness/store/engines.ts';
import { startReceiver } from './harness/webhooks/receivers.ts';
import {
  assertPublished,
  DAY_MS,
  HOME,
  homes,
  NOW,
  serveBatches,
  SUBMIT,
  type Answer,
} from './batch-fixture.ts';
import { startTestApp } from './test-app.ts';
import type { Json } from './json.ts';
import type { Delivery } from '../src/store/tables/jobs.ts';

function deliveryOf(jobId: string): Delivery {
  const ids = { deliveryId: `msg_${jobId}`, accountId: 'self', subject: jobId };
  const times = { createdAt: NOW, dueAt: NOW, finishedAt: null };
  return { ...ids, ...times, url: 'https://hooks.example.com/', state: 'pending', attempts: 0 };
}

for (const engine of engines) {
  test(`${engine.name}: a batch is accepted, tracked, read in pages and lines, and posted as the same document`, async (t) => {
    const { call, submit, batchLoop, deliverySender } = await serveBatches(t, engine);
    const receiver = await startReceiver((_request, response) => response.writeHead(204).end());
    t.after(receiver.close);
    const secret = (await call('POST', '/v1/webhooks/secret/rotate')).body.secret;
    const notifyUrl = `http://127.0.0.1:${receiver.port}/hook`;
    const submitted = await call('POST', SUBMIT, {
      body: { notify_url: notifyUrl, properties: homes(60), color: 'red' },
    });
    assertPublished('AcceptedJob', submitted.body);
    const { job_id: jobId, warnings, ...accepted } = submitted.body;
    const path = `/v1/avm/batch/${jobId}`;
    assert.deepEqual(accepted, {
      status: 'queued',
      avm_type: 'property',
      total: 60,
      status_url: path,
      created_at: new Date(NOW).toISOString(),
      notify_url: notifyUrl,
      parent_job_id: null,
    });
    assert.deepEqual(
      [submitted.status, submitted.headers.location, submitted.headers['retry-after']],
      [202, path, '2'],
    );
    assert.deepEqual(
      warnings.map(({ field }: Json) => field),
      ['color'],
    );
    const queued = (await call('GET', path)).body;
    assertPublished('BatchJob', queued);
    assert.deepEqual(
      [queued.status, queued.progress_pct, queued.results, queued.expires_at],
      ['queued', 0, null, null],
    );
    const early = await call('GET', `${path}/results`);
    assert.deepEqual([early.status, early.body.code], [409, 'conflict']);

    await batchLoop.idle();
    const done = (await call('GET', path)).body;
    assertPublished('BatchJob', done);
    assert.deepEqual(
      [done.status, done.total, done.completed, done.failed, done.progress_pct, done.credits_used],
      ['complete', 60, 0, 60, 100, 0],
    );
    assert.equal(Date.parse(done.expires_at) - Date.parse(done.finished_at), 30 * DAY_MS);
    assert.deepEqual(
      done.results.map(({ error: _sentence, ...result }: Json) => result),
      homes(60).map((_, index) => ({
        index,
        property_id: `home ${index}`,
        status: 'error',
        data: null,
        error_code: 'outside_coverage',
      })),
    );
    const paged: Json[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Json = (await call('GET', `${path}/results?limit=23&cursor=${cursor}`)).body;
      assertPublished('Results', page);
      paged.push(...page.results);
      cursor = page.next_cursor;
    }
    assert.deepEqual(paged, done.results);
    const lines = await call('GET', `${path}/results`, { headers: { accept: 'application/x-ndjson' } });
    assert.match(lines.headers['content-type'], /^application\/x-ndjson/);
    assert.deepEqual(
      lines.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
      done.results,
    );

    await deliverySender.idle();
    const delivered = (await call('GET', path)).body;
    assert.deepEqual({ ...delivered, webhook_delivered: false }, done);
    assert.equal(delivered.webhook_delivered, true);
    const redelivery = await call('POST', `/v1/webhooks/deliveries/msg_${jobId}/redeliver`);
    assert.equal(redelivery.status, 202, redelivery.text);
    await deliverySender.idle();
    assert.equal(receiver.received.length, 2);
    for (const { headers, body } of receiver.received) {
      assert.equal(headers['webhook-id'], `msg_${jobId}`);
      const posted = Object(new Webhook(secret).verify(body, Object(headers)));
      assertPublished('BatchCompletedEvent', posted);
      const { type, timestamp, ...event } = posted;
      assert.deepEqual([type, timestamp], ['avm.batch.completed', done.finished_at]);
      assert.deepEqual(event, done);
      assert.equal(body.toString(), receiver.received[0].body.toString());
    }
    assert.equal((await submit(1)).status, 'queued');
  });

  test(`${engine.name}: lists contain every job once, newest first, and filters select correctly`, async (t) => {
    const { call, submit, keyOf, batchLoop, passMs } = await serveBatches(t, engine);
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) {
      passMs(1);
      ids.push((await submit(1)).job_id);
    }
    await batchLoop.idle();
    ids.push((await submit(2)).job_id);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Json = (await call('GET', `/v1/avm/batch?limit=4&cursor=${cursor}`)).body;
      assertPublished('Jobs', page);
      seen.push(...page.jobs.map((job: Json) => job.job_id));
      cursor = page.next_cursor;
    }
    assert.deepEqual(seen, ids.toReversed());
    const countOf = async (query: string, as?: string): Promise<number> =>
      (await call('GET', `/v1/avm/batch?${query}`, { as })).body.jobs.length;
    assert.deepEqual(
      [await countOf('status=complete'), await countOf('status=queued'), await countOf('avm_type=rental')],
      [5, 1, 0],
    );
    assert.equal(await countOf('', await keyOf('other', 'unlimited')), 0);
    for (const url of ['/v1/avm/batch?cursor=x', `/v1/avm/batch/${ids[0]}/results?cursor=AAAA`]) {
      assert.equal((await call('GET', url)).body.code, 'invalid_cursor', url);
    }
    for (const query of ['status=done', 'avm_type=land', 'limit=0', 'limit=101']) {
      assert.equal((await call('GET', `/v1/avm/batch?${query}`)).status, 422, query);
    }
  });

  test(`${engine.name}: every item of a canceled job is reported as canceled, and its items can be retried`, async (t) => {
    const { call, submit, batchLoop, deliverySender } = await serveBatches(t, engine);
    const receiver = await startReceiver((_request, response) => response.writeHead(204).end());
    t.after(receiver.close);
    const { job_id: jobId } = await submit(3, { notify_url: `http://127.0.0.1:${receiver.port}/` });
    const path = `/v1/avm/batch/${jobId}`;
    assert.equal((await call('POST', `${path}/retry-failed`)).status, 409);
    const cancelled = await call('POST', `${path}/cancel`);
    assert.deepEqual([cancelled.status, cancelled.body.status, cancelled.body.failed], [202, 'cancelled', 3]);
    assertPublished('JobSummary', cancelled.body);
    assert.equal((await call('POST', `${path}/cancel`)).body.code, 'conflict');
    await batchLoop.idle();
    const { status, results } = (await call('GET', path)).body;
    assert.deepEqual(
      [status, ...results.map((result: Json) => result.error_code)],
      ['cancelled', 'cancelled', 'cancelled', 'cancelled'],
    );
    const dry = await call('POST', `${path}/retry-failed`, { headers: { 'x-dry-run': 'true' } });
    assert.deepEqual([dry.status, dry.body], [200, { dry_run: true, credits_max: 3 * 30 }]);
    assert.equal((await call('GET', '/v1/avm/batch')).body.jobs.length, 1, 'no job was created');
    const again = await call('POST', `${path}/retry-failed`, { headers: { 'idempotency-key': 'again' } });
    assert.deepEqual([again.status, again.body.parent_job_id, again.body.total], [202, jobId, 3]);
    assert.equal(again.headers.location, `/v1/avm/batch/${again.body.job_id}`);
    const replayed = await call('POST', `${path}/retry-failed`, { headers: { 'idempotency-key': 'again' } });
    assert.deepEqual([replayed.text, replayed.headers['idempotent-replayed']], [again.text, 'true']);
    await batchLoop.idle();
    const retried = (await call('GET', again.headers.location)).body;
    assert.deepEqual([retried.status, retried.parent_job_id], ['complete', jobId]);
    assert.deepEqual(
      retried.results.map(({ property_id: id, error_code: code }: Json) => [id, code]),
      [0, 1, 2].map((i) => [`home ${i}`, 'outside_coverage']),
    );
    await deliverySender.idle();
    const told = receiver.received.map(({ body }) => JSON.parse(body.toString()).status);
    assert.deepEqual(told.sort(), ['cancelled', 'complete']);
  });

  test(`${engine.name}: of twenty concurrent retries one is accepted, and another only after it has ended`, async (t) => {
    const { call, submit, batchLoop } = await serveBatches(t, engine);
    const { job_id: jobId } = await submit(3);
    await batchLoop.idle();
    const retry = () => call('POST', `/v1/avm/batch/${jobId}/retry-failed`);
    const all = await Promise.all(Array.from({ length: 20 }, retry));
    const statuses = all.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [202, ...Array.from({ length: 19 }, () => 409)]);
    assert.equal((await call('GET', '/v1/avm/batch')).body.jobs.length, 2);
    await batchLoop.idle();
    assert.equal((await retry()).status, 202);
  });

  test(`${engine.name}: the same key and body create one job and get one response, and another body is rejected`, async (t) => {
    const { call, keyOf, submit } = await serveBatches(t, engine);
    const body = { properties: homes(2), color: 'red' };
    const send = (key: string, sent: unknown = body, as?: string, url = SUBMIT): Promise<Answer> =>
      call('POST', url, { body: sent, headers: { 'idempotency-key': key }, as });
    const invalid = await send('a', { properties: [{}] });
    assert.equal(invalid.status, 422);
    const answers = await Promise.all(Array.from({ length: 20 }, () => send('a')));
    // A submission that arrives while the first is being stored may be asked to retry. The retry gets the
    // same response.
    const settled = await Promise.all(answers.map((one) => (one.status === 409 ? send('a') : one)));
    assert.deepEqual(new Set(settled.map(({ status, text }) => `${status} ${text}`)).size, 1);
    assert.equal(settled[0].status, 202);
    assert.equal(settled.filter(({ headers }) => headers['idempotent-replayed'] !== 'true').length, 1);
    const other = await send('a', { properties: homes(3) });
    assert.deepEqual([other.status, other.body.code], [422, 'idempotency_key_reused']);
    assert.match(other.headers['content-type'], /^application\/problem\+json/);
    const { job_id: jobId } = settled[0].body;
    assert.notEqual((await send('b')).body.job_id, jobId);
    assert.notEqual((await send('a', body, await keyOf('other', 'unlimited'))).body.job_id, jobId);
    const rents = {
      properties: [{ location: HOME.location, property_fields: { units: [{ bedrooms: 1, bathrooms: 1 }] } }],
    };
    assert.equal((await send('a', rents, undefined, '/v1/avm/batch/rental')).status, 202);
    assert.equal((await call('GET', '/v1/avm/batch')).body.jobs.length, 3);
    await call('POST', `/v1/avm/batch/${jobId}/cancel`);
    assert.equal((await send('a')).text, settled[0].text, 'the earlier response is repeated');
    assert.equal((await submit(1)).status, 'queued');
  });

  test(`${engine.name}: a repeated submission gets the earlier response even if its callback would be rejected now`, async (t) => {
    const { call, store } = await serveBatches(t, engine);
    const body = { properties: homes(1), notify_url: 'http://127.0.0.1:8080/' };
    const headers = { 'idempotency-key': 'a' };
    const first = await call('POST', SUBMIT, { body, headers });
    assert.equal(first.status, 202);
    // Simulates a host name that no longer resolves.
    const { app, key } = await startTestApp(composeOperations(store), { callbackAllowCidrs: [] });
    t.after(() => app.close());
    const send = (idempotencyKey: string) =>
      app.inject({
        method: 'POST',
        url: SUBMIT,
        headers: { 'x-api-key': key, 'idempotency-key': idempotencyKey },
        payload: body,
      });
    const again = await send('a');
    assert.deepEqual([again.body, again.headers['idempotent-replayed']], [first.text, 'true']);
    assert.equal((await send('b')).statusCode, 422);
  });

  test(`${engine.name}: results are deleted when their retention ends`, async (t) => {
    const { call, submit, store, batchLoop, passMs } = await serveBatches(t, engine);
    const { job_id: jobId } = await submit(1);
    await batchLoop.idle();
    const bodyAt = (ms: number) =>
      eventBodyFrom({ store, clock: () => new Date(NOW + ms), resultsKeptMs: RESULTS_KEPT_MS })(
        deliveryOf(jobId),
      );
    assert.notEqual(await bodyAt(0), null);
    assert.equal(await bodyAt(30 * DAY_MS), null, 'the results are deleted');
    const path = `/v1/avm/batch/${jobId}`;
    passMs(30 * DAY_MS - 1);
    assert.equal((await call('GET', path)).status, 200);
    passMs(1);
    for (const [method, url] of [
      ['GET', path],
      ['GET', `${path}/results`],
      ['POST', `${path}/cancel`],
      ['POST', `${path}/retry-failed`],
    ] as const) {
      const { status, body } = await call(method, url);
      assert.deepEqual([status, body.code], [410, 'gone'], url);
    }
    assert.deepEqual((await call('GET', '/v1/avm/batch')).body.jobs, []);
  });
}
