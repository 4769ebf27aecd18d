import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Json } from './json.ts';
import {
  AS_OF,
  county,
  getFrom,
  onEveryEngine,
  postTo,
  startService,
  withSampleFiles,
  type TestService,
} from './service-fixture.ts';
import { formatDay } from '../src/domain/day.ts';

test('a misspelled member of a challenge or a list is named in its warnings, also when it is read again, or rejected', async (t) => {
  const named: string[][] = [];
  const tests = async (_: TestContext, service: TestService): Promise<void> => {
    const { address } = county.sales[0].parcel;
    const { body: valued } = await postTo(service, '/v1/avm/property', {
      location: { address: `${address.street}, ${address.city}` },
      search_params: { date: formatDay(AS_OF - 10) },
      property_fields: { total_bedrooms: 3, total_bathrooms: 2, colour: 'red' },
    });
    const path = `/v1/valuations/${valued.valuation.valuation_id}/challenge`;
    const misspelled = { excluded_comparables: [], property_fields: { living_aera: 2000 }, note: 'smaller' };
    const { status, body } = await postTo(service, path, misspelled);
    assert.equal(status, 200);
    const unknown = (of: Json): string[] =>
      of.valuation.warnings
        .filter(({ code }: Json) => code === 'unknown_member')
        .map(({ field }: Json) => field);
    // What the challenged request ignored stays ignored.
    assert.deepEqual(unknown(body), ['colour', 'excluded_comparables', 'living_aera']);
    const again = await getFrom(service, `/v1/valuations/${body.challenge.valuation_id}`);
    named.push(unknown(again.body));
    const strict = await postTo(service, path, misspelled, { prefer: 'handling=strict' });
    assert.equal(strict.status, 422);
    const watched = await postTo(service, '/v1/portfolios', {
      name: 'one',
      properties: [
        {
          location: { address: `${address.street}, ${address.city}` },
          property_fields: { total_bedrooms: 3, total_bathrooms: 2 },
        },
      ],
    });
    const portfolio = `/v1/portfolios/${watched.body.portfolio_id}`;
    for (const list of [
      '/v1/challenges',
      '/v1/saved-valuations',
      '/v1/usage',
      `${portfolio}/properties`,
      `${portfolio}/alerts`,
    ]) {
      const { body: listed } = await getFrom(service, `${list}?colour=red`);
      assert.deepEqual(
        listed.warnings.map(({ code, field }: Json) => [code, field]),
        [['unknown_member', 'colour']],
        list,
      );
    }
  };
  await onEveryEngine(
    t,
    (engine) => startService(engine, ''),
    tests,
    async () => {
      assert.ok(named.length > 0);
      for (const each of named) assert.deepEqual(each, ['colour', 'excluded_comparables', 'living_aera']);
    },
  );
});

test('an added sale that is too cheap or given twice is rejected; a contradicted one and one far from the value are warnings', async (t) => {
  const tests = async (_: TestContext, service: TestService): Promise<void> => {
    const responses: Json[] = [];
    for (const { parcel } of county.sales.slice(0, 50)) {
      const { address, attributes, type } = parcel;
      const { body } = await postTo(service, '/v1/avm/property', {
        location: { address: `${address.street}, ${address.city}` },
        search_params: { date: formatDay(AS_OF - 10), num_comps: 20 },
        property_fields: {
          total_bedrooms: attributes.bedrooms ?? 3,
          total_bathrooms: 2,
          property_type: type,
        },
      });
      responses.push(body);
    }
    const times = responses.flatMap(({ comparables, valuation }) =>
      comparables.items.map((item: Json) => item.adjusted_price / valuation.point_value),
    );
    const far = times.filter((each) => each > 2 || each < 1 / 2);
    assert.ok(times.length > 500 && far.length <= times.length / 100, `${far.length} of ${times.length}`);
    const [valued] = responses;
    const value = valued.valuation.point_value;
    const [repeated, other] = valued.comparables.items.map(
      ({ street_address, city, sale_date, sale_price }: Json) => ({
        address: `${street_address}, ${city}`,
        sale_date,
        sale_price,
      }),
    );
    const { latitude, longitude } = valued.comparables.items[1];
    const path = `/v1/valuations/${valued.valuation.valuation_id}/challenge`;
    const cheap = await postTo(service, path, {
      comparables: { added: [{ ...repeated, sale_price: 9_999 }] },
    });
    assert.equal(cheap.status, 422);
    assert.deepEqual(
      cheap.body.detail.map(({ loc, type }: Json) => [loc.join('.'), type]),
      [['body.comparables.added.0.sale_price', 'price_outside']],
    );
    const { comp_id } = valued.comparables.items[0];
    const invented = { latitude, longitude, sale_date: formatDay(AS_OF - 100), sale_price: 200_000 };
    for (const [comparables, at] of [
      [{ pinned: [{ comp_id }], added: [repeated] }, 0],
      [{ added: [repeated, { comp_id }] }, 0],
      [{ added: [repeated, { ...repeated, sale_price: repeated.sale_price + 1 }] }, 1],
      [{ added: [invented, { ...invented, property_fields: { total_bedrooms: 2 } }] }, 1],
    ] as const) {
      const twice = await postTo(service, path, { comparables });
      assert.deepEqual(
        [twice.status, twice.body.detail.map(({ loc, type }: Json) => [loc.join('.'), type])],
        [422, [[`body.comparables.added.${at}`, 'duplicate']]],
      );
    }
    const added = [
      repeated,
      { ...repeated, sale_price: Math.round(1.2 * repeated.sale_price) },
      { latitude, longitude, sale_date: formatDay(AS_OF - 100), sale_price: 12_000 },
      { ...other, sale_price: 9 * value },
    ];
    const renovations = [200_000, 9 * value].map((cost) => ({ description: 'roof', cost, year: 2020 }));
    const { status, body } = await postTo(service, path, { comparables: { added }, renovations });
    assert.equal(status, 200);
    const { warnings } = body.valuation;
    const mistyped = warnings.filter(({ field }: Json) => field?.startsWith('renovations'));
    assert.deepEqual(
      mistyped.map(({ code, field }: Json) => [code, field]),
      [['far_from_value', 'renovations.1.cost']],
    );
    const found = warnings.filter(({ field }: Json) => field?.startsWith('comparables.added'));
    assert.deepEqual(
      found.map(({ code, field }: Json) => [code, field.slice(-1)]),
      [
        ['contradicted_sale', '1'],
        ['unverified_sale', '2'],
        ['far_from_value', '2'],
        ['contradicted_sale', '3'],
        ['far_from_value', '3'],
      ],
    );
    const recorded = `$${repeated.sale_price.toLocaleString('en-US')} on ${repeated.sale_date}`;
    assert.ok(found[0].message.includes(recorded), found[0].message);
    assert.ok(found[1].message.includes(`one of ${latitude}, ${longitude} for $12,000`), found[1].message);
    const replayed = await postTo(service, `/v1/valuations/${body.challenge.valuation_id}/replay`, {});
    assert.equal(replayed.body.agrees, true);
  };
  await onEveryEngine(
    t,
    (engine) => startService(engine, ''),
    tests,
    async () => {},
  );
});

