import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { dayOf } from '../../domain/day.ts';
import { attributesOf, type OwnFeatures } from '../../domain/property.ts';
import type { Sale } from '../../domain/sale.ts';
import { buildSaleColumns, availableOnOf } from '../columns/build-columns.ts';
import { NEVER, type SaleColumns } from '../columns/sale-columns.ts';
import { DATE_GAP } from './flag-sales.ts';
import { newestSoldOn, SALE_FLAGS } from './sale-flags.ts';
import { decodeColumns, encodeColumns } from '../columns/snapshots.ts';
import { textAt } from '../typed-columns.ts';
import { saleOf } from '../../../test/harness/valuation/sale.ts';

const LAG = 14;
const START = dayOf(2021, 3, 1);

/** `recordId → reason since day`, for flags set by the day. */
function flagsOn(columns: SaleColumns, asOf: number): Record<string, string> {
  const flags: Record<string, string> = {};
  for (let row = 0; row < columns.n; row++) {
    if (columns.flaggedOn[row] > asOf) continue;
    flags[textAt(columns.recordId, row)] = `${SALE_FLAGS[columns.flag[row]]} ${columns.flaggedOn[row]}`;
  }
  return flags;
}

function flagsOf(sales: readonly Sale[]): Record<string, string> {
  return flagsOn(buildSaleColumns(sales, { recordingLagDays: LAG }), NEVER - 1);
}

/** Sales at many prices, one a day: the market's past. */
function ordinarySales(count: number): Sale[] {
  return Array.from({ length: count }, (_, i) =>
    saleOf({ recordId: `o${i}`, parcelId: `o${i}`, soldOn: START - 300 + i, priceUsd: 200_000 + i * 1_000 }),
  );
}

test('a sale is flagged for its own record from the day it is available', () => {
  const flags = flagsOf(
    [
      saleOf({ recordId: 'cheap', priceUsd: 9_999 }),
      saleOf({ recordId: 'least', priceUsd: 10_000 }),
      saleOf({ recordId: 'dear', priceUsd: 1e9 }),
      saleOf({ recordId: 'related', isArmsLength: false }),
      saleOf({ recordId: '33 bedrooms', attributes: { bedrooms: 33, livingAreaSqft: 1_620 } }),
      saleOf({ recordId: 'shed', attributes: { livingAreaSqft: 90 } }),
      saleOf({ recordId: 'year 203', attributes: { yearBuilt: 203 } }),
      saleOf({
        recordId: '2,031 bedrooms in a tower',
        type: 'multifamily',
        priceUsd: 90e6,
        attributes: { bedrooms: 2_031 },
      }),
      saleOf({ recordId: 'studio', type: 'condos', attributes: { bedrooms: 1, livingAreaSqft: 300 } }),
    ].map((sale, i) => ({ ...sale, lat: 43 + i / 100, soldOn: START + i * 40 })),
  );
  assert.deepEqual(flags, {
    cheap: `price_outside ${START + LAG}`,
    dear: `price_outside ${START + 80 + LAG}`,
    related: `not_arms_length ${START + 120 + LAG}`,
    '33 bedrooms': `impossible_attributes ${START + 160 + LAG}`,
    shed: `impossible_attributes ${START + 200 + LAG}`,
    'year 203': `impossible_attributes ${START + 240 + LAG}`,
  });
});

test('the second record of a sale is the duplicate, from the day it is available', () => {
  const first = saleOf({ recordId: 'a', parcelId: 'p' });
  const again = saleOf({ recordId: 'b', parcelId: 'p', recordedOn: START + 50 });
  const otherUnit = saleOf({
    recordId: 'c',
    parcelId: 'p',
    address: { ...first.address, street: '1 A ST #2' },
  });
  assert.deepEqual(flagsOf([again, otherUnit, first]), { b: `duplicate ${START + 50}` });
});

