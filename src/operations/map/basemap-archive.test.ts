import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { pmtilesBytes } from '../../../test/harness/places/pmtiles.ts';
import { openBasemapArchive } from './basemap-archive.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumbline-pmtiles-'));
after(() => rmSync(folder, { recursive: true }));

function file(name: string, bytes: Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

const PLACE = { z: 3, x: 2, y: 3 };
const protomaps = {
  vector_layers: [{ id: 'roads' }],
  attribution: '<a href="x">Protomaps</a> © OpenStreetMap',
};

test('the archive gives its tiles, unpacked, and its attribution as text; elsewhere there are none', async () => {
  const bytes = pmtilesBytes(PLACE, gzipSync('a tile'), { metadata: protomaps, tileCompression: 2 });
  const archive = await openBasemapArchive(file('a.pmtiles', bytes));
  assert.deepEqual(
    [archive.schema, archive.minZoom, archive.maxZoom, archive.attribution, archive.contentType],
    ['protomaps', 3, 3, 'Protomaps © OpenStreetMap', 'application/vnd.mapbox-vector-tile'],
  );
  const tile = await archive.tile(PLACE);
  assert.equal(Buffer.from(tile ?? []).toString(), 'a tile');
  for (const other of [
    { ...PLACE, x: 3 },
    { z: 9, x: 0, y: 0 },
    { z: 3, x: -1, y: 0 },
  ]) {
    assert.equal(await archive.tile(other), null);
  }
});

test('images and the layers of OpenMapTiles are recognized, and OpenStreetMap is named if the archive does not', async () => {
  const images = pmtilesBytes(PLACE, Buffer.from('png'), { tileType: 2 });
  const drawn = await openBasemapArchive(file('images.pmtiles', images));
  assert.deepEqual([drawn.schema, drawn.contentType], ['images', 'image/png']);
  assert.equal(drawn.attribution, '© OpenStreetMap contributors');
  const metadata = { vector_layers: [{ id: 'transportation' }] };
  const vector = pmtilesBytes(PLACE, Buffer.from('x'), { metadata });
  assert.equal((await openBasemapArchive(file('omt.pmtiles', vector))).schema, 'openmaptiles');
});

test('a file that is missing, damaged or of other layers is rejected with the name of the setting', async () => {
  const other = pmtilesBytes(PLACE, Buffer.from('x'), { metadata: { vector_layers: [{ id: 'soil' }] } });
  const cases: readonly (readonly [string, RegExp])[] = [
    [join(folder, 'none.pmtiles'), /BASEMAP_PMTILES is ".*none.pmtiles": the file cannot be opened/],
    [file('text.pmtiles', Buffer.from('not an archive '.repeat(20))), /not readable as PMTiles/],
    [file('soil.pmtiles', other), /neither those of Protomaps nor those of OpenMapTiles/],
    [file('type.pmtiles', pmtilesBytes(PLACE, Buffer.from('x'), { tileType: 0 })), /type 0/],
  ];
  for (const [path, says] of cases) await assert.rejects(openBasemapArchive(path), says);
});
