import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import process from 'node:process';
import { gzipSync } from 'node:zlib';
import { cpuSecondsOf } from '../../../test/harness/cpu-time.ts';
import { PlumblineError } from '../../errors.ts';
import { openFeatures } from './open-features.ts';
import { dbfBytes, NAD83, shpBytes, zipBytes, type ZipPart } from '../../../test/harness/load/shapefile.ts';

/** The limits of a hostile file: a clear error within 5 s (15 s on busy cores), and this much memory. */
const MAX_SECONDS = 15;
const MAX_KB = 512 * 1024;

const folder = mkdtempSync(join(tmpdir(), 'plumbline-hostile-'));
after(() => {
  rmSync(folder, { recursive: true });
  assert.ok(process.resourceUsage().maxRSS < MAX_KB, `${process.resourceUsage().maxRSS} KB`);
});

function file(name: string, bytes: Buffer | string): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

/** Reads the file to its end: the error message, or the faults of its features. */
async function outcomeOf(path: string): Promise<string> {
  let outcome = '';
  const seconds = await cpuSecondsOf(async () => (outcome = await readToEnd(path)));
  assert.ok(seconds < MAX_SECONDS, `${seconds} s`);
  return outcome;
}

async function readToEnd(path: string): Promise<string> {
  const faults: string[] = [];
  try {
    for await (const { shape } of await openFeatures(path, () => {}))
      faults.push('fault' in shape ? shape.fault : 'valid');
  } catch (error) {
    assert.ok(error instanceof PlumblineError && error.code === 'usage', String(error));
    assert.ok(error.message.includes(folder), `names the file: ${error.message}`);
    return error.message;
  }
  return faults.join();
}

const SQUARE: [number, number][] = [
  [0, 0],
  [0, 1],
  [1, 1],
  [1, 0],
  [0, 0],
];
const shp = shpBytes([[SQUARE], [SQUARE]]);
const dbf = dbfBytes([{ GEOID: '1' }, { GEOID: '2' }]);
const collection = (features: string): string => `{"type":"FeatureCollection","features":[${features}]}`;
const polygon = (ring: string): string =>
  `{"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":[[${ring}]]}}`;
const zipped = (name: string, ...parts: readonly ZipPart[]): string => file(name, zipBytes(parts));
const pair = (shpPart: Buffer, dbfPart: Buffer, prj = NAD83): ZipPart[] => [
  { name: 'x.shp', bytes: shpPart },
  { name: 'x.dbf', bytes: dbfPart },
  { name: 'x.prj', bytes: Buffer.from(prj) },
];

test('JSON that is not a map of areas is rejected with a message', async () => {
  const valid = polygon('[0,0],[0,1],[1,1],[0,0]');
  const files: readonly (readonly [string | Buffer, RegExp])[] = [
    [collection(valid).slice(0, -10), /damaged near byte \d+, after \d features: the text ends/],
    [collection(`${valid},,${valid}`), /damaged near byte \d+, after 2 features/],
    ['['.repeat(100_000), /neither GeoJSON, nor TopoJSON, nor GeoParquet, nor a shapefile/],
    [`{"a":${'['.repeat(100_000)}`, /nested more than 32 deep/],
    [collection(`{"properties":${'{"a":'.repeat(100_000)}`), /nested more than 32 deep/],
    ['{"type":"Feature","geometry":null}', /not a FeatureCollection/],
    ['geoid,name\n1,x\n', /neither GeoJSON/],
    ['', /is empty/],
    ['{"type":"FeatureCollection","name":"x', /the text ends/],
    [
      collection(`{"properties":{${Array.from({ length: 300 }, (_, i) => `"p${i}":1`).join()}}}`),
      /more than 200 properties/,
    ],
    [
      `{"crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::2926"}},${collection(valid).slice(1)}`,
      /EPSG::2926.*ogr2ogr -t_srs EPSG:4326/,
    ],
    [gzipSync(collection(valid)).subarray(0, 60), /gzip file that ends too early/],
    [gzipSync(`{"features":[${' '.repeat(32 * 1024 * 1024)}]}`), /zip bomb/],
    [
      '{"type":"Topology","objects":{"a":{"type":"Polygon","arcs":[[5]]}},"arcs":[]}',
      /names an arc that is not there/,
    ],
    [
      '{"type":"Topology","objects":{"a":{"type":"Polygon","arcs":[[0]]}},"arcs":[[[0,"1"],[0,1]]]}',
      /not a pair of numbers/,
    ],
    ['{"type":"Topology","objects":{"a":', /JSON is damaged/],
  ];
  for (const [bytes, says] of files) assert.match(await outcomeOf(file('hostile.json', bytes)), says);
});

test('a quote of 2 GB ends after its first 64 KB', async () => {
  const path = file('quote.json', '{"type":"FeatureCollection","name":"');
  truncateSync(path, 2 ** 31);
  assert.match(await outcomeOf(path), /a quote is not closed/);
});

test('a polygon of 10 million vertices is skipped, and so is a topology that names one arc a million times', async () => {
  const path = join(folder, 'large.json');
  const out = openSync(path, 'w');
  const valid = polygon('[0,0],[0,1],[1,1],[0,0]');
  writeSync(out, `{"type":"FeatureCollection","features":[${valid},`);
  writeSync(out, '{"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":[[');
  const piece = '[-71.14,42.39],'.repeat(10_000);
  for (let i = 0; i < 1000; i++) writeSync(out, piece);
  writeSync(out, `[1,1]]]}},${valid}]}`);
  closeSync(out);
  assert.equal(await outcomeOf(path), 'valid,too_many_points,valid');
  rmSync(path);
  const arc = Array.from({ length: 1000 }, (_, i) => [i / 1000, i % 2]);
  const topology = {
    type: 'Topology',
    objects: { a: { type: 'Polygon', arcs: [new Array(1_000_000).fill(0)] } },
    arcs: [arc],
  };
  assert.equal(await outcomeOf(file('arcs.json', JSON.stringify(topology))), 'too_many_points');
  const rings = polygon('[0,0],[0,1],[1,1],[0,0]').replace(
    ']]}',
    `]${',[[0,0],[0,0],[0,0],[0,0]]'.repeat(300_000)}]}`,
  );
  assert.equal(await outcomeOf(file('rings.json', collection(rings))), 'too_many_points');
});

