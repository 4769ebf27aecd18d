import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { distanceMi } from '../geo/distance.ts';
import {
  addressPointsNear,
  addressPointsOfParcel,
  findAddressPoints,
  insertAddressPoints,
} from './address-points.ts';
import { insertParcels, parcelsNear } from './property-records.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { many, SOURCE, testAddressPoint, testParcel } from '../../test/harness/store/rows.ts';
import { beginDataset } from './publish-dataset.ts';

interface Point {
  readonly lat: number;
  readonly lon: number;
}

const LATITUDES = fc.double({ min: -90, max: 90, noNaN: true });
const LONGITUDES = fc.double({ min: -180, max: 180, noNaN: true });
/** Centers where geometry is easy to get wrong, and anywhere. */
const CENTERS: fc.Arbitrary<Point> = fc.oneof(
  fc.constantFrom(
    { lat: 43.04, lon: -87.9 },
    { lat: -16.8, lon: 180 },
    { lat: -16.8, lon: -179.999 },
    { lat: 89.99, lon: 20 },
    { lat: -90, lon: 0 },
    { lat: 0, lon: 0 },
  ),
  fc.record({ lat: LATITUDES, lon: LONGITUDES }),
);
const RADIUS_MI = fc.constantFrom(0, 0.01, 0.25, 1, 5);
const OFFSETS = fc.array(fc.tuple(fc.integer({ min: -80, max: 80 }), fc.integer({ min: -80, max: 80 })), {
  minLength: 1,
  maxLength: 40,
});

/** A point some thousandths of a degree away, back on the globe. */
function offset(center: Point, north: number, east: number): Point {
  const lat = Math.max(-90, Math.min(90, center.lat + north / 1000));
  const lon = center.lon + (east / 1000) * (Math.abs(lat) > 89 ? 500 : 1);
  return { lat, lon: lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon };
}

for (const engine of engines) {
  test(`${engine.name}: parcels near a point are those that a scan finds, nearest first`, async () => {
    const store = await engine.open();
    const property = fc.asyncProperty(CENTERS, OFFSETS, RADIUS_MI, async (center, offsets, radiusMi) => {
      const datasetId = await beginDataset(store, { marketId: 'm', kind: 'parcels', source: SOURCE });
      const parcels = offsets.map(([north, east], i) => ({
        ...testParcel(i),
        ...offset(center, north, east),
        parcelId: String(i).padStart(3, '0'),
      }));
      await insertParcels(store, datasetId, parcels);
      const expected = parcels
        .map(({ parcelId, lat, lon }) => ({
          rowsId: datasetId,
          parcelId,
          lat,
          lon,
          distanceMi: distanceMi(center.lat, center.lon, lat, lon),
        }))
        .filter((parcel) => parcel.distanceMi <= radiusMi)
        .sort((a, b) => a.distanceMi - b.distanceMi || (a.parcelId < b.parcelId ? -1 : 1));
      assert.deepEqual(await parcelsNear(store, [datasetId], center.lat, center.lon, radiusMi), expected);
    });
    await fc.assert(property, { numRuns: 60 });
    await store.close();
  });

  test(`${engine.name}: addresses are found by number, street, both, parcel and place, in the order of import`, async () => {
    const store = await engine.open();
    const points = many(40, (i) => {
      const point = testAddressPoint(i);
      return i % 3 === 0 ? { ...point, key: { ...point.key, unit: '' } } : point;
    });
    const first = await beginDataset(store, { marketId: 'a', kind: 'addresses', source: SOURCE });
    const second = await beginDataset(store, { marketId: 'b', kind: 'sales', source: SOURCE });
    await insertAddressPoints(store, first, points);
    await insertAddressPoints(store, second, points);
    const rows = [first, second].flatMap((rowsId) =>
      points.map((point, rowNo) => ({ ...point, rowsId, rowNo })),
    );
    const both = [second, first];
    const numbered = rows.filter(({ key }) => key.number === '102');
    assert.deepEqual(await findAddressPoints(store, both, { number: '102' }), numbered);
    assert.deepEqual(
      await findAddressPoints(store, both, { number: '102', streetName: 'LAKE' }),
      numbered.filter(({ key }) => key.streetName === 'LAKE'),
    );
    const onStreet = rows.filter(({ key, rowsId }) => key.streetName === 'LAKE' && rowsId === first);
    assert.deepEqual(await findAddressPoints(store, [first], { streetName: 'LAKE' }), onStreet);
    assert.deepEqual(
      await findAddressPoints(store, [first], { streetName: 'LAKE' }, 3),
      onStreet.slice(0, 3),
    );
    assert.deepEqual(
      await addressPointsOfParcel(store, both, 'parcel 1'),
      rows.filter(({ parcelId }) => parcelId === 'parcel 1'),
    );
    const near = await addressPointsNear(store, [first], points[8].lat, points[8].lon, 0.01);
    assert.equal(near[0].rowNo, 8);
    const wide = await addressPointsNear(store, both, points[8].lat, points[8].lon, 2);
    const buildings = wide.filter(({ key }) => key.unit === '');
    assert.ok(buildings.length > 0 && buildings.length < wide.length);
    assert.deepEqual(
      await addressPointsNear(store, both, points[8].lat, points[8].lon, 2, { only: 'buildings' }),
      buildings,
    );
    assert.deepEqual(await findAddressPoints(store, [], { number: '102' }), []);
    assert.deepEqual(await findAddressPoints(store, both, {}), []);
    await store.close();
  });
}
