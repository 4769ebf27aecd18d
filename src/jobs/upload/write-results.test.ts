import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import { latestResults, type FileResults } from './file-results.ts';
import { RESULT_COLUMNS } from './result-columns.ts';
import { distinctNames, fileTable, jobTable, ownColumns, writeFileLines } from './write-results.ts';
import { writeCsv } from '../../tables/write-csv.ts';
import type { ItemResult } from '../batch-types.ts';

const failed = (index: number, errorCode: string): ItemResult => ({
  index,
  propertyId: `row ${index + 2}`,
  status: 'error',
  dataText: null,
  error: `Nothing of ${index}.`,
  errorCode,
});

const linkOf = (id: string): string => `https://example.com/${id}`;

async function* inOrder<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}

const NO_RESULTS: FileResults = {
  kind: 'property',
  columns: [],
  textColumns: new Set(),
  rowChunks: () => inOrder([]),
  parts: [],
  readResults: () => inOrder([]),
  listsComparables: false,
  readBalance: null,
  readAssessed: null,
  readAddress: () => null,
  repeatFinder: () => () => null,
  reasonNotSubmitted: () => '',
};

/** A value of $200 at a point. */
const dataAt = (latitude: number): string =>
  JSON.stringify({
    address_info: { formatted_address: 'found', latitude, longitude: -88 },
    valuation: { estimated_value: 200, warnings: [], model: { id: 'm' } },
    comparables: { count: 0, search: { candidates: 0 } },
  });

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

async function recordsOf(pieces: AsyncIterable<string>): Promise<Record<string, string>[]> {
  return parse(await textOf(pieces), { bom: true, columns: true });
}

