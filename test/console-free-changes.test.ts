import assert from 'node:assert/strict';
import { formatDay } from '../src/domain/day.ts';
import { checkLedger } from '../src/store/credit-ledger.ts';
import { onConsole, openBrowser, type TestBrowser, type TestConsole } from './console-fixture.ts';
import { addTestMarket, TRAINED_ON } from './tiny-market.ts';

const MINUTE_MS = 60_000;
const AS_OF = formatDay(TRAINED_ON + 20);

interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

async function openTown(console: TestConsole) {
  await addTestMarket(console.store);
  await console.addAccount('acme');
  await console.addUser('mia', 'member', 'acme');
  await console.addUser('eve', 'member');
  const [mia, eve] = [openBrowser(console), openBrowser(console)];
  await mia.signIn('mia');
  await eve.signIn('eve');
  const { models } = (await mia.ask('GET', 'markets/town')).body;
  const { sales } = (await mia.ask('GET', `models/${models[0].id}/holdout-sales?limit=2`)).body;
  const [here, elsewhere]: Place[] = sales;
  return { mia, eve, here, elsewhere };
}

function bodyOf(
  { latitude, longitude }: Place,
  { beds = 3, asOf = AS_OF }: { readonly beds?: number; readonly asOf?: string },
) {
  return {
    location: { latitude, longitude },
    property_fields: {
      property_type: 'houses',
      total_bedrooms: beds,
      total_bathrooms: 2,
      living_area: 1500,
    },
    search_params: { date: asOf, num_comps: 0 },
  };
}

/** What a value costs. */
async function costOf(
  browser: TestBrowser,
  place: Place,
  more: { readonly beds?: number; readonly asOf?: string } = {},
): Promise<number> {
  const { status, headers, text } = await browser.ask('POST', 'avm/property', bodyOf(place, more));
  assert.equal(status, 200, text);
  return Number(headers['x-credits-charged']);
}

onConsole(
  'after a charged value, its account changes the same property for free for 30 minutes, twenty times',
  async (console) => {
    const { mia, eve, here, elsewhere } = await openTown(console);
    assert.equal(await costOf(mia, here), 30);
    assert.equal(await costOf(mia, here, { beds: 4 }), 0);
    assert.equal(await costOf(mia, elsewhere), 30, 'another property');
    assert.equal(await costOf(mia, here, { asOf: formatDay(TRAINED_ON + 21) }), 30, 'another day');
    assert.equal(await costOf(eve, here), 30, 'another account');
    console.passMs(29 * MINUTE_MS);
    assert.equal(await costOf(mia, here, { beds: 5 }), 0);
    console.passMs(MINUTE_MS);
    assert.equal(await costOf(mia, here, { beds: 5 }), 30, 'a free change does not prolong the time');
    // At the same time, so that two could take the last free change.
    const costs = await Promise.all(
      Array.from({ length: 25 }, (_, i) => costOf(mia, here, { beds: 1 + (i % 5) })),
    );
    const free = costs.filter((cost) => cost === 0).length;
    assert.ok(free >= 20, `${free} of 25 were free`);
    assert.ok(costs.includes(30), 'the number is limited');
    assert.deepEqual((await checkLedger(console.store)).differences, []);
  },
);

onConsole('programs pay for every value, also of the same property', async (console) => {
  const { here } = await openTown(console);
  const ask = async () => {
    const query = new URLSearchParams({
      latitude: String(here.latitude),
      longitude: String(here.longitude),
      property_type: 'houses',
      total_bedrooms: '3',
      total_bathrooms: '2',
      date: AS_OF,
      num_comps: '0',
    });
    const url = `/v1/avm/property?${query}`;
    const { statusCode, headers, body } = await console.app.inject({
      url,
      headers: { 'x-api-key': console.key },
    });
    assert.equal(statusCode, 200, body);
    return headers['x-credits-charged'];
  };
  assert.equal(await ask(), '30');
  assert.equal(await ask(), '30');
});

onConsole('a free change needs no credits, and its dry run says so', async (console) => {
  const { here } = await openTown(console);
  await console.addAccount('small');
  await console.addUser('ann', 'member', 'small');
  await console.addUser('ada', 'administrator');
  const [ann, ada] = [openBrowser(console), openBrowser(console)];
  await ada.signIn('ada');
  // Less than two values cost.
  const limits = await ada.ask('POST', 'accounts/small/limits', { credits_per_month: 59, reason: 'Trial' });
  assert.equal(limits.status, 200, limits.text);
  await ann.signIn('ann');
  assert.equal(await costOf(ann, here), 30);
  const ask = (daysLater: number, headers = {}) => {
    const asOf = formatDay(TRAINED_ON + daysLater);
    return ann.ask('POST', 'avm/property', bodyOf(here, { beds: 4, asOf }), { headers });
  };
  const dry = await ask(20, { 'x-dry-run': 'true' });
  assert.deepEqual(dry.body, { dry_run: true, credits_max: 0 });
  const changed = await ask(20);
  assert.deepEqual([changed.status, changed.headers['x-credits-charged']], [200, '0'], changed.text);
  assert.equal((await ask(21)).body.code, 'quota_exceeded');
  assert.deepEqual((await checkLedger(console.store)).differences, []);
});
