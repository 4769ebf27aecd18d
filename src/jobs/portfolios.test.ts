import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { engines } from '../../test/harness/store/engines.ts';
import { testPayer } from '../../test/harness/jobs/jobs.ts';
import { BUILT_IN_PLANS } from '../accounts/plans.ts';
import { newId } from '../cli/configured-store.ts';
import type { LatestValue } from '../domain/portfolio.ts';
import { milesApart } from '../geo/distance.ts';
import { COMMAND_LINE } from '../store/audit-log.ts';
import { listDeliveries } from '../store/deliveries.ts';
import { deleteAll } from '../store/delete-datasets.ts';
import { oldValuations } from '../store/expired-rows.ts';
import { listRunsOfAccount, readHomes } from '../store/portfolios.ts';
import { parseJsonText } from '../store/json-text.ts';
import { inTransaction } from '../store/transaction.ts';
import { addWebhookEndpoint } from '../store/webhook-endpoints.ts';
import { alertsEvent } from './compare-run.ts';
import { addMissingHomes, changeBalances, changePortfolio } from './change-portfolio.ts';
import { dismissAlerts } from './dismiss-alerts.ts';
import type { NewHome } from './portfolios.ts';
import {
  ACCOUNT,
  alertsOf,
  CATALOG_MS,
  createRun,
  DAY_MS,
  homeAt,
  HOMES,
  NEW_SALES,
  openWatched,
  RULES,
} from '../../test/harness/jobs/watched-homes.ts';

