import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { feature as featureOfTopology } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import type { Feature, FeatureValue } from './feature.ts';
import { openFeatures } from './open-features.ts';
import { dbfBytes, NAD83, shpBytes, zipBytes } from '../../../test/harness/load/shapefile.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumbline-features-'));
after(() => rmSync(folder, { recursive: true }));

async function readAll(name: string, bytes: Buffer | string): Promise<Feature[]> {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  const features = await openFeatures(path, () => {});
  const all: Feature[] = [];
  for await (const feature of features) all.push(feature);
  return all;
}

/** All rings of a feature in one order and direction: formats and the reader's repair may turn and group them. */
function ringsOf({ shape }: Feature): string[] {
  assert.ok('polygons' in shape, JSON.stringify(shape));
  return shape.polygons
    .flat()
    .map((ring) => {
      const points = Array.from({ length: ring.length / 2 }, (_, i) => `${ring[2 * i]} ${ring[2 * i + 1]}`);
      return [points.join(), points.toReversed().join()].sort()[0];
    })
    .sort();
}

interface Place {
  readonly properties: Readonly<Record<string, FeatureValue>>;
  readonly polygons: [number, number][][][];
}

const square = (lon: number, lat: number, size: number): [number, number][] => [
  [lon, lat],
  [lon, lat + size],
  [lon + size, lat + size],
  [lon + size, lat],
  [lon, lat],
];

/** Polygons side by side, some with a hole. */
const places: fc.Arbitrary<Place> = fc
  .record({
    name: fc.stringMatching(/^[A-Za-z][A-Za-z ñé"\\]{0,10}[a-z]$/),
    area: fc.integer({ min: -999_999, max: 999_999 }).map((n) => n / 1000),
    land: fc.boolean(),
    lon: fc.double({ min: -170, max: 160, noNaN: true }),
    lat: fc.double({ min: -80, max: 70, noNaN: true }),
    holes: fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }),
  })
  .map(({ name, area, land, lon, lat, holes }) => ({
    properties: { NAME: name, AREA: area, LAND: land, NOTE: null },
    polygons: holes.map((hasHole, i) => {
      const outer = square(lon + 2 * i, lat, 1);
      return hasHole ? [outer, square(lon + 2 * i + 0.25, lat + 0.25, 0.5)] : [outer];
    }),
  }));

function geoJsonOf(all: readonly Place[]): string {
  return JSON.stringify({
    features: all.map(({ properties, polygons }) => ({
      geometry:
        polygons.length === 1
          ? { coordinates: polygons[0], type: 'Polygon' }
          : { type: 'MultiPolygon', coordinates: polygons },
      properties,
      type: 'Feature',
    })),
    type: 'FeatureCollection',
  });
}

function topoJsonOf(all: readonly Place[]): string {
  const arcs: [number, number][][] = [];
  const geometries = all.map(({ properties, polygons }) => ({
    type: 'MultiPolygon',
    properties,
    // Each ring as two arcs, one of them named backwards.
    arcs: polygons.map((rings) =>
      rings.map((ring) => {
        arcs.push(ring.slice(0, 3), ring.slice(2).toReversed());
        return [arcs.length - 2, ~(arcs.length - 1)];
      }),
    ),
  }));
  return JSON.stringify({
    type: 'Topology',
    objects: { all: { type: 'GeometryCollection', geometries } },
    arcs,
  });
}

