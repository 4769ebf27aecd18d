import assert from 'node:assert/strict';
import { addressPartsOf } from '../src/domain/address-parts.ts';
import { insertAddressPoints } from '../src/store/address-points.ts';
import { insertParcels, insertSales } from '../src/store/property-records.ts';
import { beginDataset, publishDataset } from '../src/store/publish-dataset.ts';
import { writeValuationsTo } from '../src/store/valuation-log.ts';
import { onConsole, openBrowser, type TestConsole } from './console-fixture.ts';
import { SOURCE, testParcel, testSale, testValuation } from './harness/store/rows.ts';
import type { Json } from './json.ts';

const ADDRESS = { street: '4801 W DEPOT ST', city: 'Riverton', stateCode: 'WI', postalCode: '53001' };
const ID = '01890000-aaaa-7000-8000-000000000001';

async function load({ store }: TestConsole): Promise<void> {
  const publish = async (kind: 'addresses' | 'parcels' | 'sales', add: (id: number) => Promise<void>) => {
    const datasetId = await beginDataset(store, { marketId: 'wi-a', kind, source: SOURCE });
    await add(datasetId);
    await publishDataset(store, datasetId, { rows: kind === 'addresses' ? 1 : 2, contentHash: kind });
  };
  const nowhere = { street: '', city: 'Riverton', stateCode: 'WI', postalCode: '' };
  await publish('parcels', (id) =>
    insertParcels(store, id, [
      { ...testParcel(1), parcelId: '40203-1', address: nowhere },
      { ...testParcel(2), parcelId: '40204-1', address: { ...ADDRESS, street: '2 OAK ST' } },
    ]),
  );
  await publish('sales', (id) =>
    insertSales(store, id, [
      { ...testSale(1), parcelId: '40203-1' },
      { ...testSale(2), parcelId: '40203-2', address: { ...ADDRESS, street: '3 OAK ST' } },
    ]),
  );
  const point = { address: ADDRESS, lat: 43, lon: -88, parcelId: '40203-1', knownOn: null };
  await publish('addresses', (id) =>
    insertAddressPoints(store, id, [{ ...point, key: addressPartsOf(ADDRESS) }]),
  );
  const valuations = [ID, ID.replace('aaaa', 'bbbb')].map((id) => testValuation(id));
  const entries = valuations.map((valuation) => ({ valuation, charge: null }));
  await writeValuationsTo(store)(entries);
}

onConsole(
  'the search finds addresses, parcels, valuations and batches by how they begin',
  async (console) => {
    await load(console);
    await console.addUser('Ada', 'member');
    const browser = openBrowser(console);
    assert.equal((await browser.ask('GET', 'search?query=4801')).status, 401);
    await browser.signIn('Ada');
    const find = async (query: string): Promise<Json[]> =>
      (await browser.ask('GET', `search?query=${encodeURIComponent(query)}`)).body.results;
    const textsOf = async (query: string): Promise<string[]> =>
      (await find(query)).map(({ kind, text }) => `${kind} ${text}`);
    const address = '4801 W DEPOT ST, Riverton, WI 53001';
    assert.deepEqual(await textsOf('48 w dep'), [`address ${address}`], 'an unfinished number');
    assert.deepEqual(await textsOf('4020'), ['parcel 40203-1', 'parcel 40203-2', 'parcel 40204-1']);
    const [own, ofSale] = await find('40203');
    assert.deepEqual([own.address, ofSale.address], [address, '3 OAK ST, Riverton, WI 53001']);
    assert.deepEqual(await textsOf('402'), [], 'too short');
    assert.deepEqual(await textsOf('402041'), ['parcel 40204-1'], 'without its hyphen');
    assert.deepEqual(await textsOf('40-2041'), ['parcel 40204-1'], 'with another hyphen');
    const [valuation, ...others] = await find('01890000-AAAA');
    assert.deepEqual([valuation.kind, valuation.text, others], ['valuation', ID, []]);
    assert.match(valuation.note, /^home, [A-Z][a-z]{2} \d{1,2}, \d{4}$/);
    assert.equal((await find('01890000')).length, 2);
    const properties = [{ location: { address: '1 Main St' }, property_fields: { beds: 3, baths: 2 } }];
    const { body: batch } = await browser.ask('POST', 'avm/batch/property', { properties });
    const [found] = await find(batch.job_id);
    assert.deepEqual([found.kind, found.text], ['batch', batch.job_id]);
    assert.match(found.note, /^1 home, [A-Z][a-z]{2} \d{1,2}, \d{4}$/);

    await console.addAccount('acme');
    await console.addUser('Bob', 'member', 'acme');
    const other = openBrowser(console);
    await other.signIn('Bob');
    for (const id of [ID, batch.job_id]) {
      assert.deepEqual((await other.ask('GET', `search?query=${id}`)).body.results, [], 'of another account');
    }
  },
);
