import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addUpHomes } from './portfolio-totals.ts';

/** A home by its address; `valueUsd` null without a value. */
function home(address: string, valueUsd: number | null, balanceUsd: number | null) {
  const request = JSON.stringify({ location: { address, lat: null, lon: null } });
  // All at one point, as the units of a building.
  const latest = JSON.stringify({ valueUsd, address: '12 Main St, Milwaukee, WI', lat: 43, lon: -88 });
  return { request, balanceUsd, latest };
}

async function* inPages<T>(...pages: readonly (readonly T[])[]): AsyncGenerator<readonly T[]> {
  yield* pages;
}

test('a home with two loans counts its value once and both balances, also if it is on two pages', async () => {
  const pages = inPages(
    [home('12 Main St', 400_000, null), home('14 Main St', 200_000, 100_000)],
    [home('12 main street', 410_000, 150_000), home('12 Main St', 400_000, 50_000)],
  );
  assert.deepEqual(await addUpHomes(pages), {
    valued: 2,
    valueUsd: 600_000,
    repeats: 2,
    balanceUsd: 300_000,
    balanceValuedUsd: 300_000,
    ltvPct: 50,
  });
});

test('units of a building and rows without a value are no repeats', async () => {
  const waiting = { ...home('12 Main St Apt 1', 1, 70_000), latest: null };
  const pages = inPages([
    home('12 Main St Apt 1', null, 40_000),
    home('12 Main St Apt 1', 100_000, 80_000),
    home('12 Main St Apt 2', 100_000, 0),
    waiting,
  ]);
  assert.deepEqual(await addUpHomes(pages), {
    valued: 2,
    valueUsd: 200_000,
    repeats: 0,
    balanceUsd: 190_000,
    balanceValuedUsd: 80_000,
    ltvPct: 80,
  });
});