test('the same areas come out of GeoJSON, TopoJSON and shapefiles, plain and packed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(places, { minLength: 1, maxLength: 5 }), async (all) => {
      const shp = shpBytes(all.map(({ polygons }) => polygons.flat()));
      const dbf = dbfBytes(all.map(({ properties }) => properties));
      writeFileSync(join(folder, 'bare.DBF'), dbf);
      // A geodatabase is a folder, often next to a shapefile of the same name.
      mkdirSync(join(folder, 'bare.gdb'), { recursive: true });
      const files = {
        'a.json': geoJsonOf(all),
        'a.json.gz': gzipSync(geoJsonOf(all)),
        'b.json': topoJsonOf(all),
        'bare.shp': shp,
        'c.zip': zipBytes([
          { name: 'in/c.prj', bytes: Buffer.from(NAD83) },
          { name: 'in/c.shp', bytes: shp },
          { name: 'in/C.dbf', bytes: dbf },
        ]),
      };
      const expected = all.map(({ polygons }) =>
        ringsOf({
          line: 1,
          properties: {},
          shape: { polygons: polygons.map((rings) => rings.map((ring) => Float64Array.from(ring.flat()))) },
        }),
      );
      for (const [name, bytes] of Object.entries(files)) {
        const read = await readAll(name, bytes);
        assert.deepEqual(
          read.map(({ line, properties }) => ({ line, properties })),
          all.map(({ properties }, i) => ({ line: i + 1, properties })),
          name,
        );
        assert.deepEqual(read.map(ringsOf), expected, name);
      }
    }),
    { numRuns: 40 },
  );
});

test('a real topology gives the rings that the reference decoder gives', async () => {
  const path = new URL('../../../node_modules/us-atlas/counties-10m.json', import.meta.url);
  const topology: Topology<{ counties: GeometryCollection<{ name: string }> }> = JSON.parse(
    readFileSync(path, 'utf8'),
  );
  const expected = featureOfTopology(topology, topology.objects.counties);
  const counties = await readAll(
    'counties.json',
    JSON.stringify({ ...topology, objects: { counties: topology.objects.counties } }),
  );
  assert.equal(counties.length, expected.features.length);
  for (const [i, { properties, geometry }] of expected.features.entries()) {
    assert.ok(geometry.type === 'Polygon' || geometry.type === 'MultiPolygon');
    const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
    const rings = polygons
      // The reference repeats points until a ring has four; such a ring has no area, and is left out.
      .map((polygon) => polygon.filter((ring) => new Set(ring.map(String)).size > 2))
      .map((polygon) => polygon.map((ring) => Float64Array.from(ring.flat())));
    assert.equal(counties[i].properties.name, properties.name);
    if (rings.flat().length === 0) assert.deepEqual(counties[i].shape, { fault: 'empty' });
    else assert.deepEqual(ringsOf(counties[i]), ringsOf({ ...counties[i], shape: { polygons: rings } }));
  }
});

test('a feature without an area has its reason, and the others are read', async () => {
  const ring = '[[0,0],[0,1],[1,1],[0,0]]';
  const geometries: Readonly<Record<string, string>> = {
    no_geometry: 'null',
    not_a_polygon: `{"type":"MultiLineString","coordinates":[${ring}]}`,
    malformed: `{"type":"MultiPolygon","coordinates":[${ring}]}`,
    not_finite: '{"type":"Polygon","coordinates":[[[0,0],[0,NaN],[1,1],[0,0]]]}',
    out_of_range: '{"type":"Polygon","coordinates":[[[0,0],[0,91],[1,1],[0,0]]]}',
    unclosed_ring: '{"type":"Polygon","coordinates":[[[0,0],[0,1],[1,1],[1,0]]]}',
    too_few_points: '{"type":"Polygon","coordinates":[[[0,0],[0,1],[0,0]]]}',
    empty: '{"type":"Polygon","coordinates":[]}',
    'a valid one with heights': '{"type":"Polygon","coordinates":[[[0,0,5],[0,1,5],[1,1,5],[0,0,5]]]}',
    'a bow-tie, read by even-odd': '{"type":"Polygon","coordinates":[[[0,0],[1,1],[1,0],[0,1],[0,0]]]}',
    'a collection of one, its type first': `{"type":"GeometryCollection","geometries":[{"type":"Polygon","coordinates":[${ring}]}]}`,
    'a collection of two': `{"geometries":[{"type":"Polygon","coordinates":[${ring}]},{"coordinates":[${ring}],"type":"Polygon"}],"type":"GeometryCollection"}`,
  };
  const features = Object.values(geometries).map(
    (geometry) => `{"type":"Feature","properties":null,"geometry":${geometry}}`,
  );
  const read = await readAll('f.json', `{"type":"FeatureCollection","features":[${features.join()}]}`);
  const outcomes = read.map(({ shape }) => ('fault' in shape ? shape.fault : shape.polygons.length));
  assert.deepEqual(outcomes, [...Object.keys(geometries).slice(0, 8), 1, 1, 1, 2]);
});

