import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { ATTRIBUTES, attributesOf } from '../../domain/property.ts';
import type { Sale } from '../../domain/sale.ts';
import { buildSaleColumns, extendColumns } from './build-columns.ts';
import { chainSnapshots } from './snapshots.ts';
import { textAt } from '../typed-columns.ts';

const FIRST_DAY = 18_000;

const sale = fc
  .record({
    soldOn: fc.integer({ min: FIRST_DAY, max: FIRST_DAY + 60 }),
    parcel: fc.integer({ min: 0, max: 12 }),
    priceUsd: fc.integer({ min: 50_000, max: 900_000 }),
    bedrooms: fc.integer({ min: 1, max: 6 }),
    grade: fc.constantFrom('', 'A', 'B', 'C'),
  })
  .map((drawn): Omit<Sale, 'recordId'> => ({
    parcelId: drawn.parcel === 0 ? null : `P${drawn.parcel}`,
    soldOn: drawn.soldOn,
    recordedOn: null,
    datePrecision: 'day',
    priceUsd: drawn.priceUsd,
    address: { street: `${drawn.parcel} MAIN ST`, city: 'Town', stateCode: 'WI', postalCode: '' },
    lat: 43 + drawn.parcel / 1000,
    lon: -88,
    type: 'houses',
    attributes: attributesOf({ bedrooms: drawn.bedrooms }),
    features: drawn.grade === '' ? {} : { grade: drawn.grade },
    isArmsLength: null,
  }));

const sales = fc
  .array(sale, { minLength: 1, maxLength: 60 })
  .map((drawn) => drawn.map((one, i): Sale => ({ ...one, recordId: `r${String(i).padStart(3, '0')}` })));

test('extended columns hold every newer sale and move no trained row', () => {
  fc.assert(
    fc.property(sales, fc.integer({ min: 0, max: 60 }), (all, cutAfter) => {
      const newest = buildSaleColumns(all, { recordingLagDays: 14 });
      const cut = FIRST_DAY + cutAfter;
      const earlier = all.filter((one) => one.soldOn <= cut);
      const trained = buildSaleColumns(earlier, { recordingLagDays: 14 });
      const extended = extendColumns(trained, newest);
      assert.equal(extended.n, all.length);
      for (let row = 0; row < newest.n; row++) {
        assert.equal(textAt(extended.recordId, row), textAt(newest.recordId, row));
        assert.equal(textAt(extended.parcelId, row), textAt(newest.parcelId, row));
        assert.equal(extended.priceUsd[row], newest.priceUsd[row]);
        for (const attribute of ATTRIBUTES) {
          assert.ok(Object.is(extended.attributes[attribute][row], newest.attributes[attribute][row]));
        }
        for (let other = 0; other < row; other++) {
          assert.equal(
            extended.parcel[row] === extended.parcel[other],
            newest.parcel[row] === newest.parcel[other],
          );
        }
        const grade = extended.features.find((feature) => feature.name === 'grade');
        const asBuilt = newest.features.find((feature) => feature.name === 'grade');
        if (grade && asBuilt)
          assert.equal(grade.levels[grade.codes[row]], asBuilt.levels[asBuilt.codes[row]]);
      }
    }),
    { numRuns: 100 },
  );
});

test('the snapshot hash of a day ignores later sales and detects every earlier change', () => {
  fc.assert(
    fc.property(sales, fc.integer({ min: 0, max: 90 }), (all, offset) => {
      const asOf = FIRST_DAY + offset;
      const hashOf = (rows: readonly Sale[]): string => {
        const columns = buildSaleColumns(rows, { recordingLagDays: 14 });
        return chainSnapshots(columns).hashAsOf(asOf);
      };
      const known = all.filter((one) => one.soldOn + 14 <= asOf);
      // Own features are columns of the whole snapshot: compare markets that have the same ones.
      const plain = (rows: readonly Sale[]): Sale[] => rows.map((one) => ({ ...one, features: {} }));
      assert.equal(hashOf(plain(all)), hashOf(plain(known)));
      if (known.length > 0) {
        const changed = plain(known).map((one, i) =>
          i === 0 ? { ...one, priceUsd: one.priceUsd + 1 } : one,
        );
        assert.notEqual(hashOf(changed), hashOf(plain(known)));
      }
    }),
    { numRuns: 100 },
  );
});
