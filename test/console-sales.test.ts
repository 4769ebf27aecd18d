import assert from 'node:assert/strict';
import { importFlaggedSales, LOT } from './flagged-sales.ts';
import { onConsole, openBrowser } from './console-fixture.ts';

onConsole('an operator reads why a sale is flagged and decides about it from today on', async (console) => {
  await importFlaggedSales(console.store, 'town');
  await console.addUser('ada', 'administrator');
  const browser = openBrowser(console);
  await browser.signIn('ada');
  const sales = async (query: string) => (await browser.ask('GET', `markets/town/sales${query}`)).body;
  const review = (body: object) => browser.ask('POST', 'markets/town/sale-reviews', body);

  const [{ sales_flagged: counted }] = (await browser.ask('GET', 'coverage')).body.markets;
  assert.deepEqual(counted, [{ flag: 'before_construction', sales: 1 }]);
  const listed = await sales('');
  assert.deepEqual([listed.total, listed.flags], [1, [{ flag: 'before_construction', sales: 1 }]]);
  const [lot] = listed.sales;
  assert.deepEqual(
    [lot.record_id, lot.address, lot.price, lot.year_built, lot.is_used, lot.review],
    [LOT, '99 OAK ST', 50_000, 2024, false, null],
  );
  assert.match(lot.sentence, /^Sold as land in 2024, the year of construction: \$33 per sqft, where/);
  assert.ok(lot.nearby_price_per_sqft > 190 && lot.nearby_price_per_sqft < 210);
  assert.deepEqual((await sales('?flag=teardown')).sales, []);

  // A sale without a flag is found by its address, and can be excluded.
  const { sales: found } = await sales('?find=7%20oak%20st');
  assert.deepEqual(
    found.map((sale: { record_id: string; flag: string }) => [sale.record_id, sale.flag]),
    [57, 47, 37, 27, 17, 7].map((i) => [`r${i}`, 'none']),
  );
  const reasons = { record_id: 'r7', is_used: false, reason: ' Sold to a relative ' };
  assert.equal((await review(reasons)).status, 200);
  console.passMs(1_000);
  assert.equal((await review({ record_id: LOT, is_used: true, reason: 'A mistake' })).status, 200);
  console.passMs(1_000);
  const { body } = await review({ record_id: LOT, is_used: false, reason: 'It was land' });
  assert.deepEqual(
    body.reviews.map((one: { is_used: boolean; reason: string; by: string; from: string }) => [
      one.is_used,
      one.reason,
      one.by,
      one.from,
    ]),
    [
      [false, 'It was land', 'ada', '2026-03-31'],
      [true, 'A mistake', 'ada', '2026-03-31'],
    ],
  );
  const after = (await sales('')).sales;
  assert.deepEqual(
    after.map((sale: { record_id: string; flag: string; is_used: boolean; flagged_on: string }) => [
      sale.record_id,
      sale.flag,
      sale.is_used,
      sale.flagged_on,
    ]),
    [
      [LOT, 'before_construction', false, '2024-11-10'],
      ['r7', 'excluded_by_review', false, '2026-03-31'],
    ],
  );
  const { reviews } = (await browser.ask('GET', 'markets/town/sale-reviews')).body;
  assert.deepEqual(
    reviews.map((one: { record_id: string }) => one.record_id),
    [LOT, LOT, 'r7'],
  );

  const file = await browser.ask('GET', 'markets/town/sales.csv?flag=excluded_by_review');
  const [head, ...rows] = file.text.trim().split('\n');
  assert.match(head, /record_id,address,type,sold_on,price,/);
  assert.equal(rows.length, 1);
  assert.match(rows[0], /^r7,.*,excluded_by_review,.*,false,do not use,Sold to a relative,ada$/);

  // Decided sales are filtered by decision, and a decision can be withdrawn: then the flag counts again.
  const listedBy = async (decision: string) =>
    (await sales(`?decision=${decision}`)).sales.map((sale: { record_id: string }) => sale.record_id);
  assert.deepEqual(await listedBy('do_not_use'), [LOT, 'r7']);
  assert.equal((await review({ record_id: LOT, is_used: true, reason: 'Built then' })).status, 200);
  assert.deepEqual([await listedBy('use'), await listedBy('do_not_use')], [[LOT], ['r7']]);
  assert.deepEqual((await listedBy('any')).sort(), [LOT, 'r7'].sort());
  for (const record_id of [LOT, 'r7']) {
    assert.equal((await review({ record_id, is_used: null, reason: 'Decided too early' })).status, 200);
  }
  assert.deepEqual(await listedBy('any'), []);
  const [{ record_id, is_used, review: none, flag }, ...others] = (await sales('')).sales;
  assert.deepEqual([record_id, is_used, none, flag, others], [LOT, false, null, 'before_construction', []]);
  assert.equal((await review({ record_id: 'r7', is_used: null, reason: 'Again' })).status, 409);

  assert.equal((await review({ ...reasons, record_id: 'other' })).status, 404);
  assert.equal((await review({ ...reasons, reason: ' ' })).status, 400);
  assert.equal((await browser.ask('GET', 'markets/nowhere/sales')).status, 404);
});