test('deleted rows of a shapefile are left out, with their shapes; numbers that did not fit are unknown', async () => {
  const rows = [1, 2, 3].map((n) => ({ NAME: `n${n}`, AREA: n }));
  const dbf = dbfBytes(rows);
  const recordBytes = dbf.readUInt16LE(10);
  const start = dbf.readUInt16LE(8);
  dbf[start + recordBytes] = 0x2a;
  dbf.fill('*', start + 2 * recordBytes + 41, start + 2 * recordBytes + 81);
  const shp = shpBytes([[square(0, 0, 1)], [square(2, 0, 1)], [square(4, 0, 1)]]);
  const read = await readAll(
    'd.zip',
    zipBytes([
      { name: 'd.shp', bytes: shp },
      { name: 'd.dbf', bytes: dbf },
    ]),
  );
  assert.deepEqual(
    read.map(({ properties, shape }) => ({
      ...properties,
      west: 'polygons' in shape && shape.polygons[0][0][0],
    })),
    [
      { NAME: 'n1', AREA: 1, west: 0 },
      { NAME: 'n3', AREA: null, west: 4 },
    ],
  );
});

const WASHINGTON_NORTH_FT =
  'PROJCS["NAD_1983_StatePlane_Washington_North_FIPS_4601_Feet",GEOGCS["GCS_North_American_1983",' +
  'DATUM["D_North_American_1983",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],' +
  'UNIT["Degree",0.0174532925199433]],PROJECTION["Lambert_Conformal_Conic"],' +
  'PARAMETER["False_Easting",1640416.666666667],PARAMETER["False_Northing",0.0],' +
  'PARAMETER["Central_Meridian",-120.8333333333333],PARAMETER["Standard_Parallel_1",47.5],' +
  'PARAMETER["Standard_Parallel_2",48.73333333333333],PARAMETER["Latitude_Of_Origin",47.0],' +
  'UNIT["Foot_US",0.3048006096012192]]';

test('a shapefile in state plane feet is read in degrees', async () => {
  // The origin of the projection and a square around it, 20,000 ft wide.
  const [x, y, half] = [1_640_416.666666667, 0, 10_000];
  const ring = [
    [x - half, y - half],
    [x - half, y + half],
    [x + half, y + half],
    [x + half, y - half],
    [x - half, y - half],
  ] as const;
  const bytes = zipBytes([
    { name: 'a.shp', bytes: shpBytes([[ring]]) },
    { name: 'a.dbf', bytes: dbfBytes([{ GEOID: '1' }]) },
    { name: 'a.prj', bytes: Buffer.from(WASHINGTON_NORTH_FT) },
  ]);
  const [feature] = await readAll('state-plane.zip', bytes);
  assert.ok('polygons' in feature.shape);
  const flat = feature.shape.polygons[0][0];
  const lons = flat.filter((_, i) => i % 2 === 0);
  const lats = flat.filter((_, i) => i % 2 === 1);
  const middle = (values: Float64Array): number => (Math.min(...values) + Math.max(...values)) / 2;
  assert.ok(Math.abs(middle(lons) + 120.833333) < 1e-5, `lon ${middle(lons)}`);
  assert.ok(Math.abs(middle(lats) - 47) < 1e-4, `lat ${middle(lats)}`);
  // A degree of latitude is about 364,800 ft there.
  assert.ok(Math.abs(Math.max(...lats) - Math.min(...lats) - 20_000 / 364_800) < 1e-3);
});
