import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Job } from '../../../api/batches.ts';
import { countFile } from '../file/count-file.ts';
import {
  createMemoryStore,
  partOfJob,
  retryOf,
  withJob,
  withRetry,
  type StoredFile,
} from './stored-files.ts';

const fileOf = (id: string, change: Partial<StoredFile> = {}): StoredFile => ({
  id,
  owner: 'self ada',
  fileName: `${id}.csv`,
  file: new Blob(['a\n1\n']),
  fileSha256: 'f'.repeat(64),
  attempt: 1,
  kind: 'property',
  mapping: {},
  notifyUrl: null,
  today: '2026-06-30',
  storedAt: new Date().toISOString(),
  rows: 3,
  parts: [
    { rows: [0, 1], jobId: null, retries: [] },
    { rows: [2], jobId: null, retries: [] },
  ],
  ...change,
});

test('a person finds their own files of the last 30 days, newest first, and nobody else’s', async () => {
  const store = createMemoryStore();
  const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
  await store.put(fileOf('old', { storedAt: daysAgo(29) }));
  await store.put(fileOf('new', { storedAt: daysAgo(1) }));
  await store.put(fileOf('gone', { storedAt: daysAgo(31) }));
  await store.put(fileOf('of ben', { owner: 'self ben' }));
  assert.deepEqual(
    (await store.list('self ada')).map(({ id }) => id),
    ['new', 'old'],
  );
  await store.forget('new');
  assert.equal(await store.find('new'), null);
});

test('a job is found by its file, as itself or as what tried it again; a second try of the same parent is none', () => {
  const sent = withJob(withJob(fileOf('a'), 0, 'job 1'), 1, 'job 2');
  const tried = withRetry(withRetry(sent, 'job 1', 'retry 1'), 'retry 1', 'retry 2');
  assert.deepEqual(
    tried.parts.map(({ jobId, retries }) => [jobId, retries]),
    [
      ['job 1', ['retry 1', 'retry 2']],
      ['job 2', []],
    ],
  );
  assert.deepEqual(withRetry(tried, 'job 1', 'retry 3'), tried);
  const [part] = tried.parts;
  assert.deepEqual(
    ['job 1', 'retry 1', 'retry 2', 'job 2'].map((id) => retryOf(part, id)),
    ['retry 1', 'retry 2', null, null],
  );
  assert.equal(partOfJob([fileOf('b'), tried], 'retry 2')?.part, tried.parts[0]);
  assert.equal(partOfJob([tried], 'job 3'), null);
});

test('of a part that was tried again, what was cancelled is told from what failed, and what had been valued before counts on', () => {
  const job = (total: number, completed: number, failed: number): Job => ({
    job_id: 'j',
    status: 'complete',
    avm_type: 'property',
    total,
    completed,
    failed,
    progress_pct: 100,
    created_at: '',
    started_at: null,
    finished_at: null,
    expires_at: null,
    notify_url: null,
    webhook_delivered: false,
    credits_used: 0,
    parent_job_id: null,
  });
  const part = (rows: number) => ({
    rows: Array.from({ length: rows }, (_, at) => at),
    jobId: 'j',
    retries: [],
  });
  const states = [
    { part: part(10), number: 1, job: job(4, 3, 1), cancelled: 0 },
    { part: part(5), number: 2, job: job(5, 2, 3), cancelled: 3 },
    { part: part(7), number: 3, job: null, cancelled: 0 },
  ];
  assert.deepEqual(countFile(states), { total: 22, completed: 6 + 3 + 2, failed: 4, cancelled: 3 });
  const uncounted = { part: part(2), number: 4, job: job(2, 0, 2), cancelled: null };
  assert.equal(countFile([...states, uncounted]).cancelled, null);
});
