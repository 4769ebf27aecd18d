import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { addMonths, formatDay, parseDay } from '../src/domain/day.ts';
import { importIndex } from '../src/load/index/import-index.ts';
import { train } from '../src/operations/training/train.ts';
import { splitChange } from '../src/operations/past/split-change.ts';
import { DEFAULT_ACCOUNT_ID } from '../src/store/accounts.ts';
import { putBlob } from '../src/store/blobs.ts';
import { listModels, saveModel } from '../src/store/models.ts';
import { packModel } from '../src/valuation/typed-columns.ts';
import { quickJobs } from './cached-jobs.ts';
import type { Json } from './json.ts';
import {
  AS_OF,
  county,
  getFrom,
  MARKET_ID,
  onEveryEngine,
  postTo,
  startService,
  withLaterSales,
  withSampleFiles,
  type TestService,
} from './service-fixture.ts';

const VALUE = '/v1/avm/property';
const HISTORY = '/v1/avm/property/history';
/** The second model of the county; the first is trained a month before today. */
const FIRST_TRAINED = addMonths(AS_OF, -8);
/** Before the second training and the publication of the figures of `LATER_INDEX`. */
const PAST = AS_OF - 40;
/** A serving thread may know the models as they were a second ago (src/operations/market-data/market-catalog.ts). */
const CATALOG_MS = 1100;
const SOLD = soldHome();
const REQUEST = {
  location: { latitude: SOLD.parcel.lat, longitude: SOLD.parcel.lon },
  property_fields: { total_bedrooms: 3, total_bathrooms: 2, living_area: 1600 },
};
const AS_KNOWN_THEN = { ...REQUEST, search_params: { date: formatDay(PAST) }, forecast_months: 6 };

function soldHome() {
  const sale = county.sales.find(({ parcel, recordedOn }) => parcel.type === 'houses' && recordedOn < PAST);
  assert.ok(sale);
  return sale;
}

test('the value history of a home', async (t) => {
  await withSampleFiles(async (files, dir) => {
    await onEveryEngine(
      t,
      async (engine) => {
        const service = await startService(engine, dir);
        const { store, clock } = service.operations;
        const deps = { store, clock, runJobs: quickJobs(0.02) };
        const request = { marketId: MARKET_ID, trainedOn: FIRST_TRAINED, kind: 'property' } as const;
        await train(deps, { ...request, isActivated: true }, () => {});
        await sleep(CATALOG_MS);
        return service;
      },
      async (t, service) => historyTests(t, service, files.sales, dir),
      async (services) => {
        const answers = await Promise.all(
          services.map(async (service) => (await postTo(service, HISTORY, AS_KNOWN_THEN)).body),
        );
        const [first, ...others] = answers.map(withoutModels);
        for (const other of others) assert.equal(other, first);
      },
    );
  });
});

/** Each engine has its own model ids. */
const withoutModels = (body: Json): string =>
  JSON.stringify(body).replaceAll(/"model_id":"[^"]*"/g, '"model_id":""');

