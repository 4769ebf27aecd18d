import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHomeIndex } from './repeated-homes.ts';

/** The number of each home, from 0 in the order in which they come. */
function numbersOf(places: readonly (readonly [address: string | null, lat: number, lon?: number])[]) {
  const homes = createHomeIndex<number>();
  let count = 0;
  return places.map(([address, lat, lon = -88]) => homes.findOrAdd({ address, lat, lon }, () => count++));
}

test('a home is the same however its address is written', () => {
  const written = ['12 N Main St', '12 north main street, Milwaukee, WI 53202', '12 N MAIN ST.'];
  assert.deepEqual(numbersOf(written.map((address) => [address, 43])), [0, 0, 0]);
  assert.deepEqual(
    numbersOf([
      [null, 43],
      [null, 43],
    ]),
    [0, 0],
  );
});

test('without a point, a home is the same in the words of its address, and in no others', () => {
  const homes = createHomeIndex<number>();
  const numberOf = (address: string, number: number) =>
    homes.findOrAdd({ address, lat: null, lon: null }, () => number);
  const written = ['12 Main St #1', '12 MAIN ST.  # 1', '12 Main St #2', '12 Oak St #1', '12 Main Street #1'];
  assert.deepEqual(written.map(numberOf), [0, 0, 2, 3, 0]);
  const punctuated = [
    '9 Elm St, Milwaukee, WI 53202',
    '9 ELM ST MILWAUKEE WI 53202-1234',
    '9 Elm St, Milwaukee, WI 53203',
  ];
  assert.deepEqual(punctuated.map(numberOf), [0, 0, 2]);
  const directed = [
    '12 N Oak Ave',
    '12 North Oak Avenue',
    '12 S Oak Ave',
    '12 N Oak St',
    '1 Park Ave',
    '1 Parks Ave',
  ];
  assert.deepEqual(directed.map(numberOf), [0, 0, 2, 3, 4, 5]);
});

test('units of a building, homes of a street and homes at other points are different', () => {
  const places = [
    ['12 Main St', 43],
    ['12 Main St Apt 1', 43],
    ['12 Main St #2', 43],
    ['12 Main St, Unit 1', 43],
    ['12½ Main St', 43],
    ['14 Main St', 43],
    ['Lot 4 Hill Farm', 43],
    ['Lot 5 Hill Farm', 43],
    ['12 Main St', 43.0001],
    ['12 Main St', 43, -88.0001],
    ['12 Main St', 43],
  ] as const;
  assert.deepEqual(numbersOf(places), [0, 1, 2, 1, 3, 4, 5, 6, 7, 8, 0]);
});
