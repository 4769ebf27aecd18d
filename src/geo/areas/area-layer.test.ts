import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packArchive } from '../../array-archive.ts';
import { seededRandom } from '../../valuation/random.ts';
import { decodeAreaLayer, encodeAreaLayer, shapesOf, type AreaLayer } from './area-layer.ts';
import { buildAreaMap } from './area-map.ts';
import { repairShape, type AreaShape } from './area-shape.ts';

/** Overlapping shapes, some with a hole, some in two pieces, some across the antimeridian. */
function drawShapes(count: number): AreaShape[] {
  const random = seededRandom(3);
  const blob = (lon: number, lat: number, radius: number): number[][] => {
    const ring = Array.from({ length: 12 }, (_, i) => {
      const reach = radius * (0.5 + random() / 2);
      const east = lon + reach * Math.cos((i * Math.PI) / 6);
      return [east > 180 ? east - 360 : east, lat + reach * Math.sin((i * Math.PI) / 6)];
    });
    return [...ring, ring[0]];
  };
  return Array.from({ length: count }, (_, i) => {
    const [lon, lat] = [177 + 6 * random(), 50 + 5 * random()];
    const polygons = [[blob(lon, lat, 1), ...(i % 3 === 0 ? [blob(lon, lat, 0.3)] : [])]];
    if (i % 5 === 0) polygons.push([blob(lon - 4, lat, 0.5)]);
    const shape = repairShape(polygons);
    if ('fault' in shape) assert.fail(shape.fault);
    return shape;
  });
}

const shapes = drawShapes(60);
const layer: AreaLayer = {
  records: shapes.map((_, i) => ({ geoid: String(i).padStart(5, '0'), name: `Ålesund ${i}`, note: null })),
  map: buildAreaMap(shapes),
};

function assertSameAnswers(decoded: AreaLayer): void {
  const random = seededRandom(4);
  let found = 0;
  for (let i = 0; i < 2000; i++) {
    const [lat, lon] = [49 + 7 * random(), 172 + 12 * random()];
    const areas = layer.map.areasAt(lat, lon);
    assert.deepEqual(decoded.map.areasAt(lat, lon), areas);
    found += areas.length;
  }
  assert.ok(found > 1000, `${found}`);
}

test('a decoded layer gives the same lookups as the encoded one, also in shared memory', () => {
  const bytes = encodeAreaLayer(layer);
  const decoded = decodeAreaLayer(bytes);
  assert.deepEqual(decoded.records, layer.records);
  assert.deepEqual(decoded.map.bounds, layer.map.bounds);
  assert.equal(decoded.map.arrays.points.buffer, bytes.buffer);
  assertSameAnswers(decoded);
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  assertSameAnswers(decodeAreaLayer(shared));
  const shifted = new Uint8Array(bytes.length + 3);
  shifted.set(bytes, 3);
  assertSameAnswers(decodeAreaLayer(shifted.subarray(3)));
});

test('the shapes of a layer round-trip exactly, so a merged layer equals one built at once', () => {
  const bytes = encodeAreaLayer(layer);
  const back = shapesOf(decodeAreaLayer(bytes));
  assert.deepEqual(back, shapes);
  assert.deepEqual(encodeAreaLayer({ records: layer.records, map: buildAreaMap(back) }), bytes);
});

test('a layer may have no areas', () => {
  const decoded = decodeAreaLayer(encodeAreaLayer({ records: [], map: buildAreaMap([]) }));
  assert.deepEqual([decoded.records, decoded.map.count, decoded.map.areasAt(0, 0)], [[], 0, []]);
});

test('other archives and damaged layers are rejected with a description', () => {
  const { arrays } = layer.map;
  const meta = { kind: 'area-layer', format: 1, records: [...layer.records] };
  assert.throws(
    () => decodeAreaLayer(packArchive({ kind: 'model' }, { ...arrays })),
    /not hold an area layer/,
  );
  assert.throws(() => decodeAreaLayer(packArchive({ ...meta, format: 2 }, { ...arrays })), /format 2/);
  assert.throws(
    () => decodeAreaLayer(packArchive({ ...meta, records: meta.records.slice(1) }, { ...arrays })),
    /59 records for 60 areas/,
  );
  assert.throws(
    () => decodeAreaLayer(packArchive({ ...meta, records: ['x'] }, { ...arrays })),
    /not an object/,
  );
  assert.throws(() => decodeAreaLayer(packArchive(meta, {})), /no "firstPart"/);
  assert.throws(() => encodeAreaLayer({ ...layer, records: [] }), /60 areas cannot have 0 records/);
});