async function historyTests(t: TestContext, service: TestService, salesFile: string, dir: string) {
  const read = async (body: object, path = HISTORY): Promise<Json> => {
    const { status, body: answer } = await postTo(service, path, body);
    assert.equal(status, 200, JSON.stringify(answer));
    return answer;
  };
  const answer = await read(REQUEST);

  await t.test('each as-of value is what the value endpoint returns for the date', async () => {
    const points = answer.history.filter(({ basis }: Json) => basis === 'as_of_value');
    assert.ok(points.length >= 9, String(points.length));
    assert.equal(new Set(points.map(({ model_id: model }: Json) => model)).size, 2);
    for (const point of points) {
      const { valuation } = await read({ ...REQUEST, search_params: { date: point.date } }, VALUE);
      const { p10: lower, p90: upper } = valuation.probabilistic_distribution.percentiles;
      assert.deepEqual(point, {
        date: valuation.as_of_date,
        value: valuation.point_value,
        interval_80: { lower, upper },
        interval_90: valuation.confidence_interval_90,
        basis: 'as_of_value',
        model_id: valuation.model.id,
      });
    }
    assert.equal(points.at(-1).date, formatDay(AS_OF));
    assert.deepEqual(answer.history.at(-1), points.at(-1));
  });

  await t.test('a change between two values is split to the dollar', async () => {
    const larger = { ...REQUEST.property_fields, living_area: 4000 };
    const on = (date: string, property_fields: object) =>
      read({ ...REQUEST, property_fields, search_params: { date } }, VALUE);
    const then = await on(formatDay(PAST), REQUEST.property_fields);
    const moved = await on(formatDay(AS_OF), REQUEST.property_fields);
    const now = await on(formatDay(AS_OF), larger);
    const [start, middle, end] = [then, moved, now].map(({ valuation }) => valuation.point_value);
    const split = (before: Json, after: Json, account = DEFAULT_ACCOUNT_ID) => {
      const [beforeId, afterId] = [before, after].map(({ valuation }) => valuation.valuation_id);
      return splitChange(service.operations, account, beforeId, afterId);
    };
    assert.deepEqual(await split(moved, now), {
      market: 0,
      comparables: 0,
      facts: end - middle,
      model: 0,
    });
    assert.notEqual(end, middle);
    const whole = await split(then, now);
    assert.ok(whole && whole.market !== 0 && whole.model !== 0);
    assert.equal(whole.market + whole.comparables + whole.facts + whole.model, end - start);
    assert.equal(await split(then, now, 'another'), null);
  });

  await t.test('months follow each other, carried by the index where no model was trained yet', async () => {
    const days = [...answer.history, ...answer.forecast].map(({ date }: Json) => parseDay(date) ?? 0);
    days.forEach((day, i) => assert.equal(day, addMonths(AS_OF, i + 1 - answer.history.length)));
    for (const { date, basis } of answer.history)
      assert.equal(basis, (parseDay(date) ?? 0) < FIRST_TRAINED ? 'index' : 'as_of_value', date);
    const changes = answer.history
      .slice(1)
      .map(({ value }: Json, i: number) => Math.abs(Math.log(value / answer.history[i].value)));
    const first = answer.history.findIndex(({ basis }: Json) => basis === 'as_of_value');
    assert.ok(changes[first - 1] < 0.05, 'no jump where the bases meet');
  });

  await t.test('ranges of the forecast widen, and it has the requested number of months', async () => {
    const { forecast } = await read({ ...REQUEST, forecast_months: 24 });
    assert.equal(forecast.length, 24);
    const widths = forecast.map(({ interval_90: { lower, upper }, basis }: Json) => {
      assert.equal(basis, 'forecast');
      return Math.log(upper / lower);
    });
    for (let i = 1; i < widths.length; i++) assert.ok(widths[i] > widths[i - 1] - 1e-3);
    assert.deepEqual((await read({ ...REQUEST, forecast_months: 0 })).forecast, []);
  });

  await t.test('the sales of the home itself are listed once they were known', async () => {
    const own = county.sales.filter(({ parcel }) => parcel.parcelId === SOLD.parcel.parcelId);
    const listed = (day: number) =>
      own
        .filter(({ recordedOn }) => recordedOn <= day)
        .sort((a, b) => a.soldOn - b.soldOn)
        .map(({ soldOn, priceUsd }) => ({ sale_date: formatDay(soldOn), sale_price: priceUsd }));
    const shown = ({ sales }: Json) =>
      sales.map(({ sale_date, sale_price }: Json) => ({ sale_date, sale_price }));
    assert.ok(listed(AS_OF).length > 0);
    assert.deepEqual(shown(answer), listed(AS_OF));
    const date = formatDay(SOLD.recordedOn - 1);
    const { status } = await postTo(service, HISTORY, { ...REQUEST, search_params: { date } });
    assert.equal(status, 404, 'before the first model there is no value');
  });

  await t.test('it costs a value and a credit for each earlier month', async () => {
    const body = { ...REQUEST, from: formatDay(addMonths(AS_OF, -3)) };
    const { body: few, headers } = await postTo(service, HISTORY, body);
    assert.equal(few.history.length, 4);
    assert.equal(headers['x-credits-charged'], '33');
    const dry = await postTo(service, HISTORY, body, { 'x-dry-run': 'true' });
    assert.deepEqual(dry.body, { dry_run: true, credits_max: 33 });
    const long = { ...REQUEST, from: formatDay(addMonths(AS_OF, -200)) };
    assert.equal((await postTo(service, HISTORY, long, { 'x-dry-run': 'true' })).body.credits_max, 230);
    const { history, warnings } = await read(long);
    assert.ok(history.length < 70);
    assert.ok(warnings.some(({ code }: Json) => code === 'history_starts_later'));
  });

  await t.test('the last month of the forecast is that of the market’s index', async () => {
    const { body: index } = await postTo(service, '/v1/market/index', { location: REQUEST.location });
    assert.equal(answer.last_forecast_month, index.prices.last_forecast_month);
  });

  await t.test('the query gives the same response, and wrong dates are errors', async () => {
    const { latitude, longitude } = REQUEST.location;
    const query = `latitude=${latitude}&longitude=${longitude}&total_bedrooms=3&total_bathrooms=2&living_area=1600`;
    assert.deepEqual((await getFrom(service, `${HISTORY}?${query}`)).body, answer);
    for (const [body, loc] of [
      [{ from: formatDay(AS_OF + 1) }, ['body', 'from']],
      [{ from: '1990-01-01' }, ['body', 'from']],
      [{ search_params: { date: '2099-01-01' } }, ['body', 'search_params', 'date']],
      [{ forecast_months: 25 }, ['body', 'forecast_months']],
    ] as const) {
      const { status, body: wrong } = await postTo(service, HISTORY, { ...REQUEST, ...body });
      assert.equal(status, 422);
      assert.deepEqual(wrong.detail[0].loc, loc);
    }
  });

  await t.test('a model of an earlier version, which cannot be read, makes no as-of values', async () => {
    const { store } = service.operations;
    const [model] = await listModels(store, { marketId: MARKET_ID });
    const sha256 = await putBlob(
      store,
      packModel({ kind: 'trained-market', format: 1, name: 'trained market' }, {}, {}),
    );
    const trainedOn = addMonths(FIRST_TRAINED, -6);
    await saveModel(store, { ...model, modelId: 'of-an-earlier-version', sha256, trainedOn });
    await new Promise((resolve) => setTimeout(resolve, 1100)); // the market list is cached for a second
    assert.deepEqual(await read(REQUEST), answer);
  });

  await t.test(
    'sales, also of the home itself, and index figures known after the as-of date change no byte',
    async () => {
      const before = await read(AS_KNOWN_THEN);
      await service.importFile('sales', await withLaterSales(salesFile, dir, 2, SOLD.parcel.parcelId));
      const later = join(dir, 'later-index.csv');
      await writeFile(later, LATER_INDEX);
      const { store, clock } = service.operations;
      await importIndex({ store, clock, dataDir: dir }, { marketId: MARKET_ID, files: [later] });
      await new Promise((resolve) => setTimeout(resolve, 1100)); // the market list is cached for a second
      assert.equal(JSON.stringify(await read(AS_KNOWN_THEN)), JSON.stringify(before));
      const now = await read(REQUEST);
      assert.ok(now.sales.length > answer.sales.length);
      assert.notDeepEqual(now.forecast, answer.forecast);
    },
  );
}

/** A publisher's index that rises by 40% in a month. Its figures are published on May 28 and June 27. */
const LATER_INDEX = [
  'hpi_type,hpi_flavor,frequency,level,place_name,place_id,yr,period,index_nsa,index_sa',
  'traditional,purchase-only,monthly,USA or Census Division,East North Central Division,DV_ENC,2026,3,,100',
  'traditional,purchase-only,monthly,USA or Census Division,East North Central Division,DV_ENC,2026,4,,140',
].join('\n');
