import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { ATTRIBUTES, attributesOf, PROPERTY_TYPES, type Attributes } from '../domain/property.ts';
import type { RentListing } from '../domain/rent.ts';
import type { Sale } from '../domain/sale.ts';
import { RENT_COLUMNS, SALE_COLUMNS } from '../store/record-columns.ts';
import { createRecords } from './collect-records.ts';
import { createRecordTable } from './record-table.ts';
import { canonicalSale } from './rows/canonical-rows.ts';

/** Objects such as programs make. */
const PLAIN = { noNullPrototype: true };

/** Whole numbers, numbers of 32 bits and of 64 bits, and what the narrow columns cannot hold. */
const number = fc.oneof(
  fc.integer({ min: -0x8001, max: 0x8001 }),
  fc.constantFrom(-0, 2.5, 0.1, 2 ** 24 + 1, 1e12),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', 'Ålesund', '𝒳'));
const yesNo = fc.constantFrom(null, true, false);
const attributes: fc.Arbitrary<Attributes> = fc
  .dictionary(fc.constantFrom(...ATTRIBUTES), fc.option(number), PLAIN)
  .map(attributesOf);

const common = {
  recordId: text,
  parcelId: fc.option(text.filter((id) => id !== '')),
  datePrecision: fc.constantFrom('none' as const, 'month' as const, 'day' as const),
  address: fc.record({ street: text, city: text, stateCode: text, postalCode: text }, PLAIN),
  lat: number,
  lon: number,
  type: fc.constantFrom(...PROPERTY_TYPES),
  attributes,
  features: fc.dictionary(fc.constantFrom('b', 'a', 'Grade 1'), text, PLAIN),
};
const sale: fc.Arbitrary<Sale> = fc.record(
  {
    ...common,
    soldOn: fc.integer({ min: -25_567, max: 30_000 }),
    recordedOn: fc.option(fc.integer({ min: -25_567, max: 40_000 })),
    priceUsd: number,
    isArmsLength: yesNo,
  },
  PLAIN,
);
const listing: fc.Arbitrary<RentListing> = fc.record(
  {
    ...common,
    listedOn: fc.integer({ min: -25_567, max: 30_000 }),
    lastSeenOn: fc.option(fc.integer({ min: -25_567, max: 40_000 })),
    rentUsd: number,
    isFurnished: yesNo,
    hasParking: yesNo,
  },
  PLAIN,
);

/** Features are written to the database in their order. */
function withOrder<Row extends { readonly features: object }>(row: Row) {
  return { row: { ...row }, order: Object.keys(row.features) };
}

test('sales and listings are read as they were added and changed', () => {
  fc.assert(
    fc.property(fc.array(sale, { minLength: 1, maxLength: 40 }), sale, (sales, other) => {
      const table = createRecordTable<Sale>(SALE_COLUMNS);
      for (const each of sales) table.push(each);
      const [first] = sales;
      const { recordId, parcelId } = first;
      const address = { ...other.address, street: first.address.street };
      const changed = { ...other, recordId, parcelId, address };
      table.change(0, changed);
      const read = sales.map((_, row) => withOrder(table.at(row)));
      assert.deepEqual(read, [changed, ...sales.slice(1)].map(withOrder));
    }),
    { numRuns: 30 },
  );
  fc.assert(
    fc.property(fc.array(listing, { maxLength: 10 }), (listings) => {
      const table = createRecordTable<RentListing>(RENT_COLUMNS);
      for (const each of listings) table.push(each);
      assert.deepEqual(
        listings.map((_, row) => table.at(row)),
        listings,
      );
    }),
    { numRuns: 20 },
  );
});

test('records beyond one chunk keep their values', () => {
  const table = createRecordTable<Sale>(SALE_COLUMNS);
  const [example] = fc.sample(sale, { numRuns: 1, seed: 1 });
  const saleAt = (i: number): Sale => ({
    ...example,
    recordId: `r${i}`,
    priceUsd: i + (i % 5000 === 0 ? 0.1 : 0),
  });
  for (let i = 0; i < 40_000; i++) table.push(saleAt(i));
  for (let i = 0; i < 40_000; i++) {
    const { recordId, priceUsd } = table.at(i);
    assert.deepEqual({ recordId, priceUsd }, { recordId: `r${i}`, priceUsd: saleAt(i).priceUsd });
  }
});

test('a row that was left out may be added again from an earlier import', () => {
  const identityOf = ({ priceUsd }: Sale): string => `${priceUsd}`;
  const records = createRecords<Sale>({ members: SALE_COLUMNS, identityOf, canonical: canonicalSale });
  const [example] = fc.sample(sale, { numRuns: 1, seed: 1 });
  const saleOf = (recordId: string, priceUsd: number): Sale => ({ ...example, recordId, priceUsd });
  records.add(saleOf('a', 1), { file: 'f', line: 2 });
  records.add(saleOf('b', 2), { file: 'f', line: 3 });
  const [left] = records.leaveOutdated({ outdated: ['a'] }, ['changed_prices']);
  assert.deepEqual(left.at, { file: 'f', line: 2 });
  assert.equal(records.find('a'), undefined);
  records.keep(saleOf('a', 3));
  records.keep(saleOf('c', 4));
  assert.deepEqual(
    [...records].map(({ recordId, priceUsd }) => `${recordId} ${priceUsd}`),
    ['b 2', 'a 3', 'c 4'],
  );
  assert.deepEqual([records.length, records.added(), records.find('a')?.priceUsd], [3, 1, 3]);
  assert.deepEqual(['a', 'b', 'c', 'd'].map(records.isAdded), [false, true, false, false]);
});