/** The sales and a deed of each of two of their homes on the as-of date: at a nominal price, and at that of the sale. */
async function writeDeeds(salesFile: string, dir: string, homes: readonly [Json, Json]): Promise<string> {
  const [header, ...rows] = (await readFile(salesFile, 'utf8')).trimEnd().split('\n');
  const at = (name: string): number => header.split(',').indexOf(name);
  const deeds = homes.map(({ comp_id, sale_price }, i) => {
    const cells = rows.find((row) => row.split(',')[at('record_id')] === comp_id)?.split(',') ?? [];
    cells[at('record_id')] = `deed-${i}`;
    cells[at('sale_date')] = cells[at('recorded_date')] = formatDay(AS_OF);
    cells[at('sale_price')] = String(i === 0 ? 500 : sale_price);
    return cells.join(',');
  });
  const path = join(dir, 'deeds.csv');
  await writeFile(path, [header, ...rows, ...deeds, ''].join('\n'));
  return path;
}

test('an added sale is contradicted by usable sales only, not by a deed at a nominal price', (t) =>
  withSampleFiles(async ({ sales }, dir) => {
    const tests = async (_: TestContext, service: TestService): Promise<void> => {
      const { address } = county.sales[0].parcel;
      const home = {
        location: { address: `${address.street}, ${address.city}` },
        search_params: { date: formatDay(AS_OF), num_comps: 20 },
        property_fields: { total_bedrooms: 3, total_bathrooms: 2 },
      };
      const { body: before } = await postTo(service, '/v1/avm/property', home);
      // Their own sales are too old to be the added ones.
      const [first, second] = before.comparables.items.filter(
        ({ sale_date }: Json) => sale_date < formatDay(AS_OF - 60),
      );
      await service.importFile('sales', await writeDeeds(sales, dir, [first, second]));
      await new Promise((resolve) => setTimeout(resolve, 1100)); // the market list is cached for a second
      const { body: valued } = await postTo(service, '/v1/avm/property', home);
      const added = [first, second].map(({ street_address, city, sale_price }) => ({
        address: `${street_address}, ${city}`,
        sale_date: formatDay(AS_OF - 5),
        sale_price: Math.round(1.1 * sale_price),
      }));
      const path = `/v1/valuations/${valued.valuation.valuation_id}/challenge`;
      const { status, body } = await postTo(service, path, { comparables: { added } });
      assert.equal(status, 200);
      assert.deepEqual(
        body.valuation.warnings
          .filter(({ code }: Json) => code === 'contradicted_sale' || code === 'unverified_sale')
          .map(({ code, field }: Json) => [code, field.slice(-1)]),
        [
          ['unverified_sale', '0'],
          ['contradicted_sale', '1'],
        ],
      );
    };
    await onEveryEngine(
      t,
      (engine) => startService(engine, dir),
      tests,
      async () => {},
    );
  }));
