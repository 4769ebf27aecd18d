import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { GEOPARQUET_FILE, STATE_PLANE_GEOPARQUET } from '../../test/harness/load/geoparquet.ts';
import { openImportFixture } from '../../test/harness/load/import-files.ts';
import { PARQUET_FILE } from '../../test/harness/load/parquet.ts';
import { dbfBytes, NAD83, shpBytes } from '../../test/harness/load/shapefile.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { openPlaces } from '../places/open-places.ts';
import { parcelsContaining } from '../places/parcel-areas.ts';
import { currentDatasets } from '../store/datasets.ts';
import { importParcelAreas } from './import-parcel-areas.ts';
import { importParcels } from './import-parcels.ts';

type Ring = readonly (readonly [number, number])[];

/** A square lot of a thousandth of a degree, numbered from west to east. */
function lot(i: number): Ring {
  const [west, east] = [-88 + 0.001 * i, -88 + 0.001 * (i + 1)];
  return [
    [west, 43],
    [west, 43.001],
    [east, 43.001],
    [east, 43],
    [west, 43],
  ];
}

function geoJson(...features: readonly { readonly id: object; readonly ring: Ring }[]): string {
  return JSON.stringify({
    type: 'FeatureCollection',
    features: features.map(({ id, ring }) => ({
      type: 'Feature',
      properties: id,
      geometry: { type: 'Polygon', coordinates: [ring] },
    })),
  });
}

for (const engine of engines) {
  describe(`${engine.name}: import parcel polygons`, () => {
    test('a point anywhere on a lot finds its parcel, from GeoJSON, a shapefile and GeoParquet', async () => {
      const fixture = await openImportFixture(engine);
      try {
        const { store, file } = fixture;
        const places = openPlaces(store, () => currentDatasets(store));
        const at = (lot: number, share = 0.99) =>
          parcelsContaining(places, 43.0005, -88 + 0.001 * (lot + share));
        const load = (path: string, more = {}) =>
          importParcelAreas(fixture.deps, { marketId: 'river', files: [path], ...more });

        assert.deepEqual(await at(0), []);
        const lots = geoJson(
          { id: { 'Tax Key': 4171501000 }, ring: lot(0) },
          { id: { APN: '12-7' }, ring: lot(1) },
          { id: { apn: 'U1' }, ring: lot(2) },
          { id: { apn: 'U2' }, ring: lot(2) },
        );
        assert.equal((await load(file('lots.geojson', lots))).rowsTotal, 4);
        assert.deepEqual(await at(0), ['4171501000']);
        assert.deepEqual(await at(1, 0.01), ['12-7']);
        assert.deepEqual((await at(2)).sort(), ['U1', 'U2']);
        assert.deepEqual(await at(3), []);

        const shp = file('more.shp', shpBytes([[lot(3)]]));
        file('more.dbf', dbfBytes([{ PARCEL_ID: 'S3' }]));
        file('more.prj', NAD83);
        assert.deepEqual([(await load(shp)).rowsKept, await at(3), await at(0)], [4, ['S3'], ['4171501000']]);

        const parquet = await load(file('lots.parquet', GEOPARQUET_FILE));
        assert.deepEqual([parquet.rowsLoaded, await at(7), await at(8)], [2, ['Q7'], ['Q8']]);
        await assert.rejects(load(file('plane.parquet', STATE_PLANE_GEOPARQUET)), /EPSG:32054/);
        await assert.rejects(load(file('sales.parquet', PARQUET_FILE)), /without a geometry column/);

        const unnamed = geoJson({ id: { OBJECTID: 1 }, ring: lot(4) }, { id: { APN: ' ' }, ring: lot(5) });
        const report = await load(file('unnamed.geojson', geoJson({ id: { APN: 'ok' }, ring: lot(6) })));
        assert.equal(report.rejected.total, 0);
        await assert.rejects(load(file('none.geojson', unnamed)), /missing/);
      } finally {
        await fixture.close();
      }
    });

    test('polygons whose ids are written in another form than the market’s parcels are rejected', async () => {
      const fixture = await openImportFixture(engine);
      try {
        const { deps, file } = fixture;
        const parcels =
          'parcel_id,latitude,longitude\n4171501000,43.0005,-87.9995\n4171502000,43.0005,-87.9985\n';
        await importParcels(deps, { marketId: 'river', files: [file('parcels.csv', parcels)] });
        const load = (id: string | number) =>
          importParcelAreas(deps, {
            marketId: 'river',
            files: [file('lots.geojson', geoJson({ id: { PARCEL_NUM: id }, ring: lot(0) }))],
          });
        await assert.rejects(
          load('417-1501-000'),
          /417-1501-000; the parcels such as 4171501000, 4171502000/,
        );
        await assert.rejects(load(4171501 * 1e12), /rounded/);
        assert.equal((await load(4171501000)).rowsLoaded, 1);
      } finally {
        await fixture.close();
      }
    });

    test('a courtyard belongs to another parcel, and each part of a parcel to it', async () => {
      const fixture = await openImportFixture(engine);
      try {
        const { store, file, deps } = fixture;
        const square = (west: number, east: number): Ring =>
          [west, east, east, west, west].map((lon, i) => [
            lon,
            i < 2 || i === 4 ? 43 + (west + 88) : 43.01 - (west + 88),
          ]);
        const feature = (APN: string, ...coordinates: readonly (readonly Ring[])[]) => ({
          type: 'Feature',
          properties: { APN },
          geometry: { type: 'MultiPolygon', coordinates },
        });
        const [outer, inner, apart] = [square(-88, -87.99), square(-87.997, -87.993), lot(20)];
        const features = [feature('outer', [outer, inner], [apart]), feature('inner', [inner])];
        const text = JSON.stringify({ type: 'FeatureCollection', features });
        await importParcelAreas(deps, { marketId: 'river', files: [file('lots.geojson', text)] });
        const places = openPlaces(store, () => currentDatasets(store));
        assert.deepEqual(await parcelsContaining(places, 43.001, -87.999), ['outer']);
        assert.deepEqual(await parcelsContaining(places, 43.005, -87.995), ['inner']);
        assert.deepEqual(await parcelsContaining(places, 43.0005, -87.9795), ['outer']);
      } finally {
        await fixture.close();
      }
    });
  });
}
