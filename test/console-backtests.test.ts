import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDay, parseDay } from '../src/domain/day.ts';
import { commandOf } from '../src/jobs/model-jobs.ts';
import { MODEL_JOB_TASKS } from '../src/store/tables/jobs.ts';
import { deleteMarket, readMarketContents } from '../src/operations/market/delete-market.ts';
import { readProtocol } from '../src/operations/studies/backtest/protocol.ts';
import { salesCsv } from '../src/operations/studies/backtest/tested-sales.ts';
import { runBacktest, type Backtest } from '../src/operations/studies/backtest.ts';
import { saveBacktest } from '../src/operations/studies/saved-backtests.ts';
import { BY_COMMAND_LINE } from '../src/store/audit-log.ts';
import { deleteAll } from '../src/store/delete-datasets.ts';
import { claimChunk } from '../src/store/job-queue.ts';
import { endChunk } from '../src/store/job-results.ts';
import { insertSales } from '../src/store/property-records.ts';
import { beginDataset, publishDataset } from '../src/store/publish-dataset.ts';
import type { Store } from '../src/store/store.ts';
import { unusedBlobs, UNUSED_KEPT_MS } from '../src/store/unused-blobs.ts';
import { openBrowser, startConsole, type TestBrowser, type TestConsole } from './console-fixture.ts';
import { QUICK_STUDY } from './harness/backtest/quick-backtest.ts';
import { engines } from './harness/store/engines.ts';
import { SOURCE, testSale } from './harness/store/rows.ts';
import { testColumns } from './harness/valuation/market.ts';
import { addTestMarket } from './tiny-market.ts';

const METHOD = new URL('./harness/backtest/made-up-method.ts', import.meta.url).href;

function backtest(sales: number): Promise<Backtest> {
  const columns = testColumns(sales);
  const flag = columns.flag.map((_, row) => (row % 10 === 0 ? 7 : 0));
  return runBacktest(
    {
      columns: { ...columns, flag },
      threads: 1,
      methodUrl: METHOD,
      effort: QUICK_STUDY,
      onProgress: () => undefined,
    },
    { market: 'town', kind: 'property', protocol: readProtocol({ folds: 'row' }), baselines: false },
  );
}

/** Hashes of the blobs that a later pass of the retention keeps. */
async function keptBlobs(store: Store): Promise<string[]> {
  const later = { ...store, clock: () => new Date(store.clock().getTime() + 2 * UNUSED_KEPT_MS) };
  await deleteAll(later, unusedBlobs(later));
  return (await store.db.selectFrom('blobs').select('sha256').execute()).map(({ sha256 }) => sha256);
}

