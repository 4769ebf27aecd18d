import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test, type TestContext } from 'node:test';
import { formatDay } from '../src/domain/day.ts';
import type { Json } from './json.ts';
import {
  AS_OF,
  county,
  onEveryEngine,
  postTo,
  startService,
  withLaterSales,
  withSampleFiles,
} from './service-fixture.ts';
import type { TestService } from './service-fixture.ts';

const HOUSE = county.sales.find(({ parcel }) => parcel.type === 'houses')?.parcel;

async function valuationOf(service: TestService, comparables: number): Promise<Json> {
  assert.ok(HOUSE);
  const { status, body } = await postTo(service, '/v1/avm/property', {
    location: { latitude: HOUSE.lat, longitude: HOUSE.lon },
    property_fields: { total_bedrooms: 3, total_bathrooms: 2 },
    search_params: { num_comps: comparables, date: formatDay(AS_OF - 20) },
  });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

function report(service: TestService, id: string, query = '', headers: Record<string, string> = {}) {
  return service.app.inject({
    url: `/v1/valuations/${id}/report${query}`,
    headers: { 'x-api-key': service.key, ...headers },
  });
}

/** The cells of a row of the grid after its header and the subject, over all tables. */
function rowOf(page: string, label: string): string[] {
  const rows = [...page.matchAll(/<tr[^>]*>\s*<th scope="row">([^<]*)<\/th>([\s\S]*?)<\/tr>/g)];
  return rows
    .filter(([, name]) => name === label)
    .flatMap(([, , cells = '']) => [...cells.matchAll(/<td[^>]*>([\s\S]*?)<\/td>/g)].slice(1))
    .map(([, cell = '']) => cell.replaceAll(/<[^>]*>/g, '').trim())
    .filter(Boolean);
}

/** `Jun 1, 2026 −$1,200` → −1200 */
function dollarsIn(text: string): number {
  const [, sign, digits = ''] = /([+−]?)\$([\d,]+)$/.exec(text) ?? [];
  return (sign === '−' ? -1 : 1) * Number(digits.replaceAll(',', ''));
}

const ADJUSTED = [
  'Date of sale / time',
  'Location',
  'Site',
  'Actual age',
  'Condition',
  'Room count: bedrooms',
  'Room count: baths',
  'Gross living area',
  'Other features',
  'Unexplained',
];

async function reportTests(t: TestContext, service: TestService, salesFile: string, dir: string) {
  const body = await valuationOf(service, 20);
  const { valuation, comparables } = body;
  const id = valuation.valuation_id;

  await t.test(
    'in the grid, price and adjustments add up to the adjusted price of the response',
    async () => {
      const page = (await report(service, id)).body;
      const prices = rowOf(page, 'Sale price').map(dollarsIn);
      assert.equal(prices.length, comparables.items.length);
      const adjustments = ADJUSTED.map((label) => rowOf(page, label).map(dollarsIn));
      comparables.items.forEach((item: Json, at: number) => {
        const sum = adjustments.reduce((total, row) => total + (row[at] ?? NaN), prices[at] ?? NaN);
        assert.equal(sum, item.adjusted_price);
        assert.equal(dollarsIn(rowOf(page, 'Adjusted sale price')[at] ?? ''), item.adjusted_price);
      });
    },
  );

  await t.test('a page names the value, the range, the model and the valuation', async () => {
    for (const version of ['owner', 'appraiser']) {
      const { statusCode, headers, body: page } = await report(service, id, `?version=${version}`);
      assert.equal(statusCode, 200);
      assert.match(String(headers['content-type']), /^text\/html/);
      const usd = (value: number) => `$${value.toLocaleString('en-US')}`;
      const { lower, upper } = valuation.confidence_interval_90;
      for (const text of [usd(valuation.point_value), usd(lower), usd(upper), valuation.model.sha256, id])
        assert.ok(page.includes(text), text);
    }
    assert.match((await report(service, id, '?version=owner')).body, /Why this value/);
  });

  await t.test('Accept or format selects a PDF, and the query decides over Accept', async () => {
    const byAccept = await report(service, id, '', { accept: 'application/pdf' });
    const byQuery = await report(service, id, '?format=pdf&paper=letter');
    assert.equal(byAccept.headers['content-type'], 'application/pdf');
    assert.ok(byAccept.rawPayload.subarray(0, 5).equals(Buffer.from('%PDF-')));
    assert.ok(byAccept.rawPayload.equals(byQuery.rawPayload));
    assert.ok(!byQuery.rawPayload.equals((await report(service, id, '?format=pdf&paper=a4')).rawPayload));
    assert.equal((await report(service, id, '', { accept: 'image/png' })).statusCode, 406);
  });

  await t.test(
    'an appeal without a challenge is a conflict, and an unknown valuation is not found',
    async () => {
      const appeal = await report(service, id, '?version=appeal');
      assert.deepEqual([appeal.statusCode, appeal.json().code], [409, 'conflict']);
      assert.equal((await report(service, randomUUID())).statusCode, 404);
      assert.equal((await report(service, id, '?version=judge')).statusCode, 422);
    },
  );

  await t.test('a valuation without comparables has a report', async () => {
    const { valuation: bare } = await valuationOf(service, 0);
    for (const format of ['html', 'pdf'])
      assert.equal((await report(service, bare.valuation_id, `?format=${format}`)).statusCode, 200);
  });

  await t.test('a later import of sales changes no byte', async () => {
    const read = async () =>
      Promise.all(
        ['?version=owner', '?format=pdf'].map(async (query) => (await report(service, id, query)).rawPayload),
      );
    const before = await read();
    await service.importFile('sales', await withLaterSales(salesFile, dir, 3));
    assert.deepEqual(await read(), before);
  });
}

test('the report of a valuation', async (t) => {
  await withSampleFiles(async (files, dir) => {
    await onEveryEngine(
      t,
      (engine) => startService(engine, dir),
      async (t, service) => reportTests(t, service, files.sales, dir),
      async (services) => {
        const pages = await Promise.all(
          services.map(async (service) => {
            const id = (await valuationOf(service, 6)).valuation.valuation_id;
            const page = (await report(service, id)).body;
            // Ids of valuations and models differ.
            return page.replaceAll(id, 'ID').replaceAll(/sample-county-2026-05-31-\w+/g, 'MODEL');
          }),
        );
        for (const page of pages) assert.equal(page, pages[0]);
      },
    );
  });
});
