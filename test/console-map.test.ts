import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tileAt } from './harness/places/tile-at.ts';
import { engines } from './harness/store/engines.ts';
import { insertAddressPoints } from '../src/store/address-points.ts';
import { addressPartsOf } from '../src/domain/address-parts.ts';
import { insertSales } from '../src/store/property-records.ts';
import { many, SOURCE, testSale } from './harness/store/rows.ts';
import { openBrowser, startConsole } from './console-fixture.ts';
import { beginDataset, publishDataset } from '../src/store/publish-dataset.ts';

const MILWAUKEE = tileAt(43.05, -87.95, 8);
const TILE = `map/${MILWAUKEE.z}/${MILWAUKEE.x}/${MILWAUKEE.y}`;

test('map tiles need a session, are cached by the browser, and are not sent twice', async () => {
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

test('address completion needs a session and returns at most the requested number of addresses', async () => {
  const console = await startConsole(engines[0]);
  const points = Array.from({ length: 12 }, (_, i) => {
    const address = {
      street: `${100 + i} N LAKE DR`,
      city: 'Riverton',
      stateCode: 'WI',
      postalCode: '53001',
    };
    return {
      address,
      lat: 43 + i / 1000,
      lon: -88,
      parcelId: null,
      key: addressPartsOf(address),
      knownOn: null,
    };
  });
  const datasetId = await beginDataset(console.store, {
    marketId: 'wi-a',
    kind: 'addresses',
    source: SOURCE,
  });
  await insertAddressPoints(console.store, datasetId, points);
  await publishDataset(console.store, datasetId, { rows: points.length, contentHash: 'a' });
  const browser = openBrowser(console);
  assert.equal((await browser.ask('GET', 'addresses?query=104%20n')).status, 401);
  await console.addUser('Ada', 'member');
  await browser.signIn('Ada');
  const found = await browser.ask('GET', 'addresses?query=104%20n%20la');
  assert.deepEqual(found.body.addresses, [
    { address: '104 N LAKE DR, Riverton, WI 53001', latitude: 43.004, longitude: -88, market: 'wi-a' },
  ]);
  assert.equal((await browser.ask('GET', 'addresses?query=lake')).body.addresses.length, 8);
  assert.equal((await browser.ask('GET', 'addresses?query=lake&limit=3')).body.addresses.length, 3);
  assert.deepEqual((await browser.ask('GET', 'addresses?query=zzz')).body.addresses, []);
  for (const wrong of [
    'addresses',
    'addresses?query=',
    'addresses?query=a&limit=0',
    'addresses?query=a&limit=21',
  ]) {
    assert.equal((await browser.ask('GET', wrong)).status, 422, wrong);
  }
  await console.close();
});

test('the map shows what each market covers, most sales first, and omits markets that cover nothing', async () => {
  const console = await startConsole(engines[0]);
  const { store } = console;
  const publishSales = async (marketId: string, rows: number, west: number): Promise<void> => {
    const datasetId = await beginDataset(store, { marketId, kind: 'sales', source: SOURCE });
    const placed = many(rows, (i) => ({ ...testSale(i), lat: 40 + i, lon: west + i }));
    await insertSales(store, datasetId, placed);
    await publishDataset(store, datasetId, { rows, contentHash: marketId });
  };
  const publishFlood = async (marketId: string, west: number | null): Promise<void> => {
    const datasetId = await beginDataset(store, { marketId, kind: 'flood', source: SOURCE });
    const bounds = west === null ? null : { west, south: 40, east: west + 1, north: 41 };
    await publishDataset(store, datasetId, { rows: 9, contentHash: marketId, bounds });
  };
  await publishSales('a-few-sales', 2, -100);
  await publishSales('b-many-sales', 3, -90);
  await publishFlood('b-many-sales', -120);
  await publishFlood('c-nowhere', null);
  await publishFlood('d-flood-only', -80);
  await console.addUser('Ada', 'member');
  const browser = openBrowser(console);
  await browser.signIn('Ada');
  const { body } = await browser.ask('GET', 'settings');
  assert.deepEqual(body.markets, [
    { id: 'b-many-sales', extent: { west: -90, south: 40, east: -88, north: 42 } },
    { id: 'a-few-sales', extent: { west: -100, south: 40, east: -99, north: 41 } },
    { id: 'd-flood-only', extent: { west: -80, south: 40, east: -79, north: 41 } },
  ]);
  await console.close();
});
