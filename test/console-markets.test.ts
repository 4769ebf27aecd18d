import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandOf, queueModelJob, type MarketWork } from '../src/jobs/model-jobs.ts';
import { MODEL_JOB_TASKS } from '../src/store/tables/jobs.ts';
import { currentDataset, keepLoadReport } from '../src/store/datasets.ts';
import { claimChunk } from '../src/store/job-queue.ts';
import { endChunk } from '../src/store/job-results.ts';
import { beatRun, beginRun } from '../src/store/runs.ts';
import { engines } from './harness/store/engines.ts';
import { openBrowser, startConsole, type TestBrowser, type TestConsole } from './console-fixture.ts';
import { addTestMarket, TRAINED_ON } from './tiny-market.ts';

const REPORT = {
  rowsRead: 420,
  rowsLoaded: 400,
  rowsRepeated: 3,
  rowsKept: 0,
  rejected: { not_a_date: 17 },
  skipped: {},
  flagged: { before_construction: 2 },
  unreadColumns: [],
  seconds: 1.5,
};

for (const engine of engines) {
  const onMarket = (
    name: string,
    run: (console: TestConsole, browser: TestBrowser) => Promise<void>,
  ): void => {
    test(`${engine.name}: ${name}`, async () => {
      const console = await startConsole(engine);
      try {
        await addTestMarket(console.store);
        await console.addAccount('tenant');
        await console.addUser('mia', 'member', 'tenant');
        const browser = openBrowser(console);
        await browser.signIn('mia');
        await run(console, browser);
      } finally {
        await console.close();
      }
    });
  };

  onMarket(
    'an operator rolls models back and activates them again, and everybody sees why',
    async (console, browser) => {
      await addTestMarket(console.store, TRAINED_ON + 31);
      await console.addUser('olga', 'administrator');
      const operator = openBrowser(console);
      await operator.signIn('olga');
      const states = async () =>
        (await browser.ask('GET', 'markets/town')).body.history.map((model: Record<string, unknown>) => [
          model.state,
          model.is_active,
          model.state_reason,
        ]);
      assert.deepEqual(await states(), [
        ['active', true, null],
        ['active', false, null],
      ]);
      const rolledBack = await operator.ask('POST', 'markets/town/roll-back', { reason: 'Too high' });
      assert.equal(rolledBack.body.models[0].state, 'rolled_back');
      assert.deepEqual(await states(), [
        ['rolled_back', false, 'Too high'],
        ['active', true, null],
      ]);
      const again = await operator.ask('POST', 'markets/town/roll-back', { reason: 'Too low' });
      assert.deepEqual([again.status, again.body.code], [409, 'conflict'], 'the last model stays');
      await operator.ask('POST', `models/${rolledBack.body.models[0].id}/activate`);
      assert.deepEqual(await states(), [
        ['active', true, null],
        ['active', false, null],
      ]);
    },
  );

  onMarket(
    'an operator starts a training once, today or as of a date, and everybody sees that it waits and how it ended',
    async (console, browser) => {
      await console.addUser('olga', 'administrator');
      const operator = openBrowser(console);
      await operator.signIn('olga');
      const market = async () => (await browser.ask('GET', 'markets/town')).body;
      assert.equal((await market()).ended_training, null);
      const unknown = await operator.ask('POST', 'markets/nowhere/train', {});
      assert.deepEqual([unknown.status, unknown.body.code], [404, 'not_found']);
      const asked = await Promise.all([1, 2, 3].map(() => operator.ask('POST', 'markets/town/train', {})));
      assert.deepEqual(asked.map(({ status }) => status).sort(), [200, 409, 409]);
      assert.deepEqual(
        (await market()).work.map(({ task, state }: MarketWork) => [task, state]),
        [['train', 'queued']],
      );
      const now = console.people.clock().getTime();
      const claim = { tasks: MODEL_JOB_TASKS, now, leaseUntil: now + 1000, most: 1 };
      const chunk = await claimChunk(console.store, claim);
      assert.ok(chunk);
      assert.deepEqual(commandOf(chunk.job, chunk.items[0].request).options.slice(0, 2), [
        '--market',
        'town',
      ]);
      const error = { code: 'job_failed', sentence: 'The disk is full.' } as const;
      const outcome = { itemNo: 0, data: null, error, valuation: null, credits: 0 };
      await endChunk(console.store, chunk, { now, outcomes: [outcome], returned: [], endsAs: 'failed' });
      const { work, ended_training: ended } = await market();
      assert.deepEqual([work, ended.failure], [[], 'The disk is full.']);
      const future = await operator.ask('POST', 'markets/town/train', { date: '2999-01-01' });
      assert.deepEqual([future.status, future.body.code], [400, 'bad_request']);
      const early = await operator.ask('POST', 'markets/town/train', { date: '1950-01-01' });
      assert.deepEqual([early.status, early.body.detail[0].loc], [422, ['body', 'date']]);
      assert.match(early.body.detail[0].msg, /^Choose 20\d\d-\d\d-\d\d or later\./);
      assert.deepEqual((await market()).work, [], 'nothing is queued');
      const past = await operator.ask('POST', 'markets/town/train', { date: '2020-01-01' });
      assert.equal(past.status, 200, 'it can be tried again, also as of an earlier date');
      const again = await claimChunk(console.store, claim);
      assert.ok(again);
      const { options } = commandOf(again.job, again.items[0].request);
      assert.deepEqual(options, ['--market', 'town', '--as-of', '2020-01-01']);
    },
  );

  onMarket(
    'every signed-in user sees every market, its versions, models and jobs',
    async (console, browser) => {
      const { store } = console;
      const sales = (await currentDataset(store, 'town', 'sales')) ?? assert.fail('no sales');
      await keepLoadReport(store, sales.datasetId, REPORT);
      await beginRun(store, { runId: 'a', task: 'import', marketId: 'brand-new', kind: 'sales' });
      await beatRun(store, 'a', { step: 'Reading sales', done: 1, total: 4 });
      const study = { task: 'train', options: ['--market', 'town'] } as const;
      await queueModelJob({ store, clock: store.clock, newId: () => 'job-of-self' }, study);

      const list = await browser.ask('GET', 'markets');
      assert.deepEqual(
        list.body.markets.map((market: { id: string }) => market.id),
        ['brand-new', 'town'],
      );
      const [fresh, town] = list.body.markets;
      assert.deepEqual([fresh.loaded, fresh.models, fresh.extent], [[], [], null]);
      assert.deepEqual(
        [fresh.work[0].task, fresh.work[0].state, fresh.work[0].step, fresh.work[0].share],
        ['import', 'running', 'Reading sales', 0.25],
      );
      assert.deepEqual([town.work[0].task, town.work[0].state], ['train', 'queued']);
      assert.equal(list.text.includes('job-of-self'), false, 'the job id is hidden from other accounts');

      const { body } = await browser.ask('GET', 'markets/town');
      assert.deepEqual(body.models, town.models);
      const [version] = body.versions;
      assert.deepEqual(
        [version.id, version.kind, version.state, version.hash],
        [sales.datasetId, 'sales', 'active', sales.contentHash],
      );
      assert.deepEqual([version.report.rows_read, version.report.rejected], [420, { not_a_date: 17 }]);
      assert.deepEqual(
        body.history.map((model: { id: string; is_active: boolean }) => [model.id, model.is_active]),
        [[body.models[0].id, true]],
      );
      assert.equal((await browser.ask('GET', 'markets/nowhere')).status, 404);
      for (const path of ['markets', 'markets/town', `models/${body.models[0].id}/study`]) {
        assert.equal((await openBrowser(console).ask('GET', path)).status, 401, path);
      }
    },
  );

  onMarket(
    'a backtest shows the model’s measured accuracy, and its strata add up to the total',
    async (_, browser) => {
      const { body: market } = await browser.ask('GET', 'markets/town');
      const [{ id, accuracy }] = market.models;
      const { body } = await browser.ask('GET', `models/${id}/study`);
      const { measured } = body;
      assert.deepEqual([body.model, body.kind], [id, 'property']);
      assert.equal(measured.overall.n, accuracy.n);
      assert.ok(Math.abs(measured.overall.mdape.figure - accuracy.mdape) < 1e-4);
      assert.equal(`${measured.from}/${measured.to}`, accuracy.window);
      const sum = (groups: readonly { n: number }[]) => groups.reduce((total, { n }) => total + n, 0);
      for (const part of ['types', 'tiers', 'months', 'areas'])
        assert.equal(sum(measured[part]), accuracy.n, part);
      assert.equal(measured.tiers.length, 5);
      const prices = measured.tiers.map((tier: { median_price: number }) => tier.median_price);
      assert.deepEqual(
        prices,
        prices.toSorted((a: number, b: number) => a - b),
      );
      assert.ok(measured.areas.every((area: { level: string }) => area.level === 'geohash'));
      assert.deepEqual(
        new Map(measured.equity.map(({ stratum, n }: { stratum: string; n: number }) => [stratum, n])),
        new Map([
          ['all', accuracy.n],
          ...measured.types.map(({ key, n }: { key: string; n: number }) => [key, n]),
        ]),
      );
      const [overall] = measured.equity;
      assert.deepEqual(
        overall.measures.map(({ measure, range }: { measure: string; range: number[] }) => [measure, range]),
        [
          ['median_ratio', [0.9, 1.1]],
          ['cod', [5, 15]],
          ['prd', [0.98, 1.03]],
          ['prb', [-0.05, 0.05]],
          ['vei', [-10, 10]],
        ],
      );
      const ofApi = await browser.ask('GET', `models/${id}/accuracy`);
      assert.deepEqual(ofApi.body.equity, measured.equity, 'the API returns the same figures');
      assert.equal((await browser.ask('GET', 'models/none/study')).status, 404);
    },
  );

  onMarket(
    'the holdout sales are those of the accuracy figures, also by area and fifth, and a list of some is spread over all',
    async (_, browser) => {
      const { body: market } = await browser.ask('GET', 'markets/town');
      const [{ id }] = market.models;
      const { measured } = (await browser.ask('GET', `models/${id}/study`)).body;
      const list = async (query: string) =>
        (await browser.ask('GET', `models/${id}/holdout-sales?limit=${query}`)).body;
      const { total, sales } = await list('100000');
      assert.equal(total, measured.overall.n);
      assert.equal(sales.length, total);
      const ratios = sales.map(({ ratio }: { ratio: number }) => ratio).sort((a: number, b: number) => a - b);
      const middle = (ratios[Math.floor((total - 1) / 2)] + ratios[Math.floor(total / 2)]) / 2;
      assert.ok(Math.abs(middle - measured.overall.median_ratio.figure) < 2e-4);
      assert.ok(
        sales.every(
          (sale: { record_id: string; parcel_id: string }) => sale.record_id !== '' && sale.parcel_id !== '',
        ),
        'each is found in the data of the training',
      );
      for (const area of measured.areas) {
        const ofArea = await list(`100000&area=${area.key}`);
        assert.equal(ofArea.total, area.n);
        assert.deepEqual(
          ofArea.sales,
          sales.filter((sale: { area: string }) => sale.area === area.key),
        );
      }
      for (const tier of measured.tiers) {
        const ofTier = await list(`100000&tier=${tier.key}`);
        assert.equal(ofTier.total, tier.n);
        const prices = ofTier.sales
          .map(({ price }: { price: number }) => price)
          .sort((a: number, b: number) => a - b);
        const middle = (prices[Math.floor((tier.n - 1) / 2)] + prices[Math.floor(tier.n / 2)]) / 2;
        assert.ok(Math.abs(middle - tier.median_price) <= 1, `fifth ${tier.key}`);
      }
      const some = await list('3');
      assert.equal(some.total, total);
      assert.deepEqual(
        some.sales,
        [0, 1, 2].map((i) => sales[Math.floor((i * total) / 3)]),
      );
      assert.equal((await browser.ask('GET', 'models/none/holdout-sales')).status, 404);
    },
  );
}
