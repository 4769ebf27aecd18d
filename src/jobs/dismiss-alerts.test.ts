import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { NOON, addAccount, testPayer } from '../../test/harness/jobs/jobs.ts';
import { engines, type TestEngine } from '../../test/harness/store/engines.ts';
import { newId } from '../cli/configured-store.ts';
import type { AlertKind, AlertStatus } from '../domain/portfolio.ts';
import type { ActingFor } from '../store/audit-log.ts';
import { listAlerts } from '../store/portfolio-alerts.ts';
import { beginPortfolioRun, endRun } from '../store/portfolios.ts';
import { inTransaction } from '../store/transaction.ts';
import { dismissAlerts, reopenAlerts } from './dismiss-alerts.ts';
import { createPortfolios, openAlertsOf } from './portfolios.ts';

const ACCOUNT = 'lender';
const ADA: ActingFor = { accountId: ACCOUNT, actor: { kind: 'user', id: 'ada', name: 'Ada' } };
const BOB: ActingFor = { accountId: ACCOUNT, actor: { kind: 'user', id: 'bob', name: 'Bob' } };

/** A portfolio without homes, and runs that write as many alerts as a test wants. */
async function openPortfolio(engine: TestEngine, t: TestContext) {
  const state = { now: NOON };
  const clock = () => new Date(state.now);
  const store = await engine.open({ clock });
  t.after(() => store.close());
  await addAccount(store, ACCOUNT);
  const deps = { store, clock };
  const portfolios = createPortfolios({ ...deps, newId, wake: () => {} });
  const rules = {
    revalueEvery: 'never',
    changePct: null,
    isOutsideRange: false,
    ltvPct: null,
    soldWithinMi: null,
  } as const;
  const { row } = await portfolios.create(testPayer(ACCOUNT), { name: 'Loans', rules, homes: [] });
  const { portfolioId: id } = row;
  const begin = async (runNo: number) => {
    const run = {
      accountId: ACCOUNT,
      portfolioId: id,
      runNo,
      jobId: newId(),
      cause: 'data',
      basisBefore: null,
      homeRanges: null,
      asOf: 0,
      createdAt: state.now,
    } as const;
    assert.ok(await inTransaction(store, (transaction) => beginPortfolioRun(transaction, run, '{}')));
    return { ...run, comparedAt: null, leaseUntil: 0, alertCount: 0 };
  };
  const end = (run: Awaited<ReturnType<typeof begin>>, alerts: number, kind: AlertKind = 'value_changed') =>
    inTransaction(store, (transaction) =>
      endRun(store, transaction, run, {
        at: state.now,
        alerts: Array.from({ length: alerts }, () => ({ kind, detail: '{}' })),
        latest: new Map(),
      }),
    );
  const list = async (status: AlertStatus, limit = 1000, cursor: string | null = null) =>
    listAlerts(store.db, id, { kind: null, runNo: null, status, limit, cursor });
  return {
    store,
    deps,
    id,
    portfolios,
    begin,
    end,
    list,
    passMs: (ms: number) => void (state.now += ms),
    numbers: async (status: AlertStatus) => (await list(status)).items.map(({ alertNo }) => alertNo),
    /** As the portfolio counts them. */
    openCount: async () => openAlertsOf((await portfolios.read(ACCOUNT, id)).row),
    audited: async () => {
      const lines = await store.db.selectFrom('audit_log').selectAll().orderBy('auditId').execute();
      return lines
        .filter(({ action }) => action.startsWith('portfolio.alerts_'))
        .map(({ action, actorName, subject, detail }) => [action, actorName, subject === id, detail]);
    },
  };
}

