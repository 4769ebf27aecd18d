import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  acceptedByLimit,
  apartFromAssessed,
  assessmentRatiosOf,
  classOfLtv,
  failuresByCode,
  firstLimitPct,
  holdingsOf,
  homesOf,
  pairsOf,
  totalsOf,
  withinFsd,
} from './figures.ts';

const row = (at: number, members: object) => ({
  row: at,
  repeats_row: null,
  reference: `loan ${at}`,
  address: null,
  latitude: null,
  longitude: null,
  valuation_id: `id ${at}`,
  value: 100_000,
  value_low: null,
  value_high: null,
  fsd: 0.1,
  balance: null,
  balance_problem: null,
  assessed_value: null,
  error_code: null,
  error: null,
  ...members,
});

test('the loan-to-value ratio of a portfolio is of the homes with a loan only', () => {
  const holdings = holdingsOf([
    row(2, { value: 100_000, balance: 90_000 }),
    row(3, { value: 300_000, balance: 150_000 }),
    row(4, { value: 500_000, balance: null }),
    row(6, { value: 400_000, balance: 0 }),
    row(5, { value: null, balance: 50_000, error: 'not found' }),
  ]);
  const { count, value, median, balance, ltv } = totalsOf(holdings);
  assert.deepEqual([count, value, median, balance, ltv], [4, 1_300_000, 350_000, 240_000, 0.6]);
  assert.deepEqual(
    holdings.map((holding) => holding.ltv),
    [0.9, 0.5, null, 0],
  );
  assert.deepEqual(
    holdings.map(({ combinedLtv }) => combinedLtv),
    [0.9, 0.5, null, 0],
    'a paid-off loan has the same ratio alone as with all loans of its home',
  );
  assert.equal(totalsOf([]).median, null);
  assert.equal(totalsOf(holdings.slice(0, 2)).median, 200_000);
});

test('assessed values are compared with values by their median ratio and COD', () => {
  const assessed = [80_000, 90_000, 100_000, 130_000].map((usd, i) => row(i + 2, { assessed_value: usd }));
  const repeated = row(7, { repeats_row: 2, assessed_value: 500_000 });
  const { ratio, medianRatio, codPct } =
    assessmentRatiosOf(holdingsOf([...assessed, repeated, row(8, {})])) ?? assert.fail();
  assert.deepEqual([ratio, medianRatio], [1, 0.95]);
  // Distances from 0.95: 0.15, 0.05, 0.05 and 0.35.
  assert.ok(Math.abs(codPct - (100 * 0.15) / 0.95) < 1e-9);
  assert.equal(assessmentRatiosOf(holdingsOf([row(2, {})])), null);
});

test('the FSD limit of a file begins where a value is accepted', () => {
  const limitOf = (...fsds: readonly (number | null)[]): number =>
    firstLimitPct(holdingsOf(fsds.map((fsd, at) => row(at + 2, { fsd }))));
  assert.deepEqual(
    [limitOf(0.08, 0.3), limitOf(0.13, 0.3), limitOf(0.22, 0.3), limitOf(0.9), limitOf(null)],
    [13, 13, 25, 13, 13],
  );
});

test('assessed values are compared with the values of their rows, and those far away are found', () => {
  const holdings = holdingsOf([
    row(2, { value: 200_000, assessed_value: 250_000 }),
    row(3, { value: 100_000, assessed_value: 90_000 }),
    row(4, { value: 100_000, assessed_value: null }),
  ]);
  assert.deepEqual(
    holdings.map((holding) => holding.assessedDifference),
    [0.25, -0.1, null],
  );
  assert.deepEqual(
    apartFromAssessed(holdings, 0.2).map((holding) => holding.row),
    [2],
  );
  assert.deepEqual(apartFromAssessed(holdings, 0), holdings);
});

test('a value without FSD does not pass a limit', () => {
  const holdings = holdingsOf([row(2, { fsd: 0.13 }), row(3, { fsd: 0.131 }), row(4, { fsd: null })]);
  assert.deepEqual(
    withinFsd(holdings, 0.13).map((holding) => holding.row),
    [2],
  );
});

test('two runs of a file are compared by row, and rows that only one valued are left out', () => {
  const then = holdingsOf([row(2, { value: 90_000, valuation_id: 'a' }), row(3, { value: null })]);
  const now = holdingsOf([row(2, { valuation_id: 'b' }), row(3, {}), row(4, {})]);
  assert.deepEqual(
    pairsOf(now, then).map(({ row: at, before, value, beforeId, valuation_id }) => [
      at,
      before,
      value,
      beforeId,
      valuation_id,
    ]),
    [[2, 90_000, 100_000, 'a', 'b']],
  );
});

test('a home that secures several loans counts its first value once, and all of its balances', () => {
  const holdings = holdingsOf([
    row(2, { value: 200_000, balance: null, fsd: 0.3 }),
    row(3, { value: 100_000, balance: 50_000 }),
    row(4, { value: 200_000, balance: 100_000, repeats_row: 2 }),
    row(5, { value: 210_000, balance: 60_000, repeats_row: 2 }),
  ]);
  const { count, value, median, balance, ltv } = totalsOf(holdings);
  assert.deepEqual([count, value, median, balance, ltv], [2, 300_000, 150_000, 210_000, 0.7]);
  assert.deepEqual(
    homesOf(holdings).map((holding) => holding.row),
    [2, 3],
  );
  assert.deepEqual(
    holdings.map(({ ltv: own, combinedLtv }) => [own, combinedLtv]),
    [
      [null, 0.8],
      [0.5, 0.5],
      [0.5, 0.8],
      [60 / 210, 0.8],
    ],
  );
  const within = totalsOf(withinFsd(holdings, 0.2));
  assert.deepEqual(
    [within.count, within.value, within.balance],
    [2, 300_000, 210_000],
    'without its first row',
  );
});

test('the limits listed are those between the last that accepts none and the first that accepts all', () => {
  const fsds = [0.16, 0.19, 0.24, 0.28];
  const holdings = holdingsOf(fsds.map((fsd, at) => row(at, { fsd })));
  assert.deepEqual(
    acceptedByLimit(holdings).map(({ limitPct, within }) => [limitPct, within.length]),
    [
      [15, 0],
      [20, 2],
      [25, 3],
      [30, 4],
    ],
  );
  assert.deepEqual(
    acceptedByLimit(holdingsOf([row(0, { fsd: 0.04 })])).map(({ limitPct }) => limitPct),
    [5],
  );
  assert.equal(acceptedByLimit(holdingsOf([row(0, { fsd: 0.9 })])).at(-1)?.within.length, 0);
});

test('a loan belongs to the class of its ratio, and one without a balance to none', () => {
  assert.deepEqual(
    [0.59, 0.6, 0.99, 1, 7, null].map((ltv) => classOfLtv(ltv).name),
    [
      'LTV below 60%',
      'LTV 60 to 80%',
      'LTV 80 to 100%',
      'LTV 100% or more',
      'LTV 100% or more',
      'no balance',
    ],
  );
});

test('rows without a value are grouped by reason, the most frequent first', () => {
  const rows = ['a', null, 'b', 'b'].map((code, at) => row(at, { error_code: code }));
  assert.deepEqual(
    failuresByCode(rows).map(({ code, failed }) => [code, failed.map((each) => each.row)]),
    [
      ['b', [2, 3]],
      ['a', [0]],
    ],
  );
});
