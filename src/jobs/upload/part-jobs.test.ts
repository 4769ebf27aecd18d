import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countRows, type PartState } from './part-jobs.ts';

const part = (rows: number): PartState['part'] => ({
  partNo: 0,
  rows: Array.from({ length: rows }, (_, at) => at),
  jobId: 'j',
});

const job = (total: number, completed: number, failed: number, cancelled = 0): PartState['job'] => ({
  jobId: 'j',
  status: 'complete',
  hasEnded: true,
  total,
  completed,
  failed,
  cancelled,
});

test('a retried part includes the rows that were valued before, and cancelled rows are counted separately', () => {
  const states: PartState[] = [
    { part: part(10), jobIds: ['i', 'j'], job: job(4, 3, 1) },
    { part: part(5), jobIds: ['j'], job: job(5, 2, 3, 3) },
    { part: part(7), jobIds: [], job: null },
  ];
  assert.deepEqual(countRows(states), { total: 22, completed: 6 + 3 + 2, failed: 4, cancelled: 3 });
});