for (const engine of engines) {
  test(`${engine.name}: a dismissed alert keeps when and by whom, is no longer open, and is numbered for good`, async (t) => {
    const { deps, id, portfolios, begin, end, list, passMs, numbers, openCount, audited } =
      await openPortfolio(engine, t);
    await end(await begin(1), 5);
    assert.deepEqual(await dismissAlerts(deps, ADA, id, { alertNos: [2, 4, 2] }), {
      changed: 2,
      dismissedAt: NOON,
      openAlerts: 3,
    });
    passMs(1000);
    assert.deepEqual(await dismissAlerts(deps, BOB, id, { alertNos: [4] }), {
      changed: 0,
      dismissedAt: null,
      openAlerts: 3,
    });
    passMs(1000);
    assert.deepEqual(await dismissAlerts(deps, BOB, id, { alertNos: [4, 5] }), {
      changed: 1,
      dismissedAt: NOON + 2000,
      openAlerts: 2,
    });
    assert.deepEqual(
      (await list('dismissed')).items.map(({ alertNo, dismissedAt, dismissedBy }) => [
        alertNo,
        dismissedAt,
        dismissedBy,
      ]),
      [
        [5, NOON + 2000, 'Bob'],
        [4, NOON, 'Ada'],
        [2, NOON, 'Ada'],
      ],
    );
    assert.deepEqual(await numbers('open'), [3, 1]);
    assert.deepEqual(await numbers('all'), [5, 4, 3, 2, 1]);
    assert.equal(await openCount(), 2);
    assert.equal((await portfolios.read(ACCOUNT, id)).row.alertCount, 5);
    await end(await begin(2), 1);
    assert.deepEqual(
      await numbers('open'),
      [6, 3, 1],
      'the next number follows the newest, dismissed or not',
    );
    passMs(1000);
    const first = await list('open', 2);
    assert.deepEqual(
      first.items.map(({ alertNo }) => alertNo),
      [6, 3],
    );
    await dismissAlerts(deps, ADA, id, { alertNos: [3] });
    const rest = await list('open', 2, first.nextCursor);
    assert.deepEqual(
      rest.items.map(({ alertNo }) => alertNo),
      [1],
      'the last alert of a page was dismissed meanwhile',
    );
    assert.deepEqual(await audited(), [
      ['portfolio.alerts_dismissed', 'Ada', true, '{"alerts":2}'],
      ['portfolio.alerts_dismissed', 'Bob', true, '{"alerts":1}'],
      ['portfolio.alerts_dismissed', 'Ada', true, '{"alerts":1}'],
    ]);
  });

  test(`${engine.name}: dismissing all alerts that were seen leaves those open that a run adds meanwhile`, async (t) => {
    const { deps, id, begin, end, numbers, openCount } = await openPortfolio(engine, t);
    await end(await begin(1), 40);
    const run = await begin(2);
    const [one, two] = await Promise.all([
      dismissAlerts(deps, ADA, id, { upTo: 40, kind: null }),
      dismissAlerts(deps, BOB, id, { upTo: 40, kind: null }),
      end(run, 7),
      dismissAlerts(deps, BOB, id, { alertNos: [3, 2, 1] }),
    ]);
    assert.ok(one.changed + two.changed >= 37, 'each alert is dismissed once');
    assert.deepEqual(await numbers('open'), [47, 46, 45, 44, 43, 42, 41]);
    assert.equal((await numbers('dismissed')).length, 40);
    assert.equal(await openCount(), 7, 'the count follows the alerts');
  });

  test(`${engine.name}: dismissing all alerts of a kind leaves the others open, and is taken back whole`, async (t) => {
    const { deps, id, begin, end, numbers, openCount } = await openPortfolio(engine, t);
    await end(await begin(1), 2);
    await end(await begin(2), 2, 'sold_nearby');
    await end(await begin(3), 1);
    const { changed, dismissedAt } = await dismissAlerts(deps, ADA, id, { upTo: 4, kind: 'value_changed' });
    assert.ok(changed === 2 && dismissedAt !== null);
    assert.deepEqual([await numbers('open'), await openCount()], [[5, 4, 3], 3]);
    await reopenAlerts(deps, ADA, id, { dismissedAt });
    assert.equal(await openCount(), 5);
  });

  test(`${engine.name}: a dismissal is taken back by number, or whole, without what was dismissed before`, async (t) => {
    const { deps, id, begin, end, list, passMs, numbers, openCount, audited } = await openPortfolio(
      engine,
      t,
    );
    await end(await begin(1), 6);
    await dismissAlerts(deps, ADA, id, { alertNos: [1, 2] });
    passMs(1000);
    const { changed, dismissedAt } = await dismissAlerts(deps, BOB, id, { upTo: 5, kind: null });
    assert.ok(changed === 3 && dismissedAt !== null);
    passMs(1000);
    assert.deepEqual(await reopenAlerts(deps, BOB, id, { dismissedAt }), { changed: 3, openAlerts: 4 });
    assert.deepEqual(await numbers('open'), [6, 5, 4, 3]);
    assert.deepEqual(await reopenAlerts(deps, BOB, id, { dismissedAt }), { changed: 0, openAlerts: 4 });
    passMs(1000);
    assert.deepEqual(await reopenAlerts(deps, BOB, id, { alertNos: [2, 3] }), { changed: 1, openAlerts: 5 });
    const reopened = (await list('open')).items;
    assert.deepEqual(
      new Set(reopened.map((alert) => [alert.dismissedAt, alert.dismissedBy].join())),
      new Set([',']),
    );
    assert.deepEqual(await numbers('dismissed'), [1]);
    assert.equal(await openCount(), 5);
    assert.deepEqual((await audited()).slice(2), [
      ['portfolio.alerts_reopened', 'Bob', true, '{"alerts":3}'],
      ['portfolio.alerts_reopened', 'Bob', true, '{"alerts":1}'],
    ]);
  });

  test(`${engine.name}: of dismissals in one millisecond, or after the clock was set back, each is taken back alone`, async (t) => {
    const { deps, id, begin, end, list, passMs, numbers, openCount } = await openPortfolio(engine, t);
    await end(await begin(1), 9);
    // The second finds some of these dismissed, and dismisses the others.
    const [ada, bob] = await Promise.all([
      dismissAlerts(deps, ADA, id, { alertNos: [1, 2, 3, 7] }),
      dismissAlerts(deps, BOB, id, { upTo: 6, kind: null }),
    ]);
    passMs(-60_000);
    const late = await dismissAlerts(deps, ADA, id, { alertNos: [8] });
    const times = [ada, bob, late].map(({ dismissedAt }) => dismissedAt ?? assert.fail());
    assert.equal(new Set(times).size, 3);
    assert.ok(times.every((time) => time >= NOON && time < NOON + 10));
    const byAda = (await list('dismissed')).items.filter(({ dismissedBy }) => dismissedBy === 'Ada');
    assert.deepEqual(await reopenAlerts(deps, BOB, id, { dismissedAt: times[1] }), {
      changed: bob.changed,
      openAlerts: 9 - byAda.length,
    });
    const rest = byAda.map(({ alertNo }) => alertNo);
    assert.deepEqual(await numbers('dismissed'), rest);
    await reopenAlerts(deps, ADA, id, { dismissedAt: times[2] });
    assert.deepEqual(await numbers('dismissed'), rest.slice(1));
    assert.equal(await openCount(), 9 - rest.length + 1);
  });

  test(`${engine.name}: thousands of alerts are dismissed and reopened whole, in several transactions`, async (t) => {
    const { deps, id, begin, end, numbers, openCount } = await openPortfolio(engine, t);
    await end(await begin(1), 12_001);
    assert.deepEqual(await dismissAlerts(deps, ADA, id, { upTo: 12_000, kind: null }), {
      changed: 12_000,
      dismissedAt: NOON,
      openAlerts: 1,
    });
    assert.deepEqual(await numbers('open'), [12_001]);
    const all = { changed: 12_000, openAlerts: 12_001 };
    assert.deepEqual(await reopenAlerts(deps, ADA, id, { dismissedAt: NOON }), all);
    assert.equal(await openCount(), 12_001);
    assert.deepEqual(await numbers('dismissed'), []);
  });

  test(`${engine.name}: an unknown number and another account's portfolio are not found, and nothing is changed`, async (t) => {
    const { store, deps, id, portfolios, begin, end, numbers, audited } = await openPortfolio(engine, t);
    await end(await begin(1), 3);
    for (const which of [{ alertNos: [1, 4] }, { upTo: 4, kind: null }]) {
      const message = /This portfolio has no alert 4: its newest is 3\. Nothing was changed\./;
      await assert.rejects(dismissAlerts(deps, ADA, id, which), { code: 'not_found', message });
    }
    await assert.rejects(reopenAlerts(deps, ADA, id, { alertNos: [9] }), { code: 'not_found' });
    const other = { ...ADA, accountId: 'another' };
    await assert.rejects(dismissAlerts(deps, other, id, { upTo: 3, kind: null }), { code: 'not_found' });
    await assert.rejects(reopenAlerts(deps, other, id, { alertNos: [1] }), { code: 'not_found' });
    assert.deepEqual(await numbers('open'), [3, 2, 1]);
    assert.deepEqual(await audited(), []);
    await dismissAlerts(deps, ADA, id, { upTo: 2, kind: null });
    await portfolios.remove(ADA, id);
    assert.deepEqual(await store.db.selectFrom('portfolio_alerts').selectAll().execute(), []);
  });
}
