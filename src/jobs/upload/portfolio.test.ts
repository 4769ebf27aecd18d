import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ValuationKind } from '../../domain/valuation-kind.ts';
import type { ItemResult } from '../batch-types.ts';
import { readPortfolio } from './portfolio.ts';

/** Addresses as they are in the file. All were found at one point; null has no value. */
const ADDRESSES = ['12 Main St Apt 1', null, '12 Main St Apt 2', '12 main street #1', '12 Main St, Unit 2'];

async function* inOrder<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}

async function portfolioOf(kind: ValuationKind): ReturnType<typeof readPortfolio> {
  const place = { formatted_address: '12 Main St, Milwaukee, WI', latitude: 43, longitude: -88 };
  const warnings = [{ code: 'old_sales', field: 'date', message: 'The sales are old.' }];
  const dataText = JSON.stringify({ address_info: place, valuation: { estimated_value: 1, warnings } });
  return readPortfolio({
    kind,
    columns: ['address'],
    textColumns: new Set(),
    rowChunks: () =>
      inOrder([{ from: 0, rows: ADDRESSES.map((address, at) => ({ row: at + 2, cells: [address ?? ''] })) }]),
    parts: [{ rows: [...ADDRESSES.keys()], jobIds: ['job'] }],
    readResults: () =>
      inOrder(
        ADDRESSES.map((address, index): ItemResult => ({
          index,
          propertyId: null,
          status: address === null ? 'error' : 'complete',
          dataText: address === null ? null : dataText,
          error: null,
          errorCode: null,
        })),
      ),
    readBalance: null,
    listsComparables: false,
    readAssessed: null,
    readAddress: ({ cells }) => cells[0],
    repeatFinder: () => () => null,
    reasonNotSubmitted: () => '',
  });
}

async function repeatsOf(kind: ValuationKind): Promise<(number | null)[]> {
  return (await portfolioOf(kind)).rows.map(({ repeatsRow }) => repeatsRow);
}

test('a warning of the values names its first rows', async () => {
  const { warnings } = await portfolioOf('property');
  const example = 'The sales are old.';
  assert.deepEqual(warnings, [{ code: 'old_sales', field: 'date', example, count: 4, rows: [2, 4, 5, 6] }]);
});

test('a row names the first row of the same home and unit; rows of rents are units of their own', async () => {
  assert.deepEqual(await repeatsOf('property'), [null, null, null, 2, 4]);
  assert.deepEqual(await repeatsOf('multifamily'), [null, null, null, 2, 4]);
  assert.deepEqual(await repeatsOf('rental'), [null, null, null, null, null]);
});
