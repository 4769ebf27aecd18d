import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ROADS_GEOPARQUET } from '../../test/harness/load/geoparquet.ts';
import { openImportFixture, type ImportFixture } from '../../test/harness/load/import-files.ts';
import { dbfBytes, NAD83, shpBytes, zipBytes } from '../../test/harness/load/shapefile.ts';
import { engines } from '../../test/harness/store/engines.ts';
import type { MapLayerKind } from '../domain/map-layer.ts';
import { decodeAreaLayer } from '../geo/areas/area-layer.ts';
import { shapeOf } from '../geo/areas/area-map.ts';
import { getBlob } from '../store/blobs.ts';
import { currentDataset } from '../store/datasets.ts';
import { importMapLayer } from './import-map-layer.ts';

// The files are made for these tests, in the columns of their publishers.

const NORTH: [number, number][] = [
  [-88, 43],
  [-88, 43.01],
];
const EAST: [number, number][] = [
  [-88, 43],
  [-87.99, 43],
];
const SQUARE: [number, number][] = [
  [-88, 43],
  [-88, 43.01],
  [-87.99, 43.01],
  [-87.99, 43],
  [-88, 43],
];

function feature(properties: object, type: string, coordinates: unknown): object {
  return { type: 'Feature', properties, geometry: { type, coordinates } };
}

const line = (properties: object, coordinates: unknown = NORTH) =>
  feature(properties, 'LineString', coordinates);
const area = (properties: object) => feature(properties, 'Polygon', [SQUARE]);
const geoJson = (...features: readonly object[]): string =>
  JSON.stringify({ type: 'FeatureCollection', features });

function opened({ store, deps, file }: ImportFixture) {
  return {
    load: (layer: MapLayerKind, name: string, bytes: string | Buffer, more = {}) =>
      importMapLayer(deps, { marketId: 'river', files: [file(name, bytes)], ...more }, layer),
    current: async (layer: MapLayerKind) => {
      const dataset = await currentDataset(store, 'river', layer);
      assert.ok(dataset?.snapshotSha256);
      const { records, map } = decodeAreaLayer(await getBlob(store, dataset.snapshotSha256));
      const points = records.map((_, i) => shapeOf(map, i).polygons.map(([path]) => path.length / 2));
      return { dataset, records, points };
    },
  };
}

