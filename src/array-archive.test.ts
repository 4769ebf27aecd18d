import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packArchive, takeArray, unpackArchive } from './array-archive.ts';

const arrays = {
  lat: Float64Array.of(43.1, -0, Number.NaN),
  flag: Uint8Array.of(1, 2, 3),
  days: Int32Array.of(-5, 7),
  empty: new Float32Array(0),
};

test('an archive returns the packed arrays as views of the same bytes', () => {
  const packed = packArchive({ name: 'Ålesund', n: 3 }, arrays);
  const archive = unpackArchive(packed);
  assert.deepEqual(archive.meta, { name: 'Ålesund', n: 3 });
  assert.deepEqual({ ...archive.arrays }, arrays);
  assert.equal(archive.arrays.lat.buffer, packed.buffer);
  for (const array of Object.values(archive.arrays)) assert.equal(array.byteOffset % 8, 0);
});

test('equal content gives equal bytes, regardless of the order of the arrays', () => {
  const reversed = Object.fromEntries(Object.entries(arrays).reverse());
  assert.deepEqual(packArchive({ n: 3 }, arrays), packArchive({ n: 3 }, reversed));
});

test('an archive can be part of a larger buffer or in shared memory', () => {
  const packed = packArchive(null, arrays);
  const shifted = new Uint8Array(packed.length + 3);
  shifted.set(packed, 3);
  assert.deepEqual(takeArray(unpackArchive(shifted.subarray(3)), 'days', Int32Array), arrays.days);
  const shared = new Uint8Array(new SharedArrayBuffer(packed.length));
  shared.set(packed);
  assert.deepEqual(takeArray(unpackArchive(shared), 'lat', Float64Array), arrays.lat);
});

test('foreign, truncated, newer and damaged bytes are rejected with the reason', () => {
  const packed = packArchive({ n: 3 }, arrays);
  assert.throws(() => unpackArchive(new Uint8Array(0)), /not a Plumbline archive/);
  assert.throws(() => unpackArchive(new TextEncoder().encode('record_id,sale_date\n1,2')), /not a Plumbline/);
  for (const end of [17, 40, packed.length - 1]) {
    assert.throws(() => unpackArchive(packed.subarray(0, end)), /cut short/);
  }
  const newer = packed.slice();
  newer[8] = 9;
  assert.throws(() => unpackArchive(newer), /format version 9/);
  const damaged = packed.slice();
  damaged[16] = 0;
  assert.throws(() => unpackArchive(damaged), /header is not JSON/);
});

test('an array of another kind than requested is rejected', () => {
  const archive = unpackArchive(packArchive(null, arrays));
  assert.throws(() => takeArray(archive, 'lat', Float32Array), /"lat" as Float64Array, not Float32Array/);
  assert.throws(() => takeArray(archive, 'lon', Float64Array), /no "lon"/);
});
