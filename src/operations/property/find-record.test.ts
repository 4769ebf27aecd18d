import assert from 'node:assert/strict';
import { test } from 'node:test';
import { saleOf } from '../../../test/harness/valuation/sale.ts';
import { testListings } from '../../../test/harness/valuation/rents.ts';
import { engines } from '../../../test/harness/store/engines.ts';
import { attributesOf } from '../../domain/property.ts';
import type { Located } from '../../locate/located.ts';
import type { Sale } from '../../domain/sale.ts';
import { buildRentColumns, buildSaleColumns } from '../../valuation/columns/build-columns.ts';
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

for (const engine of engines) {
  test(`${engine.name}: a house whose parcel was renumbered has its newest id and the record of all its sales; other homes at an address stay apart`, async (t) => {
    const store = await engine.open();
    t.after(() => store.close());
    const found = async (changed: Partial<Sale>, parcels: readonly string[] = ['old', 'new']) => {
      const attributes = attributesOf({
        bedrooms: 4,
        livingAreaSqft: 1158,
        yearBuilt: 1900,
        lotSizeSqft: 3750,
      });
      const later = attributesOf({
        bathrooms: 1,
        livingAreaSqft: 1160,
        yearBuilt: 1900,
        lotSizeSqft: 11_205,
      });
      const columns = buildSaleColumns(
        [
          saleOf({ recordId: '1', parcelId: 'old', soldOn: 18_339, attributes }),
          saleOf({ recordId: '2', parcelId: 'new', soldOn: 19_277, attributes: later, ...changed }),
        ],
        { recordingLagDays: 0 },
      );
      const sales = { columns, parcelSales: indexParcelSales(columns), parcels: null };
      const at = locatedAt({ lat: columns.lat[0], lon: columns.lon[0] });
      const located: Located = {
        ...at,
        matchLevel: 'address',
        parcels: [{ parcelIds: parcels, awayM: 0, tie: 'address' }],
      };
      const stated = { propertyType: null, attributes: {}, isOfUnit: false };
      const { record, place, homeCount } = await findRecord({ store }, { sales }, located, NEVER - 1, stated);
      const { bedrooms, bathrooms, lotSizeSqft } = record.attributes;
      return [homeCount, place.parcelId, bedrooms, bathrooms, lotSizeSqft];
    };
    for (const ids of [
      ['old', 'new'],
      ['new', 'old'],
    ])
      assert.deepEqual(await found({}, ids), [1, 'new', 4, 1, 11_205]);
    const apart = [2, null, null, null, null];
    const smaller = attributesOf({ livingAreaSqft: 700, yearBuilt: 1900 });
    assert.deepEqual(await found({ attributes: smaller }), apart);
    assert.deepEqual(await found({ attributes: attributesOf({ livingAreaSqft: 1158 }) }), apart);
    assert.deepEqual(await found({ type: 'condos' }), apart);
  });
}

for (const engine of engines) {
  test(`${engine.name}: homes that are known only by their sales are named by address and date, not by ids of records`, async (t) => {
    const store = await engine.open();
    t.after(() => store.close());
    const sale = (street: string, soldOn: number, lat: number) =>
      saleOf({ recordId: `${street}/${soldOn}/1`, parcelId: '', address: addressOf(street), soldOn, lat });
    const some = [sale('', 19_000, 43.0001), sale('100 Oak St', 19_500, 43)];
    const columns = buildSaleColumns(some, { recordingLagDays: 0 });
    const sales = { columns, parcelSales: indexParcelSales(columns), parcels: null };
    const located = locatedAt({ lat: 43, lon: some[0].lon });
    const stated = { propertyType: null, attributes: {}, isOfUnit: false };
    const { warnings } = await findRecord({ store }, { sales }, located, NEVER - 1, stated);
    const [{ message }] = warnings;
    const homes = '100 Oak St, sold 2023-05-23 (0 feet); a home sold 2022-01-08 (36 feet)';
    assert.ok(message.startsWith(`Several homes are near the location: ${homes}. `), message);
  });
}

function addressOf(street: string) {
  return { street, city: '', stateCode: '', postalCode: '' };
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