for (const engine of engines) {
  const onMarket = (
    name: string,
    run: (console: TestConsole, operator: TestBrowser) => Promise<void>,
  ): void => {
    test(`${engine.name}: ${name}`, async () => {
      const console = await startConsole(engine);
      try {
        await addTestMarket(console.store);
        await console.addUser('olga', 'administrator');
        const operator = openBrowser(console);
        await operator.signIn('olga');
        await run(console, operator);
      } finally {
        await console.close();
      }
    });
  };

  onMarket(
    'an operator queues one backtest at a time, its result is kept, and everybody sees why it failed',
    async (console, operator) => {
      const ask = (market: string, from: string, to: string) =>
        operator.ask('POST', `markets/${market}/backtests/property`, { from, to });
      assert.equal((await ask('nowhere', '2014-01-01', '2014-12-31')).status, 404);
      assert.equal((await ask('town', '2014-01-01', '2013-12-31')).status, 400);
      assert.equal((await ask('town', '2014-02-30', '2014-12-31')).status, 422);
      const early = await ask('town', '1950-01-01', '2014-12-31');
      assert.deepEqual([early.status, early.body.detail[0].loc], [422, ['body', 'from']]);
      const [, first] = /^Choose (20\d\d-\d\d-\d\d) or later\./.exec(early.body.detail[0].msg) ?? [];
      const dayBefore = formatDay((parseDay(first) ?? 0) - 1);
      assert.equal((await ask('town', dayBefore, '2014-12-31')).status, 422);
      const asked = await Promise.all([1, 2, 3].map(() => ask('town', '2014-01-01', '2014-12-31')));
      assert.deepEqual(asked.map(({ status }) => status).sort(), [200, 409, 409]);
      const { jobs } = (await operator.ask('GET', 'markets/town/history')).body;
      assert.deepEqual([jobs[0].task, jobs[0].status, jobs[0].requested_by], ['backtest', 'queued', 'olga']);
      const now = console.people.clock().getTime();
      const claim = { tasks: MODEL_JOB_TASKS, now, leaseUntil: now + 1000, most: 1 };
      const chunk = await claimChunk(console.store, claim);
      assert.ok(chunk);
      assert.equal(
        commandOf(chunk.job, chunk.items[0].request).options.join(' '),
        '--market town --kind property --from 2014-01-01 --to 2014-12-31 --every 1mo --save',
      );
      const error = { code: 'job_failed', sentence: 'Begin later.' } as const;
      const outcome = { itemNo: 0, data: null, error, valuation: null, credits: 0 };
      await endChunk(console.store, chunk, { now, outcomes: [outcome], returned: [], endsAs: 'failed' });
      await console.addAccount('tenant');
      await console.addUser('mia', 'member', 'tenant');
      const member = openBrowser(console);
      await member.signIn('mia');
      const { saved, ended } = (await member.ask('GET', 'markets/town/backtests/property')).body;
      assert.deepEqual([saved, ended.failure], [null, 'Begin later.']);
    },
  );

  onMarket(
    'the offered days of a backtest begin after a quarter of the sales, for every kind that has some',
    async ({ store }, operator) => {
      const offer = (market: string, kind: string) =>
        operator.ask('GET', `markets/${market}/backtests/${kind}/offered`);
      const sales = Array.from({ length: 900 }, (_, i) => testSale(i));
      const datasetId = await beginDataset(store, { marketId: 'hill', kind: 'sales', source: SOURCE });
      await insertSales(store, datasetId, sales);
      await publishDataset(store, datasetId, { rows: 900, contentHash: 'hill', snapshotSha256: null });
      const days = sales.map(({ soldOn }) => soldOn);
      const { from, to } = (await offer('hill', 'property')).body;
      const [first, last] = [parseDay(from), parseDay(to)];
      assert.ok(first !== null && last !== null && first <= last && last <= Math.max(...days));
      assert.ok(days.filter((day) => day < first).length > days.length / 4);
      assert.deepEqual((await offer('hill', 'multifamily')).body.from, from);
      assert.equal((await offer('hill', 'rental')).status, 409);
      assert.equal((await offer('town', 'property')).status, 409, 'its snapshot has no rows');
      assert.equal((await offer('town', 'castles')).status, 404);
      assert.equal((await offer('nowhere', 'property')).status, 404);
    },
  );

  onMarket(
    'an operator cancels a queued backtest once, and only in its own market',
    async (console, operator) => {
      const days = { from: '2014-01-01', to: '2014-12-31' };
      const { id } = (await operator.ask('POST', 'markets/town/backtests/property', days)).body;
      const cancel = (market: string) => operator.ask('POST', `markets/${market}/history/${id}/cancel`);
      assert.equal((await cancel('hill')).status, 404);
      assert.deepEqual(
        [await cancel('town'), await cancel('town')].map(({ status }) => status),
        [200, 409],
      );
      const [job] = (await operator.ask('GET', 'markets/town/history')).body.jobs;
      assert.deepEqual([job.id, job.status, job.failure], [id, 'cancelled', null]);
      const { ended } = (await operator.ask('GET', 'markets/town/backtests/property')).body;
      assert.equal(ended.failure, 'It was canceled.');
      const now = console.people.clock().getTime();
      const claim = { tasks: MODEL_JOB_TASKS, now, leaseUntil: now + 1000, most: 1 };
      assert.equal(await claimChunk(console.store, claim), null);
      assert.equal((await operator.ask('POST', 'markets/town/backtests/property', days)).status, 200);
    },
  );

  onMarket(
    'the saved backtest of a market is shown by year and type with its sales, until the next one or the end of the market',
    async ({ store }, operator) => {
      const read = async () => (await operator.ask('GET', 'markets/town/backtests/property')).body.saved;
      const file = () => operator.ask('GET', 'markets/town/backtests/property/sales.csv');
      const before = (await keptBlobs(store)).length;
      assert.equal((await file()).status, 404);
      const first = await backtest(300);
      const { protocol } = first.report;
      // As it was saved before months were spelled out.
      const description = 'walk-forward: closings from 2014-01-01 to 2014-12-31, retrained every 1mo';
      const report = { ...first.report, protocol: { ...protocol, description } };
      await saveBacktest(store, { ...first, report }, store.clock().getTime() - 90_000);
      const saved = await read();
      assert.deepEqual([saved.seconds, saved.tested, saved.flagged], [90, 300, 30]);
      assert.match(saved.protocol, /retrained every month$/);
      const { unflagged } = first.report;
      const counts = [
        ['all', unflagged.overall] as const,
        ...Object.entries(unflagged.by_type).map(([type, of]) => [`all ${type}`, of] as const),
        ...Object.entries(unflagged.by_year),
        ...Object.entries(unflagged.by_year_and_type),
      ].map(([key, { n, cod, vei }]) => ({ key, n, cod, vei }));
      assert.ok(counts.some(({ key }) => key === '2014 houses'));
      const shown: typeof counts = saved.years;
      assert.deepEqual(
        shown.map(({ key, n, cod, vei }) => ({ key, n, cod, vei })),
        counts,
      );
      const ranges = new Map<string, number[]>(
        saved.equity.map((study: { stratum: string; measures: { measure: string; range: number[] }[] }) => [
          study.stratum,
          study.measures.find(({ measure }) => measure === 'cod')?.range,
        ]),
      );
      assert.deepEqual(ranges.get('2014 houses'), [5, 15]);
      const csv = await file();
      assert.equal(csv.text, [...salesCsv(first.tested)].join(''));
      assert.equal((await operator.ask('GET', 'markets/town/backtests/rental')).body.saved, null);

      await saveBacktest(store, await backtest(200), store.clock().getTime());
      assert.equal((await read()).tested, 200);
      assert.equal((await keptBlobs(store)).length, before + 1, 'the sales of the first one are deleted');
      assert.equal((await file()).text.split('\n').length, 202);

      const contents = await readMarketContents(store, 'town');
      const { bytes } = await store.db
        .selectFrom('blobs')
        .select(({ fn }) => fn.sum<number>('byteCount').as('bytes'))
        .where('sha256', 'in', await keptBlobs(store))
        .executeTakeFirstOrThrow();
      assert.equal(contents.blobBytes, Number(bytes));
      await deleteMarket(store, contents, BY_COMMAND_LINE, async () => undefined);
      assert.equal(await read(), null);
      assert.deepEqual(await keptBlobs(store), []);
    },
  );
}
