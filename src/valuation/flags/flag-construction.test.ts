import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { dayOf, formatDay } from '../../domain/day.ts';
import type { Sale } from '../../domain/sale.ts';
import { availableOnOf, buildSaleColumns } from '../columns/build-columns.ts';
import { asOfRows, isUsable, NEVER, withholdRows, type SaleColumns } from '../columns/sale-columns.ts';
import { decodeColumns, encodeColumns } from '../columns/snapshots.ts';
import { textAt } from '../typed-columns.ts';
import { applyReviews } from './apply-reviews.ts';
import { explainFlags } from './explain-flag.ts';
import { SALE_FLAGS } from './sale-flags.ts';
import { saleOf, type SalePart } from '../../../test/harness/valuation/sale.ts';

const LAG = 14;
const START = dayOf(2021, 3, 1);

/** A house of 1960 with a parcel of its own. */
function houseOf({ attributes, ...part }: SalePart): Sale {
  return saleOf({
    parcelId: part.recordId ?? 'r',
    soldOn: START,
    ...part,
    attributes: { livingAreaSqft: 1_500, yearBuilt: 1960, ...attributes },
  });
}

/** Houses within a mile that sold at $180 to $220 per sqft in the months before. */
const NEIGHBORS = Array.from({ length: 30 }, (_, i) =>
  houseOf({
    recordId: `n${i}`,
    soldOn: START - 100 + i,
    lat: 43 + (i % 6) / 1_000,
    priceUsd: 270_000 + i * 2_000,
  }),
);

function columnsOf(sales: readonly Sale[]): SaleColumns {
  return buildSaleColumns(sales, { recordingLagDays: LAG });
}

/** `recordId → flag since day`, as it was known on a day. */
function flagsOn(columns: SaleColumns, asOf: number = NEVER - 1): Record<string, string> {
  const rows = [...columns.flag.keys()].filter((row) => columns.flaggedOn[row] <= asOf);
  const flagOf = (row: number) => `${SALE_FLAGS[columns.flag[row]]} ${formatDay(columns.flaggedOn[row])}`;
  return Object.fromEntries(rows.map((row) => [textAt(columns.recordId, row), flagOf(row)]));
}

const flagsOf = (...sales: Sale[]) => flagsOn(columnsOf([...NEIGHBORS, ...sales]));

test('a sale in a year before the home was built is flagged from the day it is available', () => {
  const lot = houseOf({ recordId: 'lot', priceUsd: 290_000, attributes: { yearBuilt: 2022 } });
  assert.deepEqual(flagsOf(lot), { lot: 'before_construction 2021-03-15' });
});

test('in the year of construction the lot is flagged by its price, and the finished home is not', () => {
  const built = { yearBuilt: 2021 };
  const lot = houseOf({ recordId: 'lot', priceUsd: 60_000, attributes: built });
  const home = houseOf({ recordId: 'home', priceUsd: 250_000, attributes: built });
  const cheap = houseOf({ recordId: 'cheap old home', priceUsd: 90_000 });
  assert.deepEqual(flagsOf(lot, home, cheap), { lot: 'before_construction 2021-03-15' });
  // Without enough sales nearby, nothing says what a finished home costs.
  assert.deepEqual(flagsOn(columnsOf([...NEIGHBORS.slice(0, 7), lot])), {});
});

test('a year of construction that a later sale of the home reports counts from the day of that sale', () => {
  const later = (yearBuilt: number) =>
    houseOf({
      recordId: 'later',
      parcelId: 'p',
      soldOn: START + 800,
      priceUsd: 320_000,
      attributes: { yearBuilt },
    });
  const before = (yearBuilt: number | null) =>
    houseOf({ recordId: 'before', parcelId: 'p', attributes: { yearBuilt } });
  const since = formatDay(START + 800 + LAG);
  assert.deepEqual(flagsOf(before(null), later(2022)), { before: `before_construction ${since}` });
  assert.deepEqual(flagsOf(before(1950), later(2022)), { before: `teardown ${since}` });
  assert.deepEqual(flagsOf(before(2020), later(2022)), { before: `before_construction ${since}` });
  assert.deepEqual(flagsOf(before(1950), later(1951)), {}, 'a correction of an old year changes nothing');
  const muchLater = { ...later(2026), soldOn: START + 2_000 };
  assert.deepEqual(flagsOf(before(1950), muchLater), {}, 'the old home was lived in for years');
  assert.deepEqual(flagsOf(before(2021), later(2021)), {});
});

