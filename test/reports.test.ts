import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test, type TestContext } from 'node:test';
import { CHANGE_CAUSE_LABELS } from '../src/domain/change-causes.ts';
import { formatDay } from '../src/domain/day.ts';
import { formatCount, formatDay as displayDay } from '../src/domain/display-format.ts';
import { labelOf } from '../src/domain/field-words.ts';
import { EARLIER_SALE, otherDetails } from '../src/domain/other-details.ts';
import type { Json } from './json.ts';
import {
  AS_OF,
  county,
  getFrom,
  onEveryEngine,
  postTo,
  PUBLIC_URL,
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

/** Without a key. */
function open(service: TestService, url: string, headers: Record<string, string> = {}) {
  return service.app.inject({ url, headers });
}

async function shareOf(service: TestService, id: string, terms: object): Promise<Json> {
  const { status, body } = await postTo(service, `/v1/valuations/${id}/shares`, terms);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

function revoke(service: TestService, id: string, shareId: string) {
  const headers = { 'x-api-key': service.key };
  return service.app.inject({ method: 'DELETE', url: `/v1/valuations/${id}/shares/${shareId}`, headers });
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
      const share = await postTo(service, `/v1/valuations/${id}/shares`, { version: 'appeal' });
      assert.deepEqual([appeal.statusCode, appeal.json().code, share.status], [409, 'conflict', 409]);
      assert.equal((await report(service, randomUUID())).statusCode, 404);
      assert.equal((await report(service, id, '?version=judge')).statusCode, 422);
    },
  );

  await t.test(
    'the appeal of a challenge has every change with its reason, amounts that add up, and the decision',
    async () => {
      const [first, second] = comparables.items;
      const challenged = await postTo(service, `/v1/valuations/${id}/challenge`, {
        property_fields: { living_area: 1500 },
        comparables: {
          pinned: [{ comp_id: second.comp_id }],
          excluded: [{ comp_id: first.comp_id, reason: 'Sold <between> relatives' }],
        },
        adjustments: [{ comp_id: second.comp_id, field: 'condition', amount: -1234, reason: 'New kitchen' }],
        renovations: [{ description: 'Roof', cost: 18_000, year: 2024 }],
        note: 'Measured',
        facts_reason: 'Laser, both floors',
        assessment: { value: 1_000_000, year: 2025 },
      });
      assert.equal(challenged.status, 200, JSON.stringify(challenged.body));
      const { valuation: changed, changes } = challenged.body;
      assert.deepEqual(changes.assessment, { value: 1_000_000, year: 2025 });
      assert.equal(changes.facts_reason, 'Laser, both floors');
      const appeal = async (): Promise<string> =>
        (await report(service, changed.valuation_id, '?version=appeal')).body;
      const page = await appeal();
      const said = [
        'Sold &lt;between&gt; relatives',
        'New kitchen',
        'Roof',
        'Measured',
        'Not decided yet',
        'Reason for the corrected facts: Laser, both floors',
        '$1,000,000 (2025)',
        'the assessed value is above the range',
      ];
      for (const text of said) assert.ok(page.includes(text), text);
      const all = changed.point_value - changes.before.point_value;
      const [before, after] = [changes.before.point_value, changed.point_value].map(
        (usd: number) => `$${usd.toLocaleString('en-US')}`,
      );
      assert.ok(page.includes(`${after} instead of ${before}`));
      const amounts = [...Object.values(CHANGE_CAUSE_LABELS), 'All changes'].map((label) =>
        dollarsIn(new RegExp(`${label}</th>\\s*<td[^>]*>([^<]*)`).exec(page)?.[1]?.trim() ?? ''),
      );
      assert.equal(amounts.at(-1), all);
      const sum = amounts.slice(0, -1).reduce((total, amount) => total + amount, 0);
      assert.equal(sum, all);
      const decision = { decision: 'rejected', reason: 'No evidence' };
      await postTo(service, `/v1/valuations/${changed.valuation_id}/decision`, decision);
      assert.match(await appeal(), /Rejected by .*: No evidence/);
      assert.match(await appeal(), /, amount overridden/);
      const owner = (await report(service, changed.valuation_id, '?version=owner')).body;
      assert.match(owner, />test changed this value\. Without the changes it is \$[\d,]+/);
      assert.doesNotMatch((await report(service, id, '?version=owner')).body, /changed this value/);
      for (const version of ['owner', 'appraiser']) {
        const other = (await report(service, changed.valuation_id, `?version=${version}`)).body;
        assert.match(
          other,
          /Decision: Rejected by .*: No evidence[^]*Roof[^]*What a renovation adds is an assumption/,
          'every version names the decision and lists the renovations',
        );
      }
      assert.doesNotMatch(await appeal(), /As repaired/, 'no work is planned');
      const pdf = await report(service, changed.valuation_id, '?version=appeal&format=pdf');
      assert.ok(pdf.rawPayload.subarray(0, 5).equals(Buffer.from('%PDF-')));
    },
  );

  await t.test('the grid has the details of a sale that the user added', async () => {
    assert.ok(HOUSE);
    const sale = {
      sale_price: 300_000,
      sale_date: formatDay(AS_OF - 60),
      latitude: HOUSE.lat + 0.002,
      longitude: HOUSE.lon,
      property_fields: { garage_spaces: 7, has_basement: true, has_pool: true },
    };
    const challenge = { comparables: { added: [sale], only_pinned: true } };
    const { status, body: changed } = await postTo(service, `/v1/valuations/${id}/challenge`, challenge);
    assert.equal(status, 200, JSON.stringify(changed));
    const page = (await report(service, changed.valuation.valuation_id)).body;
    assert.deepEqual(rowOf(page, 'Garage'), ['7 car']);
    assert.ok(rowOf(page, 'Basement').includes('Basement'));
    assert.match(rowOf(page, 'Porch, deck, pool').join(), /Pool/);
    // Nobody gave its living area, for which it is adjusted.
    const [{ living_area: given, adjustments }] = changed.comparables.items;
    const { comp } = adjustments.find(({ field }: Json) => field === 'living_area');
    assert.equal(given, null);
    const [area] = rowOf(page, 'Gross living area');
    assert.ok(area?.startsWith(`${formatCount(Math.round(comp))} sq ft, estimated`), area);
    assert.match(rowOf(page, 'Actual age').join(), /^\d+ years, estimated/);
    const line = adjustments.find(({ field }: Json) => field === 'other');
    const [others = ''] = rowOf(page, 'Other features');
    const unmarked = ['property_type', EARLIER_SALE, ...Object.keys(sale.property_fields)];
    assert.match(others, /\(estimated\)/);
    for (const { field, comp: used } of otherDetails(line)) {
      const isMarked = others.includes(`${labelOf(field)}: ${used} (estimated)`);
      assert.equal(isMarked, !unmarked.includes(field), `${field} in ${others}`);
    }
  });

  await t.test('the grid has the latest sale before that of each comparable, if it was known', async () => {
    const known = county.sales.filter(({ recordedOn }) => recordedOn <= AS_OF - 20);
    const expected = comparables.items.map(({ comp_id: compId }: Json) => {
      const sold = known.find(({ recordId }) => recordId === compId);
      const earlier = known
        .filter(({ parcel, soldOn }) => sold && parcel === sold.parcel && soldOn < sold.soldOn)
        .reduce<typeof sold>((last, one) => (last && last.soldOn > one.soldOn ? last : one), undefined);
      if (!earlier) return 'None on record';
      return `$${formatCount(earlier.priceUsd)}, ${displayDay(formatDay(earlier.soldOn))}`;
    });
    assert.ok(expected.some((text: string) => text.startsWith('$')));
    assert.deepEqual(rowOf((await report(service, id)).body, 'Prior sale'), expected);
  });

  await t.test('a valuation without comparables has a report', async () => {
    const { valuation: bare } = await valuationOf(service, 0);
    for (const format of ['html', 'pdf'])
      assert.equal((await report(service, bare.valuation_id, `?format=${format}`)).statusCode, 200);
  });

  await t.test('rents of units and values of buildings have reports too', async () => {
    assert.ok(HOUSE);
    const location = { latitude: HOUSE.lat, longitude: HOUSE.lon };
    const search_params = { num_comps: 3, date: formatDay(AS_OF - 20) };
    const bodies = [
      ['rental', { units: [{ bedrooms: 2, bathrooms: 1 }] }],
      ['multifamily', { total_units: 6, bedrooms: 9, bathrooms: 6 }],
    ] as const;
    for (const [kind, property_fields] of bodies) {
      const valued = await postTo(service, `/v1/avm/${kind}`, { location, property_fields, search_params });
      assert.equal(valued.status, 200, JSON.stringify(valued.body));
      const { valuation_id: other, point_value: usd, model } = valued.body.valuation;
      const page = await report(service, other);
      for (const text of [`$${usd.toLocaleString('en-US')}`, model.sha256, '1. '])
        assert.ok(page.body.includes(text), `${kind}: ${text}`);
      assert.equal((await report(service, other, '?format=pdf')).statusCode, 200);
    }
  });

  await t.test(
    'a share link shows its report to anyone, and no other valuation, until it is revoked',
    async () => {
      const { share_id: shareId, path, url, version } = await shareOf(service, id, { version: 'appraiser' });
      assert.deepEqual([url, version], [PUBLIC_URL + path, 'appraiser']);
      const shared = await open(service, path);
      assert.equal(shared.statusCode, 200);
      assert.equal(shared.body.replace(/<nav.*<\/nav>/s, ''), (await report(service, id)).body);
      const [pdfPath] = shared.body.match(/(?<=href=")[^"]*paper=a4/) ?? assert.fail('no link to the PDF');
      const pdf = await open(service, path + pdfPath.replace('&amp;', '&'));
      assert.deepEqual([pdf.statusCode, pdf.headers['content-type']], [200, 'application/pdf']);
      assert.match(String(shared.headers['x-robots-tag']), /noindex/);
      assert.equal(shared.headers['referrer-policy'], 'no-referrer');
      assert.equal(shared.headers['cache-control'], 'no-store');
      assert.equal((await open(service, `${path}?format=pdf`)).headers['content-type'], 'application/pdf');
      const other = (await valuationOf(service, 0)).valuation.valuation_id;
      assert.equal((await open(service, `${path}?valuation_id=${other}`)).body, shared.body);

      const [listed] = (await getFrom(service, `/v1/valuations/${id}/shares`)).body.shares;
      assert.deepEqual([listed.share_id, listed.opened, listed.revoked_at], [shareId, 4, null]);
      assert.equal((await getFrom(service, `/v1/valuations/${other}/shares`)).body.shares.length, 0);
      assert.equal((await revoke(service, other, shareId)).statusCode, 404);
      assert.equal((await revoke(service, id, shareId)).statusCode, 200);
      assert.equal((await revoke(service, id, shareId)).statusCode, 404);
      const gone = await open(service, path, { accept: 'text/html' });
      assert.equal(gone.statusCode, 410);
      assert.match(gone.body, /<h1>.*not available.*revoked/s);
      assert.deepEqual((await open(service, path)).json().code, 'gone');
    },
  );

  await t.test(
    'a share link expires, its secret is not stored, and its changes are in the audit log',
    async () => {
      const { path } = await shareOf(service, id, { expires_in_days: 1 });
      const secret = String(path).split('/')[2] ?? '';
      const { db } = service.operations.store;
      const rows = await db.selectFrom('report_shares').selectAll().execute();
      assert.equal(JSON.stringify(rows).includes(secret), false);
      await db.updateTable('report_shares').set({ expiresAt: 1 }).where('revokedAt', 'is', null).execute();
      assert.equal((await open(service, path)).statusCode, 410);
      for (const wrong of [`${path}x`, path.slice(0, -1), '/share/x'])
        assert.equal((await open(service, wrong)).statusCode, 404);
      const actions = await db.selectFrom('audit_log').select('action').where('subject', '=', id).execute();
      assert.deepEqual(actions.map(({ action }) => action).sort(), [
        'share.created',
        'share.created',
        'share.revoked',
      ]);
    },
  );

  await t.test('the link in a report verifies this valuation without its address', async () => {
    const page = (await report(service, id)).body;
    const [, path = ''] = new RegExp(`${PUBLIC_URL}(/verify/[^"<\\s]+)`).exec(page) ?? [];
    const verified = await open(service, path);
    assert.equal(verified.statusCode, 200);
    for (const text of [id, valuation.model.sha256, `$${valuation.point_value.toLocaleString('en-US')}`])
      assert.ok(verified.body.includes(text), text);
    assert.equal(verified.body.includes(body.address_info.street_address), false);
    const other = (await valuationOf(service, 0)).valuation.valuation_id;
    assert.equal((await open(service, path.replace(id, other))).statusCode, 404);
    assert.equal((await open(service, `${path.slice(0, -1)}!`)).statusCode, 404);
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

  await t.test('a report names who prepared it and for whom, and a share link keeps that', async () => {
    const given = {
      prepared_by: 'Ada <Jones>',
      license_number: '1234-10',
      license_state: 'WI',
      prepared_for: 'First Bank',
      file_number: 'A-7',
    };
    const query = `?${new URLSearchParams(given)}`;
    const plain = (await report(service, id)).body;
    assert.ok(!plain.includes('Prepared by'));
    const share = await shareOf(service, id, given);
    for (const { body: page } of [await report(service, id, query), await open(service, share.path)]) {
      for (const text of ['Ada &lt;Jones&gt;', 'WI 1234-10', 'First Bank', 'A-7'])
        assert.ok(page.includes(`<dd>${text}</dd>`), text);
    }
    const pdfs = [`${query}&format=pdf`, '?format=pdf'].map(async (each) => report(service, id, each));
    const [prepared, without] = await Promise.all(pdfs);
    assert.equal(prepared?.statusCode, 200);
    assert.ok(!prepared.rawPayload.equals(without?.rawPayload ?? Buffer.alloc(0)));
    assert.equal((await report(service, id, '?prepared_by=%20')).body, plain);
    assert.equal((await report(service, id, '?license_state=ZZ')).statusCode, 422);
  });
}

test('the report of a valuation', async (t) => {
  await withSampleFiles(async (files, dir) => {
    await onEveryEngine(
      t,
      (engine) => startService(engine, dir, { hasRents: true }),
      async (t, service) => reportTests(t, service, files.sales, dir),
      async (services) => {
        const pages = await Promise.all(
          services.map(async (service) => {
            const id = (await valuationOf(service, 6)).valuation.valuation_id;
            const page = (await report(service, id)).body;
            // Ids of valuations and models differ, and with them the link that verifies.
            const contents = page.replace(/To verify this report[\s\S]*?<\/figure>/, '');
            return contents.replaceAll(id, 'ID').replaceAll(/sample-county-2026-05-31-\w+/g, 'MODEL');
          }),
        );
        for (const page of pages) assert.equal(page, pages[0]);
      },
    );
  });
});