test('three parcels of one day and an unusual price are a bundle from the third on; a common price is chance', () => {
  const parts = ['x', 'y', 'z'].map((id, i) =>
    saleOf({ recordId: id, parcelId: id, priceUsd: 1_234_567, recordedOn: START + 20 + i * 10 }),
  );
  const flags = flagsOf([...ordinarySales(280), ...parts]);
  const since = `bundle ${START + 40}`;
  assert.deepEqual(flags, { x: since, y: since, z: since });
  const common = ordinarySales(280).map((sale) => ({ ...sale, priceUsd: 1_234_567 }));
  assert.deepEqual(flagsOf([...common, ...parts]), {});
  const ofMonth = parts.map((sale) => ({ ...sale, datePrecision: 'month' as const }));
  assert.deepEqual(flagsOf([...ordinarySales(280), ...ofMonth]), {});
});

test('a first leg is flagged when the resale is recorded', () => {
  const bought = saleOf({ recordId: 'bought', parcelId: 'p', priceUsd: 100_000 });
  const resold = (soldOn: number, priceUsd: number) =>
    saleOf({ recordId: 'resold', parcelId: 'p', soldOn, priceUsd });
  assert.deepEqual(flagsOf([bought, resold(START + 200, 150_000)]), {
    bought: `flip_first_leg ${START + 200 + LAG}`,
  });
  assert.deepEqual(flagsOf([bought, resold(START + 200, 149_000)]), {});
  assert.deepEqual(flagsOf([bought, resold(START + 400, 250_000)]), {});
});

test('an outlier is far from 30 earlier sales of its type; a cheap foreclosure is not', () => {
  const area = { livingAreaSqft: 1_500 };
  const past = ordinarySales(280).map((sale) => ({ ...sale, attributes: attributesOf(area) }));
  const odd = saleOf({ recordId: 'odd', lat: 44, soldOn: START, priceUsd: 9e6, attributes: area });
  const cheap = saleOf({ recordId: 'cheap', lat: 45, soldOn: START, priceUsd: 25_000, attributes: area });
  assert.deepEqual(flagsOf([...past, odd, cheap]), { odd: `outlier ${START + LAG}` });
  assert.deepEqual(flagsOf([...past.slice(0, 29), odd]), {});
  assert.deepEqual(flagsOf([...past, { ...odd, type: 'multifamily' }]), {});
});

const anySale = fc.record({
  parcel: fc.integer({ min: 0, max: 5 }),
  day: fc.integer({ min: 0, max: 40 }),
  recordedAfter: fc.option(fc.integer({ min: 0, max: 30 }), { nil: null }),
  month: fc.boolean(),
  price: fc.constantFrom(5_000, 100_000, 101_000, 160_000, 40_000_000),
  bedrooms: fc.constantFrom(null, 3, 60),
  armsLength: fc.constantFrom(null, null, false),
});

test('flags on a day use only the sales known that day', () => {
  const past = ordinarySales(40);
  fc.assert(
    fc.property(
      fc.array(anySale, { maxLength: 30 }),
      fc.integer({ min: 0, max: 110 }),
      (rows, afterStart) => {
        const sales = rows.map((row, i) =>
          saleOf({
            recordId: `s${i}`,
            parcelId: `p${row.parcel}`,
            soldOn: START + row.day,
            recordedOn: row.recordedAfter === null ? null : START + row.day + row.recordedAfter,
            datePrecision: row.month ? 'month' : 'day',
            priceUsd: row.price,
            attributes: { bedrooms: row.bedrooms },
            isArmsLength: row.armsLength,
          }),
        );
        const asOf = START + afterStart;
        const all = [...past, ...sales];
        const known = all.filter((sale) => availableOnOf(sale, LAG) <= asOf);
        const naive = flagsOn(buildSaleColumns(known, { recordingLagDays: LAG }), asOf);
        assert.deepEqual(flagsOn(buildSaleColumns(all, { recordingLagDays: LAG }), asOf), naive);
      },
    ),
    { numRuns: 300 },
  );
});