test('a price far from the prices nearby is flagged, a low foreclosure is not', () => {
  const at = (recordId: string, priceUsd: number) => houseOf({ recordId, priceUsd });
  assert.deepEqual(flagsOf(at('a tenth', 30_000), at('a third', 100_000), at('six times', 1_800_000)), {
    'a tenth': 'inconsistent_price 2021-03-15',
    'six times': 'inconsistent_price 2021-03-15',
  });
  const again = houseOf({ recordId: 'again', priceUsd: 33_000, soldOn: START + 40 });
  const flags = flagsOf(at('a tenth', 30_000), again);
  assert.deepEqual(
    flags,
    { 'a tenth': 'inconsistent_price 2021-03-15' },
    'a second low price nearby confirms it',
  );
});

test('every flag has a sentence with the numbers of its rule', () => {
  const columns = columnsOf([
    ...NEIGHBORS,
    houseOf({ recordId: 'lot', priceUsd: 60_000, attributes: { yearBuilt: 2021 } }),
    houseOf({ recordId: 'presale', attributes: { yearBuilt: 2023 } }),
    houseOf({ recordId: 'old', parcelId: 'p', soldOn: START + 1, attributes: { yearBuilt: 1950 } }),
    houseOf({ recordId: 'new', parcelId: 'p', soldOn: START + 800, attributes: { yearBuilt: 2022 } }),
  ]);
  const sentences = [...explainFlags(columns)].map(([row, { sentence }]) => [
    textAt(columns.recordId, row),
    sentence,
  ]);
  assert.deepEqual(Object.fromEntries(sentences), {
    lot: 'Sold as land in 2021, the year of construction: $40 per sqft, where 20 earlier houses nearby sold at $207.',
    presale: 'Sold in 2021, before the home was built in 2023.',
    old: 'The home of 1950 was replaced by one built in 2022, soon after this sale.',
  });
});

const anySale = fc.record({
  home: fc.integer({ min: 0, max: 4 }),
  day: fc.integer({ min: 0, max: 900 }),
  price: fc.constantFrom(20_000, 60_000, 250_000, 300_000, 2_000_000),
  yearBuilt: fc.constantFrom(null, 1950, 2019, 2021, 2022, 2024),
});
const anySales = fc.array(anySale, { maxLength: 20 }).map((rows) =>
  rows.map(({ home, day, price, yearBuilt }, i) =>
    houseOf({
      recordId: `s${i}`,
      parcelId: `p${home}`,
      soldOn: START + day,
      priceUsd: price,
      attributes: { yearBuilt },
    }),
  ),
);

test('flags of land, teardowns and prices on a day use only the sales known that day', () => {
  fc.assert(
    fc.property(anySales, fc.integer({ min: 0, max: 1_000 }), (sales, afterStart) => {
      const asOf = START + afterStart;
      const all = [...NEIGHBORS, ...sales];
      const known = all.filter((sale) => availableOnOf(sale, LAG) <= asOf);
      assert.deepEqual(flagsOn(columnsOf(all), asOf), flagsOn(columnsOf(known), asOf));
    }),
    { numRuns: 300 },
  );
});

test('on any day, the newest decision that has begun counts, and the flags before any', () => {
  const lot = houseOf({ recordId: 'lot', attributes: { yearBuilt: 2022 } });
  const plain = columnsOf([...NEIGHBORS, lot]);
  const rowOf = (recordId: string) =>
    [...plain.flag.keys()].findIndex((row) => textAt(plain.recordId, row) === recordId);
  const anyReviews = fc.array(
    fc.record({ isUsed: fc.boolean(), fromDay: fc.integer({ min: START, max: START + 6 }) }),
    { minLength: 1, maxLength: 6 },
  );
  fc.assert(
    fc.property(anyReviews, anyReviews, (ofLot, ofNeighbor) => {
      const reviews = { lot: ofLot, n3: ofNeighbor, n4: [], unknown: ofLot };
      const columns = applyReviews(plain, new Map(Object.entries(reviews)));
      for (let day = START - 1; day <= START + 7; day++) {
        for (const [recordId, made] of Object.entries(reviews)) {
          const row = rowOf(recordId);
          if (row < 0) continue;
          const counting = made.findLast(({ fromDay }) => fromDay <= day);
          assert.equal(isUsable(columns, row, day), counting?.isUsed ?? plain.flaggedOn[row] > day);
        }
      }
      assert.deepEqual(asOfRows(columns, START - 1), asOfRows(plain, START - 1));
      assert.deepEqual(decodeColumns(encodeColumns(columns)), columns);
      const withheld = withholdRows(columns, [rowOf('lot')]);
      assert.equal(isUsable(withheld, rowOf('lot'), START + 100), false);
      assert.equal(isUsable(withheld, rowOf('n3'), START + 7), isUsable(columns, rowOf('n3'), START + 7));
    }),
    { numRuns: 50 },
  );
  const day = START + 100;
  assert.equal(applyReviews(plain, new Map([['unknown', [{ isUsed: false, fromDay: day }]]])), plain);
});