for (const engine of engines) {
  describe(`${engine.name}: import map layers`, () => {
    test('roads are classified by the tags of OpenStreetMap, which is named as their source', async () => {
      const fixture = await openImportFixture(engine);
      try {
        const { load, current } = opened(fixture);
        const roads = geoJson(
          line({ '@id': 'way/1', highway: 'motorway', name: 'I 30' }),
          line({ '@id': 'way/2', highway: 'residential', name: 'Elm St' }, EAST),
          line({ '@id': 'way/3', highway: 'proposed' }),
          line({ '@id': 'way/4', waterway: 'stream', name: 'Mill Creek' }),
          feature({ '@id': 'way/5', railway: 'rail' }, 'MultiLineString', [NORTH, EAST]),
        );
        const report = await load('roads', 'roads.geojson', roads);
        assert.deepEqual([report.rowsLoaded, report.skipped.byReason], [3, { other_class: 2 }]);
        const { dataset, records, points } = await current('roads');
        assert.deepEqual(records, [
          { class: 'highway', name: 'I 30', id: 'way/1', line: true },
          { class: 'local', name: 'Elm St', id: 'way/2', line: true },
          { class: 'rail', id: 'way/5', line: true },
        ]);
        assert.deepEqual(points, [[2], [2], [2, 2]]);
        assert.deepEqual(
          [dataset.source.name, dataset.source.license],
          ['© OpenStreetMap contributors', 'ODbL 1.0'],
        );
        assert.equal((await load('roads', 'roads.geojson', roads)).unchanged, true);

        const renamed = geoJson(line({ '@id': 'way/2', highway: 'service' }, EAST));
        assert.deepEqual((await load('roads', 'more.geojson', renamed)).rowsKept, 2);
        assert.deepEqual(
          (await current('roads')).records.map((record) => record.class),
          ['highway', 'service', 'rail'],
        );
      } finally {
        await fixture.close();
      }
    });

    test('TIGER shapefiles and GeoParquet are read; lines and areas of water are both kept', async () => {
      const fixture = await openImportFixture(engine);
      try {
        const { load, current } = opened(fixture);
        const rows = [
          { LINEARID: '1', FULLNAME: 'State Hwy 32', RTTYP: 'S', MTFCC: 'S1200' },
          { LINEARID: '2', FULLNAME: 'N Lake Dr', RTTYP: 'M', MTFCC: 'S1400' },
        ];
        const parts = [
          { name: 'tl_roads.shp', bytes: shpBytes([[NORTH], [EAST]], 3) },
          { name: 'tl_roads.dbf', bytes: dbfBytes(rows) },
          { name: 'tl_roads.prj', bytes: Buffer.from(NAD83) },
        ];
        await load('roads', 'tl_roads.zip', zipBytes(parts));
        const tiger = await current('roads');
        assert.deepEqual(
          tiger.records.map((record) => [record.class, record.name]),
          [
            ['major', 'State Hwy 32'],
            ['local', 'N Lake Dr'],
          ],
        );
        assert.equal(tiger.dataset.source.name, 'US Census Bureau, TIGER/Line');

        await load('roads', 'roads.parquet', ROADS_GEOPARQUET, { replace: true });
        const parquet = await current('roads');
        assert.deepEqual(
          [parquet.records.map((record) => record.class), parquet.points],
          [
            ['local', 'major'],
            [[2, 2], [2]],
          ],
        );

        const water = geoJson(area({ HYDROID: '7', MTFCC: 'H2030' }), line({ HYDROID: '8', MTFCC: 'H3010' }));
        await load('water', 'water.geojson', water);
        assert.deepEqual((await current('water')).records, [
          { class: 'water', id: '7' },
          { class: 'river', id: '8', line: true },
        ]);
      } finally {
        await fixture.close();
      }
    });

    test('a file without classes needs one for roads; wrong shapes, systems and classes are explained', async () => {
      const fixture = await openImportFixture(engine);
      try {
        const { load, current } = opened(fixture);
        const plain = geoJson(line({ STREET_NAME: 'ELM' }));
        await assert.rejects(
          load('roads', 'county.geojson', plain),
          /unknown_class in HIGHWAY, RAILWAY, MTFCC/,
        );
        await load('roads', 'county.geojson', plain, { layerClass: 'local' });
        assert.deepEqual((await current('roads')).records, [{ class: 'local', name: 'ELM', line: true }]);
        await load('parks', 'parks.geojson', geoJson(area({})));
        assert.deepEqual((await current('parks')).records, [{ class: 'park' }]);

        const cases: readonly (readonly [MapLayerKind, string, object, RegExp])[] = [
          ['roads', plain, { layerClass: 'street' }, /"street" is not a class of roads. There is highway/],
          ['roads', geoJson(area({ highway: 'pedestrian' })), {}, /1 of 1 rows .* not_a_line/],
          ['parks', geoJson(line({ leisure: 'park' })), {}, /1 of 1 rows .* not_a_polygon/],
          [
            'parks',
            geoJson(line({ highway: 'path', '@id': 'way/1' })),
            {},
            /None of the 1 rows .* other_class/,
          ],
          [
            'roads',
            geoJson(
              line({ highway: 'path' }, [
                [2_300_000, 400_000],
                [0, 0],
              ]),
            ),
            {},
            /out_of_range/,
          ],
          ['roads', geoJson(), {}, /has no features/],
        ];
        for (const [layer, text, more, says] of cases) {
          await assert.rejects(load(layer, 'wrong.geojson', text, more), says);
        }
        const shp = shpBytes([[SQUARE]]);
        fixture.file('areas.dbf', dbfBytes([{ MTFCC: 'S1400' }]));
        await assert.rejects(load('roads', 'areas.shp', shp), /holds polygons \(shape type 5\), not lines/);
      } finally {
        await fixture.close();
      }
    });
  });
}
