import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testListings } from '../../../test/harness/valuation/rents.ts';
import { engines } from '../../../test/harness/store/engines.ts';
import { attributesOf } from '../../domain/property.ts';
import type { Located } from '../../locate/located.ts';
import { buildRentColumns } from '../../valuation/columns/build-columns.ts';
import { indexParcelSales, NEVER } from '../../valuation/columns/sale-columns.ts';
import { findRecord } from './find-record.ts';

for (const engine of engines) {
  test(`${engine.name}: rooms of other units listed at a place are not the record of a unit`, async (t) => {
    const store = await engine.open();
    t.after(() => store.close());
    const [listing] = testListings(1);
    const record = async (...bedrooms: readonly number[]) => {
      const columns = buildRentColumns(
        bedrooms.map((count, i) => ({
          ...listing,
          recordId: `R${i}`,
          attributes: attributesOf({ bedrooms: count, bathrooms: 1, yearBuilt: 1950 }),
        })),
      );
      const found = await findRecord(
        { store },
        { sales: null, listings: { columns, parcelSales: indexParcelSales(columns), parcels: null } },
        locatedAt(listing),
        NEVER - 1,
        { propertyType: null, attributes: {}, isOfUnit: true },
      );
      const { bedrooms: recorded, bathrooms, yearBuilt } = found.record.attributes;
      return [recorded, bathrooms, yearBuilt];
    };
    assert.deepEqual(await record(2, 3), [null, 1, 1950]);
    assert.deepEqual(await record(2, 2), [2, 1, 1950]);
  });
}

function locatedAt({ lat, lon }: { readonly lat: number; readonly lon: number }): Located {
  return {
    lat,
    lon,
    geohash8: '',
    address: null,
    matchLevel: 'point',
    accuracyM: null,
    parcelId: null,
    parcels: [],
    unit: '',
    unitCount: 0,
    matchedPoint: null,
    warnings: [],
  };
}
