import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { dayOf } from '../../domain/day.ts';
import { attributesOf, type Attributes } from '../../domain/property.ts';
import type { RentListing } from '../../domain/rent.ts';
import { buildRentColumns } from '../columns/build-columns.ts';
import { NEVER, type SaleColumns } from '../columns/sale-columns.ts';
import { textAt } from '../typed-columns.ts';
import { SALE_FLAGS } from './sale-flags.ts';

const START = dayOf(2021, 3, 1);

type Part = Partial<Omit<RentListing, 'attributes'>> & { attributes?: Partial<Attributes> };

function listingOf(part: Part): RentListing {
  return {
    recordId: 'r',
    parcelId: null,
    listedOn: START,
    lastSeenOn: null,
    datePrecision: 'day',
    rentUsd: 1_500,
    address: { street: '1 A ST #1', city: '', stateCode: '', postalCode: '' },
    lat: 43,
    lon: -88,
    type: 'condos',
    isFurnished: null,
    hasParking: null,
    features: {},
    ...part,
    attributes: attributesOf(part.attributes ?? { bedrooms: 1, bathrooms: 1 }),
  };
}

/** `recordId → reason since day`, for flags set by the day. */
function flagsOn(columns: SaleColumns, asOf: number): Record<string, string> {
  const flags: Record<string, string> = {};
  for (let row = 0; row < columns.n; row++) {
    if (columns.flaggedOn[row] > asOf) continue;
    flags[textAt(columns.recordId, row)] =
      `${SALE_FLAGS[columns.flag[row]]} ${columns.flaggedOn[row] - START}`;
  }
  return flags;
}

const flagsOf = (listings: readonly RentListing[]) => flagsOn(buildRentColumns(listings), NEVER - 1);

/** Listings at places of their own, so that none repeats another. */
const apart = (parts: readonly Part[]) =>
  parts.map((part, i) => listingOf({ lat: 43 + (i + 1) / 1_000, ...part }));

/** One-bedroom apartments at 1,200 … 1,790, one a day before the start. */
const ordinary = (count: number): RentListing[] =>
  apart(
    Array.from({ length: count }, (_, i) => ({
      recordId: `o${i}`,
      listedOn: START - count + i,
      rentUsd: 1_200 + 10 * (i % 60),
    })),
  );

test('a listing is flagged for its own record from the day it is listed', () => {
  const flags = flagsOf(
    apart([
      { recordId: 'a deposit', rentUsd: 99 },
      { recordId: 'the least', rentUsd: 100 },
      { recordId: 'a studio for 30,001', rentUsd: 30_001, attributes: { bedrooms: 0 } },
      { recordId: 'a floor of six bedrooms', rentUsd: 500_000, attributes: { bedrooms: 6 } },
      { recordId: 'a sale price', rentUsd: 1_070_000, attributes: {} },
      { recordId: 'the price of a house', rentUsd: 200_000, attributes: { livingAreaSqft: 1_500 } },
      { recordId: '20 bedrooms', attributes: { bedrooms: 20 } },
      { recordId: '10 baths for 1.0', attributes: { bedrooms: 2, bathrooms: 10 } },
      { recordId: '20 sqft', attributes: { livingAreaSqft: 20 } },
      { recordId: '5 bedrooms in 300 sqft', attributes: { bedrooms: 5, livingAreaSqft: 300 } },
      { recordId: 'a tiny studio', attributes: { bedrooms: 1, livingAreaSqft: 150 } },
      { recordId: 'a tower', attributes: { bedrooms: 1, stories: 60, totalUnits: 400 } },
      { recordId: 'the year 203', attributes: { yearBuilt: 203 } },
    ]),
  );
  assert.deepEqual(flags, {
    'a deposit': 'price_outside 0',
    'a studio for 30,001': 'price_outside 0',
    'a sale price': 'price_outside 0',
    'the price of a house': 'price_outside 0',
    '20 bedrooms': 'impossible_attributes 0',
    '10 baths for 1.0': 'impossible_attributes 0',
    '20 sqft': 'impossible_attributes 0',
    '5 bedrooms in 300 sqft': 'impossible_attributes 0',
    'the year 203': 'impossible_attributes 0',
  });
});

test('a unit listed again at its rent is a duplicate for 60 days after the last listing', () => {
  const after = (days: number, part: Part = {}) =>
    listingOf({ recordId: `${days}`, listedOn: START + days, ...part });
  assert.deepEqual(flagsOf([after(0), after(60), after(120), after(181)]), {
    60: 'duplicate 60',
    120: 'duplicate 120',
  });
  const other = { ...listingOf({}).address, street: '1 A ST #2' };
  assert.deepEqual(flagsOf([after(0), after(10, { rentUsd: 1_450 })]), {}, 'another rent');
  assert.deepEqual(flagsOf([after(0), after(10, { address: other })]), {}, 'another unit');
  assert.deepEqual(flagsOf([after(0), after(10, { attributes: { bedrooms: 2 } })]), {}, 'another size');
});

