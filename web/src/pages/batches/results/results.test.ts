import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import { groupFailures } from './failures.ts';
import { paceOf, timeLeft, withSample, type Sample } from './pace.ts';
import { readLines } from './read-lines.ts';
import { RESULT_COLUMNS, type Result } from './result-columns.ts';
import { apartFrom, latestResults, writeFileCsv, writeJobCsv } from './write-results.ts';

const failed = (index: number, code: string): Result => ({
  index,
  property_id: `row ${index + 2}`,
  status: 'error',
  data: null,
  error: `Nothing of ${index}.`,
  error_code: code,
});

async function* inOrder<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

async function recordsOf(pieces: AsyncIterable<string>): Promise<Record<string, string>[]> {
  return parse(await textOf(pieces), { bom: true, columns: true });
}

test('every row of a file comes back once, in its order, with what came of it: in its job, in a retry, or not sent', async () => {
  const setting = fc.array(fc.constantFrom('unsent', 'value', 'error', 'later', 'never'), {
    minLength: 1,
    maxLength: 40,
  });
  await fc.assert(
    fc.asyncProperty(setting, fc.integer({ min: 1, max: 7 }), async (fates, size) => {
      const table = {
        columns: ['address', 'status'],
        rows: fates.map((fate, at) => ({ row: at + 2, cells: [`${at} Main St`, fate] })),
      };
      const sent = fates.flatMap((fate, at) => (fate === 'unsent' ? [] : [at]));
      const jobs = Array.from({ length: Math.ceil(sent.length / size) }, (_, job) => ({
        jobId: `job ${job}`,
        rows: sent.slice(job * size, (job + 1) * size),
        retries: [`retry ${job}`, `again ${job}`],
      }));
      // Of each row the result says where it comes from, so that one that is taken from elsewhere shows.
      const readResults = (jobId: string): AsyncIterable<Result> => {
        const [kind, number] = jobId.split(' ');
        const { rows } = jobs[Number(number)];
        const isIn = (at: number): boolean =>
          kind === 'job' || ['later', 'never'].includes(fates[at]) || fates[at] === 'error';
        const isDone = (at: number): boolean =>
          fates[at] === 'value' ||
          (kind !== 'job' && fates[at] === 'error') ||
          (kind === 'again' && fates[at] === 'later');
        const here = rows.filter((at) => (kind === 'again' ? isIn(at) && fates[at] !== 'error' : isIn(at)));
        return inOrder(
          here.map((at, index): Result => ({
            ...failed(index, kind),
            property_id: `${kind} ${at}`,
            status: isDone(at) ? 'complete' : 'error',
          })),
        );
      };
      const whyUnsent = (at: number): string => `bad ${at}`;
      const records = await recordsOf(writeFileCsv('property', table, jobs, readResults, whyUnsent));
      const ofJobs = await recordsOf(writeFileCsv('property', table, jobs, readResults));
      assert.deepEqual(
        ofJobs,
        records.filter(({ status }) => status !== 'unsent'),
      );
      assert.deepEqual(
        records.map(({ address, status, status_2, property_id, error }) => [
          address,
          status,
          status_2,
          property_id,
          status === 'unsent' ? error : '',
        ]),
        fates.map((fate, at) => [
          `${at} Main St`,
          fate,
          { unsent: 'not sent', value: 'complete', error: 'complete', later: 'complete', never: 'error' }[
            fate
          ],
          {
            unsent: '',
            value: `job ${at}`,
            error: `retry ${at}`,
            later: `again ${at}`,
            never: `again ${at}`,
          }[fate],
          fate === 'unsent' ? `bad ${at}` : '',
        ]),
      );
    }),
    { numRuns: 200 },
  );
});

test('without its file a job is told by index and reference', async () => {
  const results = [failed(0, 'address_not_found'), { ...failed(1, 'cancelled'), property_id: '=1+1' }];
  const records = await recordsOf(writeJobCsv('rental', inOrder(results)));
  assert.deepEqual(
    records.map(({ index, property_id, status, error_code, error }) => [
      index,
      property_id,
      status,
      error_code,
      error,
    ]),
    [
      ['0', 'row 2', 'error', 'address_not_found', 'Nothing of 0.'],
      ['1', "'=1+1", 'error', 'cancelled', 'Nothing of 1.'],
    ],
  );
  assert.deepEqual(Object.keys(records[0]), ['index', ...RESULT_COLUMNS.rental.map(({ name }) => name)]);
});

