import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toSnakeCase } from '../../schemas/member-names.ts';
import {
  acceptedJobMembers,
  jobMembers,
  writeCompletedEvent,
  writeJob,
  writeResultLines,
  writeResults,
  type ReadResults,
} from './batch-results.ts';
import type { ItemResult, Job } from '../../jobs/batch-types.ts';

const CREATED = Date.parse('2026-06-30T12:00:00Z');

function jobOf(total: number, over: Partial<Job> = {}): Job {
  return {
    jobId: '01980c2e-6a14-7b6e-9d3c-52f1a0b7c8d9',
    avmType: 'property',
    status: 'complete',
    total,
    completed: total - Math.floor(total / 3),
    failed: Math.floor(total / 3),
    createdAt: CREATED,
    startedAt: CREATED + 40,
    finishedAt: CREATED + 1200,
    expiresAt: CREATED + 1200 + 30 * 86_400_000,
    notifyUrl: 'https://hooks.example.com/"quoted"',
    webhookDelivered: true,
    creditsUsed: 30 * total,
    parentJobId: null,
    ...over,
  };
}

function resultOf(index: number): ItemResult {
  const isError = index % 3 === 2;
  return {
    index,
    propertyId: index % 2 === 0 ? null : `"${index}"\u2028`,
    status: isError ? 'error' : 'complete',
    dataText: isError ? null : `{"valuation":{"point_value":${index}},"text":"\\u00e9\\\\"}`,
    error: isError ? 'There is "no" such address.' : null,
    errorCode: isError ? 'address_not_found' : null,
  };
}

/** Returns results like the store, and counts how many are held at a time. */
function readerOf(total: number): { read: ReadResults; most: () => number } {
  const all = Array.from({ length: total }, (_, index) => resultOf(index));
  let most = 0;
  const read: ReadResults = async ({ from, limit }) => {
    most = Math.max(most, limit);
    return all.slice(from, from + limit);
  };
  return { read, most: () => most };
}

/** Reference implementation: everything as objects, then as text. */
function expectedResults(from: number, until: number): object[] {
  return Array.from({ length: until - from }, (_, i) => resultOf(from + i)).map((result) => ({
    index: result.index,
    property_id: result.propertyId,
    status: result.status,
    data: result.dataText === null ? null : JSON.parse(result.dataText),
    error: result.error,
    error_code: result.errorCode,
  }));
}

/** As it is sent. */
function wireOf(members: object): object {
  return Object(toSnakeCase(members));
}

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

test('a job written in pieces equals the document written at once, with at most 25 results per piece', async () => {
  for (const total of [1, 2, 24, 25, 26, 50, 51, 500]) {
    const job = jobOf(total);
    const { read, most } = readerOf(total);
    const text = await textOf(writeJob(job, read));
    assert.deepEqual(JSON.parse(text), { ...wireOf(jobMembers(job)), results: expectedResults(0, total) });
    assert.ok(most() <= 25);
    const lines = (await textOf(writeResultLines(read, { from: 0, until: total }))).split('\n');
    assert.equal(lines.pop(), '');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)),
      expectedResults(0, total),
    );
    assert.ok(text.includes(`"results":[${lines.join(',')}]`), 'the very same bytes');
  }
});

test('a page contains the results of its range, or none', async () => {
  const job = jobOf(60);
  const { read } = readerOf(60);
  for (const [from, until] of [
    [0, 1],
    [0, 25],
    [10, 60],
    [30, 55],
    [60, 60],
  ]) {
    const text = await textOf(
      writeResults({ jobId: job.jobId }, read, { from, until }, { next_cursor: null, warnings: [] }),
    );
    assert.deepEqual(JSON.parse(text), {
      job_id: job.jobId,
      results: expectedResults(from, until),
      next_cursor: null,
      warnings: [],
    });
  }
});

test('a job that has not ended has no results, and its progress never rounds up to 100%', async () => {
  const job = jobOf(3, { status: 'processing', completed: 1, failed: 1, finishedAt: null, expiresAt: null });
  const never: ReadResults = async () => assert.fail('nothing is read');
  const document = JSON.parse(await textOf(writeJob(job, never)));
  assert.deepEqual([document.results, document.progress_pct, document.finished_at], [null, 66, null]);
  assert.equal(jobMembers(jobOf(500, { completed: 499, failed: 0 })).progressPct, 99);
  assert.equal(jobMembers(jobOf(1)).progressPct, 100);
});

test('the webhook is the job with its type, the same bytes on each attempt', async () => {
  const { read } = readerOf(30);
  const first = await textOf(writeCompletedEvent(jobOf(30, { webhookDelivered: false }), read));
  assert.equal(await textOf(writeCompletedEvent(jobOf(30, { webhookDelivered: true }), read)), first);
  assert.deepEqual(JSON.parse(first), {
    type: 'avm.batch.completed',
    timestamp: '2026-06-30T12:00:01.200Z',
    ...wireOf(jobMembers(jobOf(30, { webhookDelivered: false }))),
    results: expectedResults(0, 30),
  });
});

test('the response to a submission does not depend on the progress of the job', () => {
  const fresh = jobOf(5, { status: 'queued', completed: 0, failed: 0, startedAt: null, finishedAt: null });
  assert.deepEqual(acceptedJobMembers(jobOf(5), '/v1'), acceptedJobMembers(fresh, '/v1'));
});
