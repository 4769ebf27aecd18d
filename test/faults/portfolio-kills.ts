import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../src/cli/configured-store.ts';
import { systemClock } from '../../src/clock.ts';
import type { PortfolioRules } from '../../src/domain/portfolio.ts';
import { createPortfolios, type NewHome, type Portfolios } from '../../src/jobs/portfolios.ts';
import { BY_COMMAND_LINE } from '../../src/store/audit-log.ts';
import { checkLedger } from '../../src/store/credit-ledger.ts';
import { checkStoredBytes } from '../harness/store/stored-bytes.ts';
import { listDeliveries } from '../../src/store/deliveries.ts';
import { openStore } from '../../src/store/open-store.ts';
import { listAlerts } from '../../src/store/portfolio-alerts.ts';
import type { Store } from '../../src/store/store.ts';
import { inTransaction } from '../../src/store/transaction.ts';
import { addWebhookEndpoint } from '../../src/store/webhook-endpoints.ts';
import { seededRandom } from '../../src/valuation/random.ts';
import { testItems, testPayer } from '../harness/jobs/jobs.ts';
import type { TestEngine } from '../harness/store/engines.ts';
import { addTestMarket } from '../tiny-market.ts';
import { engineOf } from './fault-engines.ts';
import type { FaultOrder, FaultRun, Figures } from './fault-run.ts';
import { startWork } from './work-process.ts';

const ENDED_WITHIN_MS = 120_000;
/** Homes of a portfolio: valued and compared in about this long. */
const HOMES = 40;
const KILL_WITHIN_MS = 500;
/** Each valued home owes more than it is worth, so each run has one alert for each of them. */
const RULES: PortfolioRules = {
  revalueEvery: 'never',
  changePct: null,
  isOutsideRange: false,
  ltvPct: 50,
  soldWithinMi: null,
};

/** Homes of the made-up market. Every tenth is outside it. */
const homes: readonly NewHome[] = testItems(HOMES).map(({ propertyId, request }, i) => ({
  propertyId,
  balanceUsd: 1e9,
  request: {
    ...request,
    location: { ...request.location, lat: i % 10 === 0 ? 50 : 43.02 + i / 20_000, lon: -87.95 },
  },
}));
const VALUED = HOMES - HOMES / 10;

async function killDuringRuns(
  order: FaultOrder,
  engine: TestEngine['name'],
  workers: number,
): Promise<Figures> {
  const database = await engineOf(engine).create();
  const store = await openStore(database.settings);
  await addTestMarket(store);
  await inTransaction(store, (transaction) =>
    addWebhookEndpoint(transaction, BY_COMMAND_LINE, {
      endpointId: newId(),
      // Not reached: only that one delivery is queued for each run counts.
      url: 'http://192.0.2.1/',
      events: ['portfolio.alerts'],
      createdAt: 1,
    }),
  );
  const portfolios = createPortfolios({ store, clock: systemClock, newId, wake: () => {} });
  const random = seededRandom(order.seed);
  const ids: string[] = [];
  const processes = await Promise.all(
    Array.from({ length: workers }, () => startWork(database, 'plumbline work')),
  );
  for (let kill = 0; kill < order.count; kill++) {
    const { row } = await portfolios.create(testPayer(), { name: `${kill}`, rules: RULES, homes });
    ids.push(row.portfolioId);
    await untilValued(portfolios, row.portfolioId);
    await sleep(KILL_WITHIN_MS * random());
    const victim = Math.floor(workers * random());
    await processes[victim].kill();
    processes[victim] = await startWork(database, 'plumbline work');
    order.onProgress(kill + 1);
  }
  for (const id of ids) await untilRun(portfolios, id, ({ comparedAt }) => comparedAt !== null);
  for (const each of processes) assert.equal(await each.stop(), 0, 'a stopped worker exits with 0');
  const figures = await judge(store, portfolios, ids);
  await store.close();
  await database.drop();
  return figures;
}

type Run = Awaited<ReturnType<Portfolios['read']>>['runs'][number];

async function untilRun(portfolios: Portfolios, id: string, isSo: (run: Run) => boolean): Promise<void> {
  const until = performance.now() + ENDED_WITHIN_MS;
  while (!isSo((await portfolios.read('self', id)).runs[0])) {
    assert.ok(performance.now() < until, `the run of ${id} does not go on`);
    await sleep(10);
  }
}

function untilValued(portfolios: Portfolios, id: string): Promise<void> {
  return untilRun(portfolios, id, ({ completed }) => completed > 0);
}

async function judge(store: Store, portfolios: Portfolios, ids: readonly string[]): Promise<Figures> {
  for (const id of ids) {
    const { row, runs } = await portfolios.read('self', id);
    assert.equal(runs.length, 1);
    const [run] = runs;
    assert.deepEqual([run.completed, run.failed], [VALUED, HOMES - VALUED]);
    assert.deepEqual([run.alertCount, row.alertCount], [VALUED, VALUED]);
    const search = { kind: null, runNo: null, status: 'all', limit: 10 * HOMES, cursor: null } as const;
    const { items } = await listAlerts(store.db, id, search);
    assert.deepEqual(
      items.map(({ alertNo }) => alertNo),
      Array.from({ length: VALUED }, (_, i) => VALUED - i),
      'one alert for each home',
    );
  }
  const filter = { state: null, deliveryId: null, after: null, limit: 10 * ids.length };
  const subjects = (await listDeliveries(store, 'self', filter)).map(({ subject }) => subject);
  assert.deepEqual(
    subjects.toSorted(),
    ids.map((id) => `portfolio:${id}:1`).toSorted(),
    'one event for each run',
  );
  const charged = await store.db
    .selectFrom('credit_ledger')
    .select(({ fn }) => fn.sum<number | string | null>('credits').as('credits'))
    .where('requestId', 'like', '%/%')
    .executeTakeFirstOrThrow();
  assert.equal(Math.abs(Number(charged.credits)), 30 * VALUED * ids.length, 'each value is charged once');
  assert.deepEqual((await checkLedger(store)).differences, []);
  await checkStoredBytes(store);
  return { runs: ids.length, alerts: VALUED * ids.length, lost: 0, doubled: 0, mischarged: 0 };
}

export const portfolioKillsSqlite: FaultRun = {
  name: 'portfolio-kills-sqlite',
  guarantee:
    'the worker of runs of portfolios is killed (SIGKILL) at random moments on SQLite: each home is valued and charged once, each alert and each event exists once',
  counts: { of: 'kills', small: 5, full: 100 },
  run: (order) => killDuringRuns(order, 'sqlite', 1),
};

export const portfolioKillsPostgres: FaultRun = {
  name: 'portfolio-kills-postgres',
  guarantee:
    'one of two workers of runs of portfolios is killed (SIGKILL) at random moments on PostgreSQL: each home is valued and charged once, each alert and each event exists once',
  counts: { of: 'kills', small: 5, full: 100 },
  run: (order) => killDuringRuns(order, 'postgres', 2),
};
