import assert from 'node:assert/strict';
import { addressPartsOf } from '../src/domain/address-parts.ts';
import { insertAddressPoints } from '../src/store/address-points.ts';
import { beginDataset, publishDataset } from '../src/store/publish-dataset.ts';
import { onConsole, openBrowser } from './console-fixture.ts';
import { uploadPieces } from './harness/console-upload.ts';
import { SOURCE } from './harness/store/rows.ts';

const FILE =
  'Address,BR,Baths\n"104 N Lak Drive, Riverton, WI 53001",3,2\n"104 N Lake Dr, Riverton, WI 53001",3,2\n';
const MAPPING = [
  { path: 'location.address', column: 0 },
  { path: 'property_fields.total_bedrooms', column: 1 },
  { path: 'property_fields.total_bathrooms', column: 2 },
];

onConsole(
  'a suggested address that is accepted is sent, also when the file is run again; the download keeps the own text',
  async (console) => {
    const { store } = console;
    const address = { street: '104 N LAKE DR', city: 'Riverton', stateCode: 'WI', postalCode: '53001' };
    const place = { lat: 43, lon: -88, parcelId: null, key: addressPartsOf(address), knownOn: null };
    const datasetId = await beginDataset(store, { marketId: 'wi-a', kind: 'addresses', source: SOURCE });
    await insertAddressPoints(store, datasetId, [{ address, ...place }]);
    await publishDataset(store, datasetId, { rows: 1, contentHash: 'a' });
    await console.addUser('ada', 'administrator');
    const browser = openBrowser(console);
    await browser.signIn('ada');
    const id = await uploadPieces(console, browser, Buffer.from(FILE), { name: 'homes.csv' });
    await browser.ask('POST', `uploads/${id}/read`);
    const check = async (corrections: object[]) => {
      const body = { avm_type: 'property', mapping: MAPPING, corrections };
      const { body: checked } = await browser.ask('POST', `uploads/${id}/check`, body);
      const tries: { code: string; suggestions: { address: string; suggested: string }[] }[] =
        checked.failed_tries;
      return tries.find(({ code }) => code === 'address_not_found')?.suggestions ?? [];
    };
    const [suggestion, ...others] = await check([]);
    assert.deepEqual(others, []);
    assert.deepEqual(suggestion, {
      row: 2,
      count: 1,
      address: '104 N Lak Drive, Riverton, WI 53001',
      suggested: '104 N LAKE DR, Riverton, WI 53001',
      is_only: true,
    });
    const corrections = [{ address: suggestion.address, corrected: suggestion.suggested }];
    assert.deepEqual(await check(corrections), []);

    const submission = {
      avm_type: 'property',
      mapping: MAPPING,
      corrections,
      leaves_out: true,
      sends_again: false,
    };
    const submitted = await browser.ask('POST', `uploads/${id}/submit`, submission);
    assert.equal(submitted.status, 200, submitted.text);
    await browser.ask('POST', `uploads/${id}/send`);
    await browser.ask('POST', `uploads/${id}/cancel`);
    const { text } = await browser.ask('GET', `uploads/${id}/results.csv`);
    assert.match(text, /\r\n"104 N Lak Drive, Riverton, WI 53001",3,2,/);
    const { body: again } = await browser.ask('POST', `uploads/${id}/rerun`);
    await browser.ask('POST', `uploads/${again.id}/send`);
    const requests = await store.db.selectFrom('job_requests').select('request').execute();
    const spelled = (text: string) => requests.filter(({ request }) => request.includes(text)).length;
    assert.deepEqual([spelled('104 N LAKE DR'), spelled('104 N Lak Drive')], [2, 0]);
  },
);
