import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressPartsOf } from '../src/domain/address-parts.ts';
import { insertAddressPoints } from '../src/store/address-points.ts';
import { beginDataset, publishDataset } from '../src/store/publish-dataset.ts';
import { correctionsOf } from '../src/jobs/upload/submission.ts';
import { onConsole, openBrowser, type TestConsole } from './console-fixture.ts';
import { uploadPieces } from './harness/console-upload.ts';
import { SOURCE } from './harness/store/rows.ts';

const FILE =
  'Address,BR,Baths\n"104 N Lak Drive, Riverton, WI 53001",3,2\n"104 N Lake Dr, Riverton, WI 53001",3,2\n';
const MAPPING = [
  { path: 'location.address', column: 0 },
  { path: 'property_fields.total_bedrooms', column: 1 },
  { path: 'property_fields.total_bathrooms', column: 2 },
];

/** Ada, with an uploaded file, and the address points that it is compared with. */
async function withFile(console: TestConsole) {
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
  return {
    browser,
    id,
    suggestionsOf: async (path: string, body: object): Promise<Suggestion[]> => {
      const { status, text, body: checked } = await browser.ask('POST', `uploads/${path}`, body);
      assert.equal(status, 200, text);
      const tries: { code: string; suggestions: Suggestion[] }[] = checked.failed_tries;
      return tries.find(({ code }) => code === 'address_not_found')?.suggestions ?? [];
    },
    /** Creates the jobs of a file, and cancels them. */
    send: async (fileId: string): Promise<void> => {
      await browser.ask('POST', `uploads/${fileId}/send`);
      await browser.ask('POST', `uploads/${fileId}/cancel`);
    },
    submit: async (corrections: object[]): Promise<void> => {
      const options = { leaves_out: true, sends_again: false };
      const submission = { avm_type: 'property', mapping: MAPPING, corrections, ...options };
      const { status, text } = await browser.ask('POST', `uploads/${id}/submit`, submission);
      assert.equal(status, 200, text);
    },
    /** How many of the requests that were sent have an address. */
    sentWith: async (text: string): Promise<number> => {
      const requests = await store.db.selectFrom('job_requests').select('request').execute();
      return requests.filter(({ request }) => request.includes(text)).length;
    },
  };
}

interface Suggestion {
  readonly address: string;
  readonly suggested: string;
}

const TYPED = '104 N Lak Drive, Riverton, WI 53001';
const SUGGESTION = {
  row: 2,
  count: 1,
  address: TYPED,
  suggested: '104 N LAKE DR, Riverton, WI 53001',
  is_only: true,
};
const CORRECTIONS = [{ address: TYPED, corrected: SUGGESTION.suggested }];

onConsole(
  'a suggested address that is accepted is sent, also when the file is run again; the download keeps the own text',
  async (console) => {
    const { browser, id, suggestionsOf, send, submit, sentWith } = await withFile(console);
    const check = (corrections: object[]) =>
      suggestionsOf(`${id}/check`, { avm_type: 'property', mapping: MAPPING, corrections });
    assert.deepEqual(await check([]), [SUGGESTION]);
    assert.deepEqual(await check(CORRECTIONS), []);
    await submit(CORRECTIONS);
    await send(id);
    const { text } = await browser.ask('GET', `uploads/${id}/results.csv`);
    assert.match(text, /\r\n"104 N Lak Drive, Riverton, WI 53001",3,2,/);
    const { body: again } = await browser.ask('POST', `uploads/${id}/rerun`, {});
    await send(again.id);
    assert.deepEqual([await sentWith('104 N LAKE DR'), await sentWith('104 N Lak Drive')], [2, 0]);
  },
);

onConsole(
  'a suggested address is accepted when a sent file is run again, for all later runs',
  async (console) => {
    const { browser, id, suggestionsOf, send, submit, sentWith } = await withFile(console);
    await submit([]);
    await send(id);
    assert.deepEqual(await suggestionsOf(`${id}/rerun-check`, {}), [SUGGESTION]);
    assert.deepEqual(await suggestionsOf(`${id}/rerun-check`, { corrections: CORRECTIONS }), []);
    const { body: second } = await browser.ask('POST', `uploads/${id}/rerun`, { corrections: CORRECTIONS });
    await send(second.id);
    assert.deepEqual([await sentWith('104 N LAKE DR'), await sentWith('104 N Lak Drive')], [1, 1]);
    assert.deepEqual(await suggestionsOf(`${second.id}/rerun-check`, {}), []);
    const { body: third } = await browser.ask('POST', `uploads/${second.id}/rerun`, {});
    await send(third.id);
    assert.deepEqual([await sentWith('104 N LAKE DR'), await sentWith('104 N Lak Drive')], [2, 1]);
  },
);

test('an address that was corrected before and is no longer found is corrected again', () => {
  const before = { '1 Mian St': '1 Main St', '2 Elm': '2 Elm St' };
  const accepted = [
    { address: '1 Main St', corrected: '1 Main Ave' },
    { address: '3 Oka St', corrected: '3 Oak St' },
  ];
  assert.deepEqual(correctionsOf(accepted, before), {
    '1 Main St': '1 Main Ave',
    '1 Mian St': '1 Main Ave',
    '2 Elm': '2 Elm St',
    '3 Oka St': '3 Oak St',
  });
  assert.equal(correctionsOf(undefined), undefined);
});