test('identical units of a building at one rent on one day count once', () => {
  const address = (street: string) => ({ ...listingOf({}).address, street });
  const units = ['a', 'b', 'c'].map((recordId) =>
    listingOf({ recordId, parcelId: 'p', address: address(`1 A ST #${recordId}`) }),
  );
  assert.deepEqual(flagsOf(units), { b: 'duplicate 0', c: 'duplicate 0' });
  const nextDoor = units.map((unit, i) => ({ ...unit, parcelId: `p${i}` }));
  assert.deepEqual(flagsOf(nextDoor), {});
});

test('without dates, a listing that repeats another is a duplicate', () => {
  const undated = (recordId: string, day: number) =>
    listingOf({ recordId, listedOn: START + day, datePrecision: 'none' });
  assert.deepEqual(flagsOf([undated('a', 0), undated('b', 0), undated('c', 200)]), {
    b: 'duplicate 0',
    c: 'duplicate 200',
  });
});

test('a yearly, weekly or nightly rent is an outlier among 30 of its type and bedrooms, listed by that day', () => {
  const odd: Part[] = [
    { recordId: 'yearly', rentUsd: 18_000 },
    { recordId: 'weekly', rentUsd: 340 },
    { recordId: 'nightly', rentUsd: 110 },
    { recordId: 'dear', rentUsd: 4_500 },
    { recordId: 'cheap', rentUsd: 600 },
    { recordId: 'of ten bedrooms', rentUsd: 18_000, attributes: { bedrooms: 10 } },
  ];
  const oddOnes = odd.map((part, i) => listingOf({ lat: 45 + i, ...part }));
  const flagged = { yearly: 'outlier 0', weekly: 'outlier 0', nightly: 'outlier 0' };
  assert.deepEqual(flagsOf([...ordinary(60), ...oddOnes]), flagged);
  const oneDay = ordinary(60).map((listing) => ({ ...listing, listedOn: START }));
  assert.deepEqual(flagsOf([...oneDay, ...oddOnes]), flagged);
  const tooFew = ordinary(24);
  assert.deepEqual(flagsOf([...tooFew, ...oddOnes]), {}, '24 and 5 are too few');
  const later = ordinary(60).map((listing) => ({ ...listing, listedOn: START + 1 }));
  assert.deepEqual(flagsOf([...later, ...oddOnes]), {}, 'rents listed later do not count');
});

test('outliers on a day with very many listings are judged by the whole day', () => {
  // Record ids of undated files begin with a latitude: the last 2,000 of a day are one end of town.
  const south = Array.from({ length: 3_000 }, (_, i) => ({
    recordId: `a${i}`,
    rentUsd: 5_000 + (i % 4_000),
  }));
  const north = Array.from({ length: 2_000 }, (_, i) => ({ recordId: `b${i}`, rentUsd: 900 + (i % 200) }));
  const oneDay = apart([...south, ...north].map((part) => ({ ...part, datePrecision: 'none' as const })));
  assert.deepEqual(flagsOf(oneDay), {});
});

const anyListing = fc.record({
  building: fc.integer({ min: 0, max: 3 }),
  door: fc.integer({ min: 1, max: 2 }),
  day: fc.integer({ min: 0, max: 90 }),
  seenFor: fc.option(fc.integer({ min: 0, max: 90 }), { nil: null }),
  precision: fc.constantFrom('day' as const, 'day' as const, 'month' as const, 'none' as const),
  rent: fc.constantFrom(50, 350, 1_400, 1_500, 9_000, 2_000_000),
  bedrooms: fc.constantFrom(null, 1, 1, 30),
});

test('flags on a day use only the listings known that day', () => {
  const past = ordinary(40);
  fc.assert(
    fc.property(fc.array(anyListing, { maxLength: 30 }), fc.integer({ min: 0, max: 130 }), (rows, after) => {
      const listings = rows.map((row, i) =>
        listingOf({
          recordId: `s${i}`,
          parcelId: `p${row.building}`,
          address: { ...listingOf({}).address, street: `1 A ST #${row.door}` },
          listedOn: START + row.day,
          lastSeenOn: row.seenFor === null ? null : START + row.day + row.seenFor,
          datePrecision: row.precision,
          rentUsd: row.rent,
          attributes: { bedrooms: row.bedrooms },
        }),
      );
      const all = buildRentColumns([...past, ...listings]);
      const asOf = START + after;
      const known = new Set<string>();
      for (let row = 0; row < all.n; row++) {
        if (all.availableOn[row] <= asOf) known.add(textAt(all.recordId, row));
      }
      const naive = buildRentColumns([...past, ...listings].filter(({ recordId }) => known.has(recordId)));
      assert.deepEqual(flagsOn(all, asOf), flagsOn(naive, asOf));
    }),
    { numRuns: 300 },
  );
});

test('a listing dated by month is available at the end of the month', () => {
  const columns = buildRentColumns([
    listingOf({ recordId: 'a', listedOn: dayOf(2021, 2, 1), datePrecision: 'month' }),
    listingOf({ recordId: 'b', listedOn: dayOf(2021, 2, 3), lat: 44 }),
  ]);
  assert.deepEqual([...columns.availableOn], [dayOf(2021, 2, 3), dayOf(2021, 2, 28)]);
});
