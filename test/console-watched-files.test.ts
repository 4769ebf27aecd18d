import assert from 'node:assert/strict';
import { claimChunk } from '../src/store/job-queue.ts';
import { endChunk } from '../src/store/job-results.ts';
import { onConsole, openBrowser, type TestBrowser, type TestConsole } from './console-fixture.ts';
import { uploadPieces } from './harness/console-upload.ts';
import { LEASE_MS, testError, testValue } from './harness/jobs/jobs.ts';

const MAPPING = [
  { path: 'property_id', column: 0 },
  { path: 'location.address', column: 1 },
  { path: 'property_fields.total_bedrooms', column: 2 },
  { path: 'property_fields.total_bathrooms', column: 3 },
  { path: 'file.balance', column: 4 },
];
const NO_BALANCE = MAPPING.filter(({ path }) => path !== 'file.balance');

const fileOf = (rows: readonly string[]): Buffer =>
  Buffer.from(`Loan,Address,Beds,Baths,Balance\n${rows.map((row) => `${row}\n`).join('')}`);

/** Submits a file. Its rows are valued at $200,000 and more, but the last, which is not found. */
async function valueFile(
  console: TestConsole,
  browser: TestBrowser,
  rows: readonly string[],
  mapping: readonly unknown[] = MAPPING,
): Promise<string> {
  const { store, people } = console;
  const id = await uploadPieces(console, browser, fileOf(rows), { name: 'loans.csv' });
  await browser.ask('POST', `uploads/${id}/read`);
  const submission = { avm_type: 'property', mapping, leaves_out: true, sends_again: true };
  const submitted = await browser.ask('POST', `uploads/${id}/submit`, submission);
  assert.equal(submitted.status, 200, submitted.text);
  await browser.ask('POST', `uploads/${id}/send`);
  const now = people.clock().getTime();
  const chunk = await claimChunk(store, { now, leaseUntil: now + LEASE_MS, most: 50, tasks: ['property'] });
  assert.ok(chunk);
  const outcomes = chunk.items.map(({ itemNo }, at, { length }) => {
    if (at === length - 1) return testError(itemNo);
    const { valuation, ...outcome } = testValue(chunk, itemNo);
    assert.ok(valuation);
    const response = JSON.stringify({
      address_info: { formatted_address: `${1 + at} Main St`, latitude: 43 + at / 1000, longitude: -88 },
      valuation: {
        valuation_id: valuation.valuationId,
        estimated_value: 200_000 + 10_000 * at,
        estimated_value_low: 150_000,
        estimated_value_high: 250_000,
        fsd: 0.12,
      },
    });
    return { ...outcome, valuation: { ...valuation, response } };
  });
  await endChunk(store, chunk, { outcomes, returned: [], now });
  return id;
}

onConsole(
  'the homes of a valued file are watched with their values and balances, later balances come from another file, and each result is a line of JSON',
  async (console) => {
    await console.addUser('ada', 'administrator');
    const browser = openBrowser(console);
    await browser.signIn('ada');
    const id = await valueFile(console, browser, [
      'loan 1,1 Main St,3,2,100000',
      'loan 2,2 Main St,3,2,"$150,000"',
      'loan 3,9 Nowhere St,3,2,',
    ]);

    const file = await browser.ask('GET', `uploads/${id}/results.ndjson`);
    assert.match(String(file.headers['content-type']), /^application\/x-ndjson/);
    const lines = file.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      lines.map(({ row, property_id, status, error_code, data }) => [
        row,
        property_id,
        status,
        error_code,
        data?.valuation.estimated_value ?? null,
      ]),
      [
        [2, 'loan 1', 'complete', null, 200_000],
        [3, 'loan 2', 'complete', null, 210_000],
        [4, 'loan 3', 'error', 'address_not_found', null],
      ],
    );

    const watched = await browser.ask('POST', `uploads/${id}/watch`, { name: ' Loans ' });
    assert.equal(watched.status, 200, watched.text);
    const portfolioId = watched.body.portfolio_id;
    const homes = async () => {
      const { body } = await browser.ask('GET', `portfolios/${portfolioId}/properties`);
      return body.properties.map((home: Readonly<Record<string, unknown>>) => [
        home.property_id,
        home.loan_balance,
        home.estimated_value,
        home.error_code,
      ]);
    };
    assert.equal((await browser.ask('GET', `portfolios/${portfolioId}`)).body.name, 'Loans');
    assert.deepEqual(await homes(), [
      ['loan 1', 100_000, 200_000, null],
      ['loan 2', 150_000, 210_000, null],
      ['loan 3', null, null, 'address_not_found'],
    ]);

    const newer = await valueFile(console, browser, [
      'loan 2,2 Main St,3,2,140000',
      'loan 3,9 Nowhere St,3,2,50000',
      'loan 4,4 Main St,3,2,70000',
    ]);
    const body = { portfolio_id: portfolioId };
    const changed = await browser.ask('POST', `uploads/${newer}/balances`, body);
    assert.deepEqual(changed.body, {
      matched: 2,
      changed: 2,
      unknown_count: 1,
      unknown_property_ids: ['loan 4'],
    });
    assert.deepEqual(
      (await homes()).map(([reference, balance]: readonly unknown[]) => [reference, balance]),
      [
        ['loan 1', 100_000],
        ['loan 2', 140_000],
        ['loan 3', 50_000],
      ],
    );

    const add = async () => (await browser.ask('POST', `uploads/${newer}/add-to-portfolio`, body)).body;
    assert.deepEqual(await add(), { added: 1 });
    assert.deepEqual(await homes(), [
      ['loan 1', 100_000, 200_000, null],
      ['loan 2', 140_000, 210_000, null],
      ['loan 3', 50_000, null, 'address_not_found'],
      ['loan 4', 70_000, null, 'address_not_found'],
    ]);
    assert.deepEqual(await add(), { added: 0 });

    const without = await valueFile(
      console,
      browser,
      ['loan 1,1 Main St,3,2,', 'loan 5,5 Main St,3,2,'],
      NO_BALANCE,
    );
    const refused = await browser.ask('POST', `uploads/${without}/balances`, body);
    assert.deepEqual([refused.status, refused.body.code], [409, 'conflict']);
    assert.match(String(refused.body.detail), /no column of loan balances/);
  },
);

onConsole('a file of another account can neither be watched nor downloaded', async (console) => {
  await console.addAccount('acme');
  await console.addUser('ada', 'administrator');
  await console.addUser('eve', 'administrator', 'acme');
  const [ada, eve] = [openBrowser(console), openBrowser(console)];
  await ada.signIn('ada');
  await eve.signIn('eve');
  const id = await valueFile(console, ada, ['loan 1,1 Main St,3,2,1', 'loan 2,2 Main St,3,2,1']);
  assert.equal((await eve.ask('POST', `uploads/${id}/watch`, { name: 'Theirs' })).status, 404);
  assert.equal((await eve.ask('GET', `uploads/${id}/results.ndjson`)).status, 404);
  const { portfolio_id: portfolio } = (await ada.ask('POST', `uploads/${id}/watch`, { name: 'Ours' })).body;
  const theirs = await valueFile(console, eve, ['loan 1,1 Main St,3,2,9', 'loan 2,2 Main St,3,2,9']);
  const foreign = await eve.ask('POST', `uploads/${theirs}/balances`, { portfolio_id: portfolio });
  assert.equal(foreign.status, 404);
  const added = await eve.ask('POST', `uploads/${theirs}/add-to-portfolio`, { portfolio_id: portfolio });
  assert.equal(added.status, 404);
});