for (const engine of engines) {
  test(`${engine.name}: homes with values are watched from the data and the day of their values`, async (t) => {
    const watched = await openWatched(engine, t);
    const { store, portfolios, passMs, workItems, compare, queueDue, importNewSales } = watched;
    const id = await createRun(watched);
    const valued = await readHomes(store.db, id, { from: 0, limit: 3 });
    await importNewSales();
    await sleep(CATALOG_MS);
    passMs(DAY_MS);
    const homes = HOMES.slice(0, 3).map((home, i) => ({
      ...home,
      latest: parseJsonText<LatestValue>(valued[i].latest ?? ''),
    }));
    const { row } = await portfolios.create(testPayer(ACCOUNT), { name: 'Watched', rules: RULES, homes });
    const first = await alertsOf(watched, row.portfolioId);
    assert.deepEqual(
      first.map(({ run, kind, propertyId }) => [run, kind, propertyId]),
      [[0, 'ltv_above', 'owes more than it is worth']],
    );
    passMs(DAY_MS);
    assert.ok((await queueDue()).includes(row.portfolioId), 'the data have changed since they were valued');
    await workItems();
    while (await compare());
    const alerts = await alertsOf(watched, row.portfolioId, 1);
    assert.ok(alerts.some(({ kind }) => kind === 'sold_nearby'));
    assert.ok(alerts.some(({ kind, causes }) => kind === 'value_changed' && causes !== null));
  });

  test(`${engine.name}: newer sales begin one run, whose alerts name the rule, the sales and the causes of the change to the dollar`, async (t) => {
    const watched = await openWatched(engine, t);
    const { store, operations, portfolios, passMs, workItems, compare, queueDue, importNewSales, retrain } =
      watched;
    const endpoint = { endpointId: newId(), url: 'https://receiver.example/', createdAt: 1 };
    await inTransaction(store, async (transaction) => {
      const by = { accountId: ACCOUNT, actor: COMMAND_LINE };
      await addWebhookEndpoint(transaction, by, { ...endpoint, events: ['portfolio.alerts'] });
      const other = { endpointId: newId(), url: 'https://other.example/', createdAt: 1 };
      await addWebhookEndpoint(transaction, by, { ...other, events: ['challenge.decided'] });
    });
    const id = await createRun(watched);
    const first = await alertsOf(watched, id);
    assert.deepEqual(
      first.map(({ kind, propertyId }) => [kind, propertyId]),
      [['ltv_above', 'owes more than it is worth']],
    );
    assert.deepEqual(await queueDue(), [], 'nothing has changed');

    await importNewSales();
    await sleep(CATALOG_MS);
    assert.deepEqual(await queueDue(), [], 'less than a day has passed');
    passMs(DAY_MS);
    const begun = await Promise.all([queueDue(), queueDue(), queueDue()]);
    assert.deepEqual(begun.flat(), [id]);
    assert.equal(
      (await portfolios.read(ACCOUNT, id)).row.problem,
      null,
      'a process that came later has no problem',
    );
    const before = await readHomes(store.db, id, { from: 0, limit: 10 });
    await workItems();
    const compared = await Promise.all([compare(), compare(), compare()]);
    assert.equal(compared.filter(Boolean).length, 1, 'one worker compares a run');
    const [run] = (await portfolios.read(ACCOUNT, id)).runs;
    assert.deepEqual([run.runNo, run.cause, run.completed, run.failed], [2, 'data', 3, 1]);

    const alerts = await alertsOf(watched, id, 2);
    const after = await readHomes(store.db, id, { from: 0, limit: 10 });
    const moved = before.filter(({ latest }, i) => latest !== after[i].latest).length;
    assert.ok(moved >= 3, 'each valued home has a new value');
    const changed = alerts.filter(({ kind }) => kind === 'value_changed');
    assert.ok(changed.length > 0);
    for (const alert of changed) {
      const { value, previousValue, change, causes } = alert;
      assert.ok(causes && value !== null && previousValue !== null);
      assert.equal(change, value - previousValue);
      assert.equal(causes.market + causes.comparables + causes.facts + causes.model, change);
      assert.deepEqual([causes.facts, causes.model], [0, 0]);
      assert.ok(causes.market > 0, 'sales 10% more expensive raise the index');
    }
    for (const home of HOMES.slice(0, 3)) {
      const { lat = 0, lon = 0 } = home.request.location;
      const near = NEW_SALES.filter((sale) => milesApart({ lat: lat ?? 0, lon: lon ?? 0 }, sale) <= 0.25);
      const alert = alerts.find(
        ({ kind, propertyId }) => kind === 'sold_nearby' && propertyId === home.propertyId,
      );
      assert.equal(alert?.salesCount ?? 0, near.length);
      const listed = new Set(near.map(({ id: saleId }) => saleId));
      for (const { compId } of alert?.sales ?? []) assert.ok(listed.has(compId));
    }
    assert.ok(alerts.some(({ kind }) => kind === 'sold_nearby'));
    assert.ok(!alerts.some(({ kind }) => kind === 'ltv_above'), 'it was above before');
    const [numbers] = [[...first, ...alerts].map(({ alert }) => alert)];
    assert.deepEqual(
      numbers,
      numbers.map((_, i) => i + 1),
      'numbered without gaps',
    );

    const filter = { state: null, deliveryId: null, after: null, limit: 10 };
    const sent = await listDeliveries(store, ACCOUNT, filter);
    assert.deepEqual(
      sent.map(({ url, subject }) => [url, subject]),
      [2, 1].map((runNo) => [endpoint.url, `portfolio:${id}:${runNo}`]),
    );
    const event = await alertsEvent(operations, ACCOUNT, { portfolioId: id, runNo: 2 });
    assert.deepEqual(event, await alertsEvent(operations, ACCOUNT, { portfolioId: id, runNo: 2 }));
    assert.equal(event?.alertCount, alerts.length);
    const by = { accountId: ACCOUNT, actor: COMMAND_LINE };
    await dismissAlerts(operations, by, id, { upTo: numbers.length, kind: null });
    const resent = await alertsEvent(operations, ACCOUNT, { portfolioId: id, runNo: 2 });
    assert.equal(JSON.stringify(resent), JSON.stringify(event), 'dismissed alerts are sent as before');
    assert.equal(await alertsEvent(operations, 'another', { portfolioId: id, runNo: 2 }), null);
    passMs(DAY_MS);
    assert.deepEqual(await queueDue(), [], 'each change begins one run');
    await retrain();
    await sleep(CATALOG_MS);
    assert.deepEqual(await queueDue(), [id]);
    await workItems();
    await compare();
    assert.equal((await portfolios.read(ACCOUNT, id)).runs[0].cause, 'model');
    const byModel = (await alertsOf(watched, id, 3)).filter(({ kind }) => kind === 'value_changed');
    assert.ok(byModel.some(({ causes }) => causes !== null && causes.model !== 0));

    await store.db.updateTable('jobs').set({ keptUntil: null }).execute();
    const now = operations.clock().getTime();
    // Ids of valuations are of the real time.
    await deleteAll(store, oldValuations(store, Date.now() + DAY_MS, now), 100);
    const kept = await store.db.selectFrom('valuations').select('jobId').distinct().execute();
    const { runs } = await portfolios.read(ACCOUNT, id);
    const jobs = runs.slice(0, 2).map(({ jobId }) => jobId);
    assert.deepEqual(new Set(kept.map(({ jobId }) => jobId)), new Set(jobs), 'the last two runs are kept');
  });

  test(`${engine.name}: two loans on a home are one alert, and so is a balance that grows later`, async (t) => {
    const watched = await openWatched(engine, t);
    const { store, operations, portfolios, workItems, compare } = watched;
    const [{ latest: text }] = await readHomes(store.db, await createRun(watched), { from: 1, limit: 1 });
    const value = parseJsonText<LatestValue>(text ?? '');
    const share = Math.round(0.45 * (value.valueUsd ?? 0));
    const [first, second] = ['first', 'second'].map((name) => homeAt(43.0015, -87.998, share, name));
    const alone = await createRun(watched, [first, homeAt(43.02, -87.975, 1000, 'other')]);
    assert.deepEqual(await alertsOf(watched, alone), []);
    const balances = [{ propertyId: 'first', balanceUsd: 2 * share }];
    await changeBalances(operations, testPayer(ACCOUNT), alone, balances);
    for (const _ of ['above', 'still above']) {
      await portfolios.revalue(testPayer(ACCOUNT), alone);
      await workItems();
      await compare();
    }
    const found = async (id: string) =>
      (await alertsOf(watched, id)).map(({ run, propertyId, entries }) => [run, propertyId, entries]);
    assert.deepEqual(await found(alone), [[2, 'first', undefined]]);
    assert.deepEqual(await found(await createRun(watched, [first, second])), [[1, 'first', 2]]);
    const latest = [first, second].map((home) => ({ ...home, latest: value }));
    const { row } = await portfolios.create(testPayer(ACCOUNT), {
      name: 'File',
      rules: RULES,
      homes: latest,
    });
    assert.deepEqual(await found(row.portfolioId), [[0, 'first', 2]]);
  });

  test(`${engine.name}: a lower limit reports the loans between the limits once, and so does the next run of a loan that was added`, async (t) => {
    const watched = await openWatched(engine, t);
    const { store, operations, portfolios, workItems, compare } = watched;
    const [{ latest: text }] = await readHomes(store.db, await createRun(watched), { from: 1, limit: 1 });
    const latest = parseJsonText<LatestValue>(text ?? '');
    const owing = (share: number): NewHome => ({
      ...homeAt(43.0015 + share / 1000, -87.998, Math.round(share * (latest.valueUsd ?? 0)), `${share}`),
      latest,
    });
    const payer = testPayer(ACCOUNT);
    const homes = [owing(0.95), owing(0.75), owing(0.5)];
    const { row } = await portfolios.create(payer, { name: 'File', rules: RULES, homes });
    await addMissingHomes(operations, payer, row.portfolioId, [...homes, owing(0.9)]);
    for (const ltvPct of [80, 65, 65]) {
      await changePortfolio(operations, payer, row.portfolioId, {
        name: 'File',
        rules: { ...RULES, ltvPct },
      });
      await portfolios.revalue(payer, row.portfolioId);
      await workItems();
      await compare();
    }
    const alerts = (await alertsOf(watched, row.portfolioId)).filter(({ kind }) => kind === 'ltv_above');
    assert.deepEqual(
      alerts.map(({ run, propertyId }) => [run, propertyId]),
      [
        [0, '0.95'],
        [1, '0.9'],
        [2, '0.75'],
      ],
    );
  });

  test(`${engine.name}: a run that cannot begin says why, is tried again an hour later, and never twice`, async (t) => {
    const watched = await openWatched(engine, t);
    const { portfolios, passMs, queueDue, importNewSales } = watched;
    const id = await createRun(watched);
    await importNewSales();
    passMs(DAY_MS);
    const [name, plan] = [...BUILT_IN_PLANS].find(([each]) => each === 'unlimited') ?? assert.fail();
    const poor = new Map([[name, { ...plan, creditsPerMonth: 100 }]]);
    assert.deepEqual(await queueDue(poor), []);
    assert.match((await portfolios.read(ACCOUNT, id)).row.problem ?? '', /credits/);
    assert.deepEqual(await queueDue(), [], 'within the hour');
    passMs(3_600_000);
    assert.deepEqual(await queueDue(), [id]);
    assert.equal((await portfolios.read(ACCOUNT, id)).row.problem, null);
    await assert.rejects(portfolios.revalue(testPayer(ACCOUNT), id), /Run 2 .* has not ended/);
  });

  test(`${engine.name}: a portfolio is created once per key, grows, is valued by request, and is deleted whole`, async (t) => {
    const watched = await openWatched(engine, t);
    const { store, portfolios, workItems, compare } = watched;
    const key = { key: 'k', bodySha256: 'same' };
    const payer = testPayer(ACCOUNT);
    const wanted = { name: 'Loans', rules: { ...RULES, revalueEvery: 'never' as const }, homes: HOMES };
    const [one, two] = [
      await portfolios.create(payer, wanted, key),
      await portfolios.create(payer, wanted, key),
    ];
    assert.equal(one.row.portfolioId, two.row.portfolioId);
    assert.deepEqual([one.isReplay, two.isReplay], [false, true]);
    const id = one.row.portfolioId;
    const other = portfolios.create(payer, wanted, { ...key, bodySha256: 'other' });
    await assert.rejects(other, { code: 'idempotency_key_reused' });
    assert.equal((await portfolios.add(payer, id, HOMES.slice(0, 1))).row.homeCount, 5);
    await workItems();
    await compare();
    assert.equal(
      (await readHomes(store.db, id, { from: 4, limit: 1 }))[0].latest,
      null,
      'not in the first run',
    );
    const again = { key: 'once more', bodySha256: 'same' };
    assert.equal((await portfolios.revalue(payer, id, again)).isReplay, false);
    await workItems();
    await compare();
    const repeated = await portfolios.revalue(payer, id, again);
    assert.deepEqual(
      [repeated.row.runCount, repeated.isReplay],
      [2, true],
      'a repeated request begins no run',
    );
    const runs = await listRunsOfAccount(store, ACCOUNT, 10);
    assert.deepEqual(
      runs.map(({ jobId, runNo, name }) => [jobId, runNo, name]),
      repeated.runs.map(({ jobId, runNo }) => [jobId, runNo, 'Loans']),
      'the list of jobs names them',
    );
    assert.deepEqual(await listRunsOfAccount(store, 'another', 10), []);
    const [grown] = await readHomes(store.db, id, { from: 4, limit: 1 });
    assert.match(grown.latest ?? '', /"valueUsd":\d/);
    const { totals } = await portfolios.read(ACCOUNT, id);
    const first = parseJsonText<LatestValue>(grown.latest ?? '').valueUsd ?? 0;
    const all = await readHomes(store.db, id, { from: 0, limit: 5 });
    const sum = all.reduce((usd, { latest }) => usd + (JSON.parse(latest ?? '{}').valueUsd ?? 0), 0);
    assert.deepEqual(
      [totals.valued, totals.repeats, totals.valueUsd, totals.balanceUsd],
      [3, 1, sum - first, 2_001_000],
      'the home that was added again counts its value once, and both loans',
    );
    await assert.rejects(portfolios.read('another', id), { code: 'not_found' });
    await assert.rejects(portfolios.remove({ ...payer, accountId: 'another' }, id), { code: 'not_found' });
    await portfolios.remove(payer, id);
    assert.deepEqual(await readHomes(store.db, id, { from: 0, limit: 1 }), []);
    await assert.rejects(portfolios.read(ACCOUNT, id), { code: 'not_found' });
    const logged = await store.db.selectFrom('audit_log').select(['action', 'actorName']).execute();
    const done = logged.filter(({ action }) => action.startsWith('portfolio.'));
    assert.deepEqual(
      done.map(({ action, actorName }) => `${action} by ${actorName}`).toSorted(),
      ['created', 'deleted', 'homes_added', 'revalued'].map((what) => `portfolio.${what} by a test`),
    );
  });
}
