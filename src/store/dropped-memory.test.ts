import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { openDroppedMemory } from './dropped-memory.ts';
import { createSharedMemory } from '../threads/shared-memory.ts';

function openFiles(t: TestContext, mostBytes: number) {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-dropped-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const troubles: string[] = [];
  const files = openDroppedMemory({ folder: join(folder, 'data'), mostBytes }, (text) => troubles.push(text));
  t.after(files.close);
  return { folder, troubles, files };
}

const bytesOf = (value: number, length = 40): Uint8Array => new Uint8Array(length).fill(value);

test('dropped memory is read as it was, also while it is written, from files without a name', async (t) => {
  const { folder, files, troubles } = openFiles(t, 1e9);
  const large = Uint8Array.from({ length: 5_000_000 }, (_, i) => (i * 31) % 251);
  files.keep('large', large);
  assert.deepEqual(await files.read('large'), large);
  files.keep('large', bytesOf(1));
  assert.deepEqual(await files.read('large'), large, 'a name stands for the same bytes');
  assert.equal(await files.read('other'), null);
  assert.deepEqual([readdirSync(join(folder, 'data')), troubles], [[], []]);
});

test('above the limit, the files that were not read for longest are given up, and reading them ends first', async (t) => {
  const { files, troubles } = openFiles(t, 100);
  files.keep('a', bytesOf(1));
  files.keep('b', bytesOf(2));
  assert.deepEqual(await files.read('a'), bytesOf(1));
  const reading = files.read('b');
  void files.read('a');
  files.keep('c', bytesOf(3));
  files.keep('too large', bytesOf(4, 101));
  assert.deepEqual(await reading, bytesOf(2));
  const found = await Promise.all(['a', 'b', 'c', 'too large'].map(files.read));
  assert.deepEqual(found, [bytesOf(1), null, bytesOf(3), null]);
  assert.deepEqual(troubles, []);
});

test('what is dropped from the memory of a process is read again, not built again', async (t) => {
  const { files } = openFiles(t, 1e6);
  const memory = createSharedMemory(100, files);
  let builds = 0;
  const opened = memory.cached(
    'test',
    async (value: number) => {
      builds++;
      return bytesOf(value);
    },
    (bytes) => bytes[0],
  );
  for (const value of [1, 2, 3, 4, 1, 2, 3, 4]) assert.equal(await opened(value), value);
  assert.deepEqual([builds, memory.bytes()], [4, 80]);
});

test('where no file can be written, memory is built again, and the log says so once', async (t) => {
  const { folder, files, troubles } = openFiles(t, 1e6);
  const missing: string[] = [];
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const nowhere = openDroppedMemory({ folder: join(file, 'data'), mostBytes: 1e6 }, (text) =>
    missing.push(text),
  );
  for (const name of ['a', 'b']) {
    nowhere.keep(name, bytesOf(1));
    assert.equal(await nowhere.read(name), null);
  }
  assert.equal(missing.length, 1);
  assert.match(missing[0], /cannot be kept in .*file.data.*ENOTDIR/);
  files.keep('a', bytesOf(1));
  assert.deepEqual([await files.read('a'), troubles], [bytesOf(1), []]);
});
