import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engines } from '../../test/harness/store/engines.ts';
import { openImportFixture } from '../../test/harness/load/import-files.ts';
import { readAddressPoints } from '../store/address-points.ts';
import { currentDataset, findDatasetTypes } from '../store/datasets.ts';
import { deleteAll, supersededRows } from '../store/delete-datasets.ts';
import { readSales } from '../store/property-records.ts';
import type { Store } from '../store/store.ts';
import { seededRandom } from '../valuation/random.ts';
import { findFewChanges } from './compare-rows.ts';
import { importSales } from './import-records.ts';

const HEADER =
  'record_id,parcel_id,sale_date,sale_price,address,city,postal_code,latitude,longitude,property_type';
const TYPES = ['house', 'condo', 'townhouse'];
const CITIES = ['Milwaukee,53202', 'West Allis,53214', ','];

/** A sale at one of a few places, so that places lose and gain sales; some addresses are ranges. */
function randomSale(random: () => number, recordId: string): string {
  const choice = (most: number) => Math.floor(random() * most);
  const place = choice(12);
  const street = place % 4 === 0 ? `${100 + place}-${104 + place} N Main St` : `${100 + place} N Main St`;
  const date = `20${10 + choice(10)}-0${1 + choice(9)}-1${choice(10)}`;
  const [lat, lon] = [43 + place / 1000, -88 - choice(2) / 1000];
  return [
    recordId,
    `p${place}`,
    date,
    100_000 + choice(200_000),
    street,
    CITIES[place % 3],
    lat,
    lon,
    TYPES[place % 3],
  ].join(',');
}

async function all<Row>(pages: AsyncIterable<readonly Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const page of pages) rows.push(...page);
  return rows;
}

/** What readers find of a market's sales. */
async function contentsOf(store: Store, marketId: string) {
  const dataset = (await currentDataset(store, marketId, 'sales')) ?? assert.fail();
  const { datasetId, rowsId, rowCount, bounds, addressCount, contentHash, snapshotSha256 } = dataset;
  const sales = await all(readSales(store, rowsId));
  const points = await all(readAddressPoints(store, rowsId));
  assert.equal(new Set(points.map(({ rowNo }) => rowNo)).size, points.length);
  const areas = await store.db
    .selectFrom('address_areas')
    .select(['postalCode', 'city', 'stateCode', 'cell', 'addressCount'])
    .where('datasetId', '=', rowsId)
    .execute();
  const types = (await findDatasetTypes(store, [datasetId])).get(datasetId);
  const sorted = (items: readonly object[]) => items.map((item) => JSON.stringify(item)).sort();
  const contents = {
    rowCount,
    bounds,
    addressCount,
    contentHash,
    snapshotSha256,
    sales,
    types,
    points: sorted(
      points.map(({ key, address, lat, lon, parcelId, knownOn }) => ({
        key,
        address,
        lat,
        lon,
        parcelId,
        knownOn,
      })),
    ),
    areas: sorted(areas),
  };
  return { rowsId, contents };
}

for (const engine of engines) {
  test(`${engine.name}: an import that changes few rows leaves what an import of all rows does`, async () => {
    const { store, deps, file, close } = await openImportFixture(engine);
    const random = seededRandom(4);
    const importRows = (marketId: string, rows: Iterable<string>, replace = false) =>
      importSales(deps, { marketId, files: [file('f.csv', [HEADER, ...rows, ''].join('\n'))], replace });
    const rows = new Map(Array.from({ length: 40 }, (_, i) => [`r${i}`, randomSale(random, `r${i}`)]));
    await importRows('changed', rows.values());
    const { rowsId } = await contentsOf(store, 'changed');
    for (let round = 1; round <= 8; round++) {
      const file = new Map<string, string>();
      for (let n = 0; n < 6; n++) {
        const recordId = `r${Math.floor(random() * 60)}`;
        file.set(recordId, randomSale(random, recordId));
      }
      for (const [recordId, row] of file) rows.set(recordId, row);
      const isReplaced = round % 3 === 0;
      if (isReplaced) for (const recordId of [...rows.keys()].slice(0, 5)) rows.delete(recordId);
      await importRows('changed', isReplaced ? rows.values() : file.values(), isReplaced);
      const changed = await contentsOf(store, 'changed');
      assert.equal(changed.rowsId, rowsId, `round ${round} wrote all rows again`);
      await importRows(`all-${round}`, rows.values());
      assert.deepEqual(
        changed.contents,
        (await contentsOf(store, `all-${round}`)).contents,
        `round ${round}`,
      );
    }
    const before = await contentsOf(store, 'changed');
    await deleteAll(store, supersededRows(store, store.clock().getTime() + 1));
    assert.deepEqual(await contentsOf(store, 'changed'), before, 'rows of the current version are kept');
    await close();
  });
}

test('rows that differ in more than a few are all written again', async () => {
  const rows = (count: number, price: number) =>
    Array.from({ length: count }, (_, i) => ({ id: `${i}`, price }));
  const changes = (before: readonly { id: string; price: number }[], after: typeof before) =>
    findFewChanges(
      (async function* () {
        yield before;
      })(),
      before.length,
      after,
      ({ id, price }) => `${id}/${price}`,
    );
  assert.deepEqual(await changes(rows(3000, 1), rows(3000, 1)), { gone: [], added: [] });
  assert.equal((await changes(rows(3000, 1), rows(5000, 1)))?.added.length, 2000);
  assert.equal(await changes(rows(3000, 1), rows(5001, 1)), null);
  assert.equal((await changes(rows(3000, 1), rows(1000, 1)))?.gone.length, 2000);
  assert.equal(await changes(rows(3000, 1), rows(999, 1)), null);
  assert.equal((await changes(rows(2000, 1), rows(2000, 2)))?.added.length, 2000);
  assert.equal(await changes(rows(2001, 1), rows(2001, 2)), null);
});