test('a shapefile that is cut short, has false counts or does not fit its table is rejected', async () => {
  const lyingCount = Buffer.from(dbf);
  lyingCount.writeUInt32LE(4_000_000_000, 4);
  const lyingWidth = Buffer.from(dbf);
  lyingWidth.writeUInt16LE(3, 10);
  const longRecord = Buffer.from(shp);
  longRecord.writeInt32BE(500_000_000, 104);
  const manyPoints = Buffer.from(shp);
  manyPoints.writeInt32LE(2_000_000_000, 108 + 40);
  const badPart = Buffer.from(shp);
  badPart.writeInt32LE(-7, 108 + 44);
  const points = Buffer.from(shp);
  points.writeInt32LE(1, 32);
  const files: readonly (readonly [ZipPart[], RegExp])[] = [
    [pair(shp.subarray(0, 200), dbf), /x\.shp is 200 bytes long and says that it has/],
    [pair(shp.subarray(0, 50), dbf), /x\.shp is not a shapefile/],
    [pair(shp, lyingCount), /x\.dbf says that it has 4000000000 records/],
    [pair(shp, lyingWidth), /x\.dbf has fields that are longer than its records/],
    [pair(shp, dbf.subarray(0, 20)), /x\.dbf is not a dBASE table/],
    [pair(shp, dbfBytes([{ GEOID: '1' }])), /x\.dbf ends after 1 records, x\.shp does not/],
    [pair(shpBytes([[SQUARE]]), dbf), /x\.shp ends after 1 records, x\.dbf does not/],
    [pair(longRecord, dbf), /damaged at its record 1: the record is longer than the file/],
    [pair(manyPoints, dbf), /damaged at its record 1: its counts do not fit/],
    [pair(badPart, dbf), /damaged at its record 1/],
    [pair(points, dbf), /holds points \(shape type 1\), not polygons/],
    [
      pair(shp, dbf, 'PROJCS["NAD_1983_HARN_StatePlane_Washington_North",GEOGCS[…'),
      /projection that is not known.*ogr2ogr/,
    ],
    [
      pair(shp, dbf, 'GEOGCS["GCS_North_American_1927",DATUM["D_North_American_1927"…'),
      /neither WGS84 nor NAD83/,
    ],
    [pair(shp, dbf).slice(0, 1), /no \.dbf/],
    [[...pair(shp, dbf), { name: 'y.shp', bytes: shp }], /has 2/],
    [[{ name: 'readme.txt', bytes: dbf }], /has 0/],
  ];
  for (const [parts, says] of files) assert.match(await outcomeOf(zipped('hostile.zip', ...parts)), says);
  const bare = file('bare.shp', shp.subarray(0, 260));
  file('bare.dbf', dbf);
  assert.match(await outcomeOf(bare), /cut short/);
});

test('a polygon of 10 million vertices in a shapefile is skipped', async () => {
  const vertices = 10_000_000;
  const contentBytes = 44 + 4 + 16 * vertices;
  const large = Buffer.concat([shp.subarray(0, 100), Buffer.alloc(8 + 48)]);
  large.writeInt32BE((108 + contentBytes) / 2, 24);
  large.writeInt32BE(1, 100);
  large.writeInt32BE(contentBytes / 2, 104);
  large.writeInt32LE(5, 108);
  large.writeInt32LE(1, 108 + 36);
  large.writeInt32LE(vertices, 108 + 40);
  const path = file('large.shp', large);
  truncateSync(path, 108 + contentBytes);
  file('large.dbf', dbfBytes([{ GEOID: '1' }]));
  assert.equal(await outcomeOf(path), 'too_many_points');
});

test('an archive that expands too much, leaves its folder, has false sizes or is damaged is rejected', async () => {
  const bomb = Buffer.alloc(20_000_000);
  const evil = (name: string): ZipPart[] => [...pair(shp, dbf), { name, bytes: dbf }];
  assert.match(await outcomeOf(zipped('bomb.zip', ...pair(bomb, dbf))), /zip bomb/);
  assert.match(
    await outcomeOf(zipped('slip.zip', ...evil('../../evil.shp'))),
    /damaged or unsupported.*\.\./,
  );
  assert.match(
    await outcomeOf(zipped('root.zip', ...evil('/etc/x.dbf'))),
    /damaged or unsupported.*absolute/,
  );
  const lie = pair(bomb, dbf).map((part) =>
    part.name === 'x.shp' ? { ...part, saidBytes: shp.length } : part,
  );
  assert.match(await outcomeOf(zipped('lie.zip', ...lie)), /not a shapefile|too many bytes/);
  const many = Array.from({ length: 11 }, (_, i) => ({ name: `${i}.txt`, bytes: dbf }));
  assert.match(await outcomeOf(zipped('many.zip', ...many)), /11 entries/);
  const whole = zipBytes(pair(shp, dbf));
  assert.match(
    await outcomeOf(file('cut.zip', whole.subarray(0, whole.length - 40))),
    /damaged or unsupported/,
  );
  const broken = Buffer.from(whole);
  broken.fill(0xff, 40, 60);
  assert.match(await outcomeOf(file('broken.zip', broken)), /damaged/);
});
