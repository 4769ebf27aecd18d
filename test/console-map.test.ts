import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tileAt } from '../src/geo/map-tile.ts';
import { engines } from '../src/store/test-engines.ts';
import { openBrowser, startConsole } from './console-fixture.ts';

const MILWAUKEE = tileAt(43.05, -87.95, 8);
const TILE = `map/${MILWAUKEE.z}/${MILWAUKEE.x}/${MILWAUKEE.y}`;

test('map tiles are for those who are signed in, kept by their browser, and not sent twice', async () => {
  const console = await startConsole(engines[0]);
  const browser = openBrowser(console);
  assert.equal((await browser.ask('GET', TILE)).status, 401);
  await console.addUser('Ada', 'member');
  await browser.signIn('Ada');
  const first = await browser.ask('GET', TILE);
  assert.equal(first.status, 200);
  assert.equal(first.headers['content-type'], 'application/vnd.mapbox-vector-tile');
  assert.match(first.headers['cache-control'], /^private/);
  assert.ok(first.text.includes('Milwaukee County'));
  const headers = { 'if-none-match': first.headers.etag };
  const again = await browser.ask('GET', TILE, undefined, { headers });
  assert.equal(again.status, 304);
  assert.equal(again.text, '');
  for (const wrong of ['map/2/0/0', 'map/8/256/0', 'map/8/-1/0', 'map/a/0/0', 'map/17/0/0']) {
    const refused = await browser.ask('GET', wrong);
    assert.equal(refused.status, 404);
    assert.equal(refused.headers['cache-control'], 'no-store');
  }
  await console.close();
});
