import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dbfBytes, NAD83, shpBytes, zipBytes } from '../../../test/harness/load/shapefile.ts';
import { GEOPARQUET_FILE } from '../../../test/harness/load/geoparquet.ts';
import { openImportFixture } from '../../../test/harness/load/import-files.ts';
import { engines } from '../../../test/harness/store/engines.ts';
import { currentDataset } from '../../store/datasets.ts';
import type { TableRow } from '../../tables/table.ts';
import { importParcels } from '../import-parcels.ts';
import { importSales } from '../import-records.ts';
import { inspectFile } from '../inspect-file.ts';
import { openTableOf } from '../open-table-of.ts';

/** Sales as a map server exports them: days in milliseconds, no columns of coordinates. */
const SALES = Array.from({ length: 40 }, (_, i) => ({
  properties: {
    PARCELID: `0${1000 + i}`,
    SITUS: `${100 + 2 * i} N Main St`,
    SALEDATE: Date.UTC(2023, i % 12, 1 + (i % 27)),
    PRICE: 200_000 + 1_000 * i,
    BEDS: 2 + (i % 3),
    BATHS: 1 + (i % 2),
    SQFT: 1_100 + 13 * i,
    YRBUILT: 1950 + i,
  },
  lon: -88 + 0.001 * i,
  lat: 43 + 0.0007 * i,
}));
const NAMES = ['parcel_id', 'address', 'sale_date', 'sale_price', 'bedrooms', 'bathrooms', 'living_area'];
const MAPPING = {
  ...Object.fromEntries(NAMES.map((name, i) => [name, { source: Object.keys(SALES[0].properties)[i] }])),
  year_built: { source: 'YRBUILT' },
};

const collection = (features: readonly object[]): string =>
  JSON.stringify({ type: 'FeatureCollection', features });
const feature = (properties: object, geometry: object | null) => ({ type: 'Feature', properties, geometry });
const pointOf = ({ lon, lat }: { lon: number; lat: number }) => ({ type: 'Point', coordinates: [lon, lat] });

/** The same sales in each format. */
const FILES = {
  'sales.csv': [
    [...Object.keys(SALES[0].properties), 'latitude', 'longitude'].join(),
    ...SALES.map(({ properties, lat, lon }) => [...Object.values(properties), lat, lon].join()),
  ].join('\n'),
  'sales.geojson': collection(SALES.map((sale) => feature(sale.properties, pointOf(sale)))),
  'sales.zip': zipBytes([
    {
      name: 'sales.shp',
      bytes: shpBytes(
        SALES.map(({ lon, lat }) => [[[lon, lat]]]),
        1,
      ),
    },
    { name: 'sales.dbf', bytes: dbfBytes(SALES.map(({ properties }) => properties)) },
    { name: 'sales.prj', bytes: Buffer.from(NAD83) },
  ]),
};

for (const engine of engines) {
  test(`${engine.name}: GeoJSON and a shapefile of sales load what the same CSV file loads`, async () => {
    const hashes: Record<string, string | null> = {};
    for (const [name, bytes] of Object.entries(FILES)) {
      const { store, deps, file, close } = await openImportFixture(engine);
      const imported = await importSales(deps, {
        marketId: 'xx-test',
        files: [file(name, bytes)],
        mapping: MAPPING,
      });
      assert.equal(imported.rowsLoaded, SALES.length, name);
      hashes[name] = (await currentDataset(store, 'xx-test', 'sales'))?.contentHash ?? null;
      await close();
    }
    assert.ok(hashes['sales.csv']);
    assert.deepEqual(hashes, {
      'sales.csv': hashes['sales.csv'],
      'sales.geojson': hashes['sales.csv'],
      'sales.zip': hashes['sales.csv'],
    });
  });
}

test('parcels of a map are at a point inside their polygon', async () => {
  const [engine] = engines;
  const { store, deps, file, close } = await openImportFixture(engine);
  // An L, whose centroid is outside of it.
  const corners = [
    [0, 0],
    [10, 0],
    [10, 1],
    [1, 1],
    [1, 10],
    [0, 10],
    [0, 0],
  ].map(([x, y]) => [-88 + x * 1e-5, 43 + y * 1e-5]);
  const path = file(
    'parcels.geojson',
    collection([
      feature({ parcel_id: '1', address: '1 A St' }, { type: 'Polygon', coordinates: [corners] }),
      feature({ parcel_id: '2', address: '2 A St', bedrooms: 3 }, null),
    ]),
  );
  const { columns, batches } = await openTableOf('parcels', path, () => {});
  assert.deepEqual(columns, ['parcel_id', 'address', 'bedrooms', 'latitude', 'longitude']);
  const rows: TableRow[] = [];
  for await (const batch of batches) rows.push(...batch);
  const [inside, nowhere] = rows;
  const [lat, lon] = inside.cells.slice(3).map(Number);
  assert.ok(lat > 43 && lon > -88 && Math.min(lat - 43, lon + 88) < 1e-5, `${lat} ${lon}`);
  assert.deepEqual(nowhere.cells, ['2', '2 A St', '3', '', '']);
  await assert.rejects(
    importParcels(deps, { marketId: 'xx-test', files: [path] }),
    /not_located in address \(parcels.geojson, line 2: "2 A St"\)/,
  );
  assert.equal(await currentDataset(store, 'xx-test', 'parcels'), null);
  await close();
});

test('a map file names its format, keeps its own coordinates apart, and other JSON says what is read', async () => {
  const [engine] = engines;
  const { file, close } = await openImportFixture(engine);
  const options = { kind: 'sales', today: 20_000 } as const;
  const inspected = await inspectFile(file('sales.geojson', FILES['sales.geojson']), options);
  assert.deepEqual([inspected.format, inspected.rows], [{ kind: 'geojson' }, SALES.length]);
  const parcels = await openTableOf('parcels', file('parcels.parquet', GEOPARQUET_FILE), () => {});
  assert.deepEqual(parcels.format?.(), { kind: 'geoparquet' });
  for await (const [first] of parcels.batches) assert.deepEqual(first.cells, ['Q7', '43.0005', '-87.9925']);
  const own = collection([feature({ Latitude: 43.5, Longitude: -88.5 }, pointOf({ lat: 43, lon: -88 }))]);
  const { columns } = await openTableOf('sales', file('own.json', own), () => {});
  assert.deepEqual(columns, ['Latitude', 'Longitude', 'geometry_latitude', 'geometry_longitude']);
  const feet = collection([feature({ parcel_id: '1' }, pointOf({ lat: 381_000, lon: 2_520_000 }))]);
  await assert.rejects(
    openTableOf('parcels', file('feet.geojson', feet), () => {}),
    /not degrees, and it names no projection.*ogr2ogr/,
  );
  const rows = file('rows.json', JSON.stringify({ rows: SALES }));
  await assert.rejects(
    openTableOf('sales', rows, () => {}),
    /not a FeatureCollection/,
  );
  const list = file('list.json', JSON.stringify(SALES.map(({ properties }) => properties)));
  await assert.rejects(
    openTableOf('sales', list, () => {}),
    /JSON/,
  );
  await close();
});