test('a sale dated by month is available after the month’s end, and with lag 0 on the date as written', () => {
  const month = saleOf({ datePrecision: 'month', soldOn: dayOf(2021, 2, 1) });
  assert.equal(availableOnOf(month, 14), dayOf(2021, 3, 14));
  assert.equal(availableOnOf(month, 0), dayOf(2021, 2, 1));
  assert.equal(availableOnOf({ ...month, datePrecision: 'day' }, 14), dayOf(2021, 2, 15));
  assert.equal(availableOnOf({ ...month, recordedOn: dayOf(2021, 2, 9) }, 14), dayOf(2021, 2, 9));
});

test('a snapshot restores the columns, and the same sales in any order give the same bytes', () => {
  const sales = ordinarySales(50).map((sale, i) => ({
    ...sale,
    attributes: attributesOf({ bedrooms: i % 5 === 0 ? null : i % 7, livingAreaSqft: 900 + i }),
    features: (i % 3 === 0 ? {} : { grade: String(i % 4), view: 'å' }) as OwnFeatures,
  }));
  const columns = buildSaleColumns(sales, { recordingLagDays: LAG });
  const bytes = encodeColumns(columns);
  assert.deepEqual(decodeColumns(bytes), columns);
  assert.deepEqual(encodeColumns(buildSaleColumns(sales.toReversed(), { recordingLagDays: LAG })), bytes);
  assert.throws(() => decodeColumns(bytes.subarray(0, 5_000)), /cut short/);
});

test('a sale dated long after all others is flagged and makes the market no newer; sales after a pause are not', () => {
  const day = (sale: number) => START - 300 + sale;
  const past = ordinarySales(300);
  const later = (id: string, soldOn: number, count: number) =>
    Array.from({ length: count }, (_, i) =>
      saleOf({ recordId: `${id}${i}`, parcelId: `${id}${i}`, soldOn, priceUsd: 300_000 + i * 1_000 }),
    );
  const { days, few } = DATE_GAP;
  const flagged = (more: readonly Sale[]) => Object.keys(flagsOf([...past, ...more]));
  assert.deepEqual(
    flagged(later('typo', day(299) + days, few - 1)),
    later('typo', 0, few - 1).map(({ recordId }) => recordId),
  );
  assert.deepEqual(flagged(later('usual', day(299) + days - few, 1)), []);
  assert.deepEqual(flagged(later('resumed', day(299) + 2 * days, few)), []);
  // What is recorded later changes nothing: only the first few of a market that resumes slowly are flagged.
  const slowly = Array.from({ length: 2 * few }, (_, i) =>
    later(`slow${i}-`, day(299) + 2 * days + i, 1),
  ).flat();
  assert.equal(flagged(slowly).length, few - 1);
  // A thin market has such gaps.
  assert.deepEqual(Object.keys(flagsOf([...past.slice(0, 90), ...later('thin', day(90) + 2 * days, 1)])), []);

  const columns = buildSaleColumns([...past, ...later('typo', day(299) + 500, 1)], { recordingLagDays: LAG });
  assert.equal(columns.soldOn.at(-1), day(299) + 500);
  assert.equal(newestSoldOn(columns).at(-1), day(299));
});

test('records of one sale in other spellings of the street are duplicates', () => {
  const one = { parcelId: null, soldOn: START, priceUsd: 412_345 };
  const at = (recordId: string, street: string) =>
    saleOf({ ...one, recordId, address: { ...saleOf({}).address, street } });
  const flags = flagsOf([
    ...ordinarySales(300),
    at('first', '100 North Test Avenue'),
    at('second', '100 N. TEST AV'),
    at('other', '102 N TEST AV'),
  ]);
  const isDuplicate = (id: string) => flags[id]?.startsWith('duplicate') ?? false;
  assert.deepEqual(['first', 'second', 'other'].map(isDuplicate), [false, true, false]);
});