test('every row of a file is written once, in order, with its result: from its job, from a retry, or not sent', async () => {
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
        jobIds: [`job ${job}`, `retry ${job}`, `again ${job}`],
        rows: sent.slice(job * size, (job + 1) * size),
      }));
      // Each result names its job and row, so that a result from elsewhere shows.
      const readResults = (jobId: string): AsyncIterable<ItemResult> => {
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
          here.map((at, index): ItemResult => ({
            ...failed(index, kind),
            propertyId: `${kind} ${at}`,
            status: isDone(at) ? 'complete' : 'error',
          })),
        );
      };
      const file: FileResults = {
        kind: 'property',
        columns: table.columns,
        textColumns: new Set([0]),
        // Chunks that parts do not line up with.
        rowChunks: () =>
          inOrder(
            Array.from({ length: Math.ceil(fates.length / 3) }, (_, chunk) => ({
              from: chunk * 3,
              rows: table.rows.slice(chunk * 3, chunk * 3 + 3),
            })),
          ),
        parts: jobs,
        readResults,
        readBalance: null,
        listsComparables: true,
        readAssessed: null,
        readAddress: () => null,
        repeatFinder: () => () => null,
        reasonNotSubmitted: ({ row }) => `bad ${row - 2}`,
      };
      const { columns, rows } = fileTable(file, linkOf);
      const records = await recordsOf(writeCsv(columns, rows));
      const lines = (await textOf(writeFileLines(file))).split('\n').filter((line) => line !== '');
      assert.deepEqual(
        lines.map((line) => JSON.parse(line)).map(({ row, property_id }) => [row, property_id]),
        records.flatMap(({ status, property_id }, at) =>
          status === 'unsent' ? [] : [[at + 2, property_id]],
        ),
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

test('the CSV of a job names items by index and reference', async () => {
  const results = [failed(0, 'address_not_found'), { ...failed(1, 'cancelled'), propertyId: '=1+1' }];
  const { columns, rows } = jobTable('rental', inOrder(results), linkOf);
  const records = await recordsOf(writeCsv(columns, rows));
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

test('a retry replaces the failed results, and no others', async () => {
  const done = (index: number, name: string): ItemResult => ({
    ...failed(index, ''),
    status: 'complete',
    propertyId: name,
  });
  const stored: Readonly<Record<string, ItemResult[]>> = {
    a: [done(0, 'a0'), failed(1, 'x'), done(2, 'a2'), failed(3, 'x')],
    b: [failed(0, 'y'), done(1, 'b1')],
  };
  const part = { rows: [5, 6, 8, 9], jobIds: ['a', 'b'] };
  const results = await latestResults(
    part,
    (id) => inOrder(stored[id]),
    ({ index, status, propertyId }) => [index, status, propertyId],
  );
  assert.deepEqual(
    [...results],
    [
      [5, [0, 'complete', 'a0']],
      [6, [1, 'error', 'row 2']],
      [8, [2, 'complete', 'a2']],
      [9, [3, 'complete', 'b1']],
    ],
  );
});

test('the columns of results are recognized when a download is uploaded again', () => {
  const own = ['Loan', 'Address', 'status'];
  const readLoan = () => ({ balance: 1, problem: null });
  for (const [readBalance, listsComparables] of [
    [null, false],
    [readLoan, false],
    // As downloads of earlier versions, which always had the column.
    [null, true],
    [readLoan, true],
  ] as const) {
    const readAssessed = readBalance && (() => 1);
    const file = { ...NO_RESULTS, columns: own, readBalance, readAssessed, listsComparables };
    const names = fileTable(file, linkOf).columns.map(({ name }) => name);
    assert.equal(names.includes('comparables'), listsComparables);
    assert.deepEqual(ownColumns('property', names), own);
    assert.deepEqual(ownColumns('property', names.toReversed()), names.toReversed());
    // Of earlier versions, which had fewer columns of loans.
    const later = ['combined_loan_to_value', 'loan_balance', 'repeats_row'];
    for (const missing of [later, later.slice(1)]) {
      assert.deepEqual(
        ownColumns(
          'property',
          names.filter((name) => !missing.includes(name)),
        ),
        own,
      );
    }
  }
  assert.deepEqual(ownColumns('property', own), own);
});

test('the file has the combined loan-to-value ratio of a home with several loans in each of its rows', async () => {
  const rows: readonly (readonly [address: string, balance: string, found: string | null])[] = [
    ['12 Main St', '100', 'a'],
    ['3 Oak St', '60', 'b'],
    ['12 Main Street', '50', 'a'],
    ['1 Lost St', '70', null],
    ['3 Oak St', '0', 'b'],
    ['9 Elm St', '0', 'c'],
  ];
  const file: FileResults = {
    ...NO_RESULTS,
    columns: ['address', 'balance'],
    rowChunks: () =>
      inOrder([
        {
          from: 0,
          rows: rows.map(([...cells], at) => ({ row: at + 2, cells: cells.slice(0, 2).map(String) })),
        },
      ]),
    parts: [{ rows: [...rows.keys()], jobIds: ['job'] }],
    readResults: () =>
      inOrder(
        rows.map(([, , found], index) =>
          found === null
            ? failed(index, 'not_found')
            : { ...failed(index, ''), status: 'complete', dataText: dataAt('abc'.indexOf(found)) },
        ),
      ),
    readBalance: ({ cells }) => ({ balance: Number(cells[1]), problem: null }),
    readAssessed: ({ cells }) => Number(cells[1]),
    readAddress: ({ cells }) => cells[0],
  };
  const { columns, rows: written } = fileTable(file, linkOf);
  const records = await recordsOf(writeCsv(columns, written));
  assert.deepEqual(
    records.map((record) => record.loan_balance),
    rows.map(([, balance]) => balance),
    'as numbers, also of rows without a value',
  );
  assert.deepEqual(
    records.map((record) => record.assessed_to_value),
    records.map((record) => record.loan_to_value),
  );
  assert.deepEqual(
    records.map((record) => [record.loan_to_value, record.combined_loan_to_value, record.repeats_row]),
    [
      ['0.5', '0.75', ''],
      ['0.3', '0.3', ''],
      ['0.25', '0.75', '2'],
      ['', '', ''],
      ['0', '0.3', '3'],
      ['0', '0', ''],
    ],
  );
});

test('no result column has the name of a column of the file', () => {
  const name = fc.constantFrom('a', 'A', 'b', 'a_2', 'B_2', 'c');
  fc.assert(
    fc.property(
      fc.uniqueArray(name),
      fc.uniqueArray(name, { selector: (text) => text.toLowerCase() }),
      (taken, names) => {
        const lower = [
          ...new Set(taken.map((text) => text.toLowerCase())),
          ...distinctNames(taken, names).map((text) => text.toLowerCase()),
        ];
        assert.equal(new Set(lower).size, lower.length);
      },
    ),
  );
});