test('a retry takes the place of what had failed, and of nothing else', async () => {
  const done = (index: number, name: string): Result => ({
    ...failed(index, ''),
    status: 'complete',
    property_id: name,
  });
  const stored: Readonly<Record<string, Result[]>> = {
    a: [done(0, 'a0'), failed(1, 'x'), done(2, 'a2'), failed(3, 'x')],
    b: [failed(0, 'y'), done(1, 'b1')],
  };
  const results = await latestResults({ jobId: 'a', rows: [0, 1, 2, 3], retries: ['b'] }, (id) =>
    inOrder(stored[id]),
  );
  assert.deepEqual(
    results.map(({ index, status, property_id }) => [index, status, property_id]),
    [
      [0, 'complete', 'a0'],
      [1, 'error', 'row 2'],
      [2, 'complete', 'a2'],
      [3, 'complete', 'b1'],
    ],
  );
});

test('columns of results never bear the name of one of the file', () => {
  const name = fc.constantFrom('a', 'A', 'b', 'a_2', 'B_2', 'c');
  fc.assert(
    fc.property(
      fc.uniqueArray(name),
      fc.uniqueArray(name, { selector: (text) => text.toLowerCase() }),
      (taken, names) => {
        const lower = [
          ...new Set(taken.map((text) => text.toLowerCase())),
          ...apartFrom(taken, names).map((text) => text.toLowerCase()),
        ];
        assert.equal(new Set(lower).size, lower.length);
      },
    ),
  );
});

function streamOf(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
}

test('lines are read as they come, wherever they are cut, and one that is cut off is told', async () => {
  const bytes = new TextEncoder().encode('{"a":"é"}\n{"a":2}\n');
  for (let cut = 0; cut <= bytes.length; cut++) {
    const stream = new Blob([bytes.slice(0, cut), bytes.slice(cut)]).stream();
    const pieces = streamOf([bytes.slice(0, cut), bytes.slice(cut)]);
    for (const body of [stream, pieces]) {
      const lines: unknown[] = [];
      for await (const line of readLines(body)) lines.push(line);
      assert.deepEqual(lines, [{ a: 'é' }, { a: 2 }]);
    }
  }
  const cutOff = async () => {
    for await (const line of readLines(new Blob(['{"a":1}\n{"a"']).stream()))
      assert.deepEqual(line, { a: 1 });
  };
  await assert.rejects(cutOff, /middle of a line/);
});

test('failures are told by cause, most frequent first, with what to do', () => {
  const results = [
    failed(0, 'cancelled'),
    ...Array.from({ length: 7 }, (_, i) => failed(i + 1, 'address_not_found')),
  ];
  const [first, second, ...others] = groupFailures(results);
  assert.deepEqual(
    [first.code, first.count, first.references.length, first.example],
    ['address_not_found', 7, 5, 'Nothing of 1.'],
  );
  assert.match(first.advice, /latitude/);
  assert.deepEqual([second.code, second.count, others], ['cancelled', 1, []]);
});

test('the pace is that of the last seconds, and nothing is foretold from nothing', () => {
  let samples: Sample[] = [];
  assert.equal(paceOf(samples), null);
  for (const [atMs, done] of [
    [0, 0],
    [1000, 100],
    [40_000, 200],
    [41_000, 210],
    [42_000, 220],
  ]) {
    samples = withSample(samples, { atMs, done });
  }
  assert.equal(paceOf(samples), 10);
  assert.equal(
    paceOf([
      { atMs: 0, done: 5 },
      { atMs: 1000, done: 5 },
    ]),
    null,
  );
  assert.deepEqual(
    [
      timeLeft(20, 10),
      timeLeft(333, 10),
      timeLeft(3000, 10),
      timeLeft(72_000, 10),
      timeLeft(5, null),
      timeLeft(0, 3),
    ],
    ['a few seconds', 'about 40 s', 'about 5 min', 'about 2 h', null, null],
  );
});
