import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { formatDay } from '../src/domain/day.ts';
import type { Json } from './json.ts';
import {
  AS_OF,
  MARKET_ID,
  onEveryEngine,
  postTo,
  startService,
  withLaterSales,
  withSampleFiles,
  type TestService,
} from './service-fixture.ts';

const INDEX = '/v1/market/index';
const AREAS = '/v1/market/areas';
const PAST = formatDay(AS_OF - 20);
const REQUESTS: readonly (readonly [string, object])[] = [
  [INDEX, { market: MARKET_ID, date: PAST, forecast_months: 24 }],
  [INDEX, { market: MARKET_ID, date: PAST, property_type: 'houses', area: 'model_area:0' }],
  [AREAS, { market: MARKET_ID, date: PAST, level: 'model_area' }],
];

test('the index of a market', async (t) => {
  await withSampleFiles(async (files, dir) => {
    await onEveryEngine(
      t,
      (engine) => startService(engine, dir, { hasRents: true }),
      async (t, service) => indexTests(t, service, files.sales, dir),
      async (services) => {
        for (const [path, body] of REQUESTS) {
          const [first, ...others] = await Promise.all(
            services.map(async (service) => (await postTo(service, path, body)).body),
          );
          for (const other of others) assert.deepEqual(withoutModel(other), withoutModel(first));
        }
      },
    );
  });
});

/** Each engine has its own model ids. */
const withoutModel = (body: Json): string => JSON.stringify(body).replaceAll(/"id":"[^"]*"/g, '');

async function indexTests(t: TestContext, service: TestService, salesFile: string, dir: string) {
  const read = async (body: object, path = INDEX): Promise<Json> => {
    const { status, body: answer } = await postTo(service, path, body);
    assert.equal(status, 200, JSON.stringify(answer));
    return answer;
  };
  const [[, whole]] = REQUESTS;

  await t.test('80% ranges are inside 95% ranges, and both widen with the months of forecast', async () => {
    const { prices } = await read(whole);
    for (const { index, interval_80: inner, interval_95: outer } of [...prices.history, ...prices.forecast]) {
      assert.ok(outer.lower <= inner.lower && inner.lower <= index);
      assert.ok(index <= inner.upper && inner.upper <= outer.upper);
    }
    const widths = prices.forecast.map(({ interval_95: { lower, upper } }: Json) => Math.log(upper / lower));
    assert.equal(widths.length, prices.forecast.length);
    for (let i = 1; i < widths.length; i++) assert.ok(widths[i] > widths[i - 1] - 1e-3);
    assert.ok(widths.at(-1) > 2 * widths[0]);
  });

  await t.test('stress widens the forecast, and no month with sales', async () => {
    const [usual, stressed] = [await read(whole), await read({ ...whole, stress: 1.5 })];
    assert.deepEqual([usual.stress, stressed.stress], [1, 1.5]);
    assert.deepEqual(stressed.prices.history, usual.prices.history);
    const width = ({ interval_95: { lower, upper } }: Json) => Math.log(upper / lower);
    const [last, wider] = [usual, stressed].map(({ prices }) => width(prices.forecast.at(-1)));
    assert.ok(wider > 1.2 * last && wider < 1.5 * last, `${wider} ${last}`);
  });

  await t.test('months follow each other without a gap, and the forecast ends as requested', async () => {
    const { prices } = await read(whole);
    const months: string[] = [...prices.history, ...prices.forecast].map(({ month }) => month);
    const numbers = months.map((month) => 12 * Number(month.slice(0, 4)) + Number(month.slice(5)));
    numbers.forEach((number, i) => assert.equal(number, numbers[0] + i));
    assert.equal(prices.history[0].index, 100);
    assert.equal(prices.history.at(-1).month, prices.last_month);
    assert.equal(months.at(-1), '2028-06');
    const [last, end] = [prices.last_month, prices.last_forecast_month].map(
      (month) => 12 * Number(month.slice(0, 4)) + Number(month.slice(5)),
    );
    assert.equal(end - last, 24, 'two years after the newest month with sales');
  });

  await t.test('a month with few sales has a count and no median', async () => {
    const { prices } = await read({ ...whole, property_type: 'townhomes' });
    for (const { sales, median_price: median } of prices.history) assert.equal(median === null, sales < 10);
  });

  await t.test('rents are listed for all listings and by bedrooms', async () => {
    const { rents } = await read(whole);
    assert.equal(rents[0].bedrooms, null);
    assert.ok(rents.length > 1);
    for (const { history } of rents) assert.ok(history.some(({ listings }: Json) => listings > 0));
  });

  await t.test(
    'a type or area with too few sales is an error, and in the list of areas has no change',
    async () => {
      const { status, body } = await postTo(service, INDEX, { market: MARKET_ID, area: 'zip:00001' });
      assert.deepEqual([status, body.code], [404, 'insufficient_data']);
      const { areas } = await read(
        { market: MARKET_ID, level: 'model_area', property_type: 'mobile' },
        AREAS,
      );
      for (const { sales, year_over_year_pct: change } of areas) assert.ok(sales >= 5 || change === null);
    },
  );

  await t.test('a small area of the model has the name that its sales give it', async () => {
    const { areas } = await read({ market: MARKET_ID, level: 'model_area' }, AREAS);
    assert.ok(areas.length > 1);
    for (const { name } of areas) assert.match(name, /^ZIP \d{5}( and \d{5})?$/);
  });

  await t.test('the index of each listed area has the change of the list', async () => {
    const { areas } = await read({ market: MARKET_ID, date: PAST }, AREAS);
    const shown = areas.filter(({ year_over_year_pct: change }: Json) => change !== null);
    assert.ok(shown.length > 0);
    for (const { area, year_over_year_pct: change } of shown.slice(0, 3)) {
      const { prices } = await read({ market: MARKET_ID, date: PAST, area });
      assert.equal(prices.year_over_year_pct, change, area);
    }
  });

  await t.test('a request needs a market or a place, and a known kind of area', async () => {
    for (const [body, loc] of [
      [{}, ['body', 'market']],
      [{ market: MARKET_ID, area: 'county:1' }, ['body', 'area']],
      [{ market: MARKET_ID, date: '2099-01-01' }, ['body', 'date']],
      [{ location: { latitude: 41 } }, ['body', 'location', 'longitude']],
    ] as const) {
      const { status, body: answer } = await postTo(service, INDEX, body);
      assert.equal(status, 422);
      assert.deepEqual(answer.detail[0].loc, loc);
    }
    const { status, body } = await postTo(service, INDEX, { market: 'nowhere' });
    assert.deepEqual([status, body.code], [404, 'not_found']);
  });

  await t.test('sales recorded after the as-of date change no byte when imported later', async () => {
    const all = () => Promise.all(REQUESTS.map(([path, body]) => read(body, path)));
    const before = await all();
    const today = await read({ market: MARKET_ID });
    await service.importFile('sales', await withLaterSales(salesFile, dir, 1.1));
    await new Promise((resolve) => setTimeout(resolve, 1100)); // the market list is cached for a second
    assert.equal(JSON.stringify(await all()), JSON.stringify(before));
    assert.notDeepEqual(await read({ market: MARKET_ID }), today);
  });
}
