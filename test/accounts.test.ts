import assert from 'node:assert/strict';
import { RESULTS_KEPT_MS } from './app-config.ts';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createRunCharged } from '../src/accounts/credits.ts';
import { keyStoreOf } from '../src/accounts/authenticate.ts';
import { createAccount } from '../src/accounts/manage-accounts.ts';
import { createKey } from '../src/accounts/manage-keys.ts';
import { parsePlans } from '../src/accounts/plans.ts';
import { limitInStore } from '../src/accounts/rate-limit.ts';
import { ROUTES } from '../src/api/routes.ts';
import { createBatches } from '../src/jobs/batches.ts';
import { createLog } from '../src/log.ts';
import { composeOperations } from '../src/cli/compose-operations.ts';
import { checkLedger } from '../src/store/credit-ledger.ts';
import { inTransaction } from '../src/store/transaction.ts';
import type { Store } from '../src/store/store.ts';
import { addSweep } from './harness/jobs/add-sweep.ts';
import { engines } from './harness/store/engines.ts';
import { testValuation } from './harness/store/rows.ts';
import { uuidV7 } from '../src/store/uuid-v7.ts';
import { createTestApi } from './api-fixture.ts';
import { REQUEST_EXAMPLES } from '../src/api/examples/requests.ts';
import { countStoredBytes } from '../src/store/stored-bytes.ts';
import { COMMAND_LINE } from '../src/store/audit-log.ts';

const NOW = Date.parse('2026-03-31T12:00:00Z');
const clock = () => new Date(NOW);
const newId = (): string => uuidV7(NOW, randomBytes(10));
const QUERY = 'address=1+Main+St&total_bedrooms=3&total_bathrooms=2';

const PLANS = parsePlans({
  plans: {
    capped: { endpoints: ['*'], requests: {}, credits_per_month: 1000, batch: false },
    partner: { endpoints: ['*'], requests: {}, credits_per_month: null, batch: true },
    small: { endpoints: ['*'], requests: {}, credits_per_month: null, batch: true, stored_mb: 1 },
  },
});

/** Tests the API with real accounts, keys, limits and credits over operations in memory. */
async function startAccounts(store: Store) {
  const operations = composeOperations(store);
  const { valuationLog } = operations;
  const log = createLog('silent');
  const api = createTestApi({
    clock,
    plans: PLANS,
    keys: keyStoreOf(store),
    rateLimit: limitInStore(store),
    runCharged: createRunCharged({ store, clock, log, newId, valuationLog }),
    batches: createBatches({
      store,
      clock,
      newId,
      resultsKeptMs: RESULTS_KEPT_MS,
      wake: () => {},
      wakeDeliverySender: () => {},
    }),
    operations: { store, valuationLog, newId },
  });
  const keyOf = async (accountId: string, plan: string): Promise<string> => {
    await createAccount({ store, clock, plans: PLANS }, COMMAND_LINE, { accountId, name: accountId, plan });
    return (await createKey({ store, clock, randomBytes }, COMMAND_LINE, { name: accountId, accountId }))
      .text;
  };
  const ask = (key: string, url: string, headers: Record<string, string> = {}) =>
    api.app.inject({ url, headers: { 'x-api-key': key, ...headers } });
  const close = async (): Promise<void> => {
    await valuationLog.close();
    await store.close();
  };
  return { api, valuationLog, keyOf, ask, close };
}

/** Models belong to no account, and a secret opens a share or a verification. The others are tested with webhooks. */
const OTHER_IDS: readonly string[] = [
  '/v1/models/{id}/accuracy',
  '/share/{token}',
  '/verify/{id}/{code}',
  '/v1/webhooks/deliveries/{id}/redeliver',
  '/v1/webhooks/endpoints/{id}/remove',
];

const BODIES: readonly (readonly [end: string, body: object])[] = [
  ['/challenge', { note: 'Measured by an appraiser' }],
  ['/decision', { decision: 'accepted', reason: 'Measured by an appraiser' }],
  ['/shares', { version: 'owner' }],
  ['/saved', { name: 'Appeal' }],
  ['/properties', REQUEST_EXAMPLES.PortfolioItemsRequest],
  ['/properties/remove', REQUEST_EXAMPLES.RemovePropertiesRequest],
  ['/settings', REQUEST_EXAMPLES.PortfolioSettingsRequest],
  ['/balances', REQUEST_EXAMPLES.BalancesRequest],
  ['/dismiss', REQUEST_EXAMPLES.DismissAlertsRequest],
  ['/reopen', REQUEST_EXAMPLES.ReopenAlertsRequest],
];

for (const engine of engines) {
  test(`${engine.name}: an account with a cap gets its remaining credits, is rejected when they are used up, and never pays for errors or dry runs`, async () => {
    const store = await engine.open();
    const { ask, keyOf, close } = await startAccounts(store);
    const key = await keyOf('acme', 'capped');
    const first = await ask(key, `/v1/avm/property?${QUERY}&num_comps=5`);
    assert.deepEqual(
      [first.statusCode, first.headers['x-credits-charged'], first.headers['x-credits-remaining']],
      [200, '35', '965'],
    );
    assert.equal((await ask(key, '/v1/avm/property')).statusCode, 422);
    assert.equal((await ask(key, '/v1/avm/rental?address=1+Main+St&bedrooms=2&bathrooms=1')).statusCode, 500);
    const dry = await ask(key, `/v1/avm/property?${QUERY}&num_comps=10`, { 'x-dry-run': 'true' });
    assert.deepEqual(dry.json(), { dry_run: true, credits_max: 40 });
    const { stored_bytes: storedBytes, ...usage } = (await ask(key, '/v1/usage')).json();
    assert.ok(storedBytes > 1000, `${storedBytes} bytes of one valuation`);
    assert.deepEqual(usage, {
      account_id: 'acme',
      plan: 'capped',
      period: '2026-03',
      requests: 1,
      credits_used: 35,
      credits_limit: 1000,
      credits_remaining: 965,
      stored_bytes_limit: null,
      resets_at: '2026-04-01T00:00:00.000Z',
      operations: [{ operation: 'avm:property', requests: 1, credits_used: 35 }],
      warnings: [],
    });
    const daily = (await ask(key, '/v1/usage/days')).json();
    assert.deepEqual([daily.account_id, daily.period, daily.days.length], ['acme', '2026-03', 1]);
    assert.equal(daily.next_cursor, null);
    const { key_id: keyId, ...ofDay } = daily.days[0];
    assert.match(key, new RegExp(keyId));
    assert.deepEqual(ofDay, {
      date: '2026-03-31',
      key_name: 'acme',
      operation: 'avm:property',
      requests: 1,
      credits_used: 35,
    });
    assert.deepEqual((await ask(key, '/v1/usage/days?period=2026-02')).json().days, []);

    let left = 965;
    for (; left >= 50; left -= 50) {
      assert.equal((await ask(key, `/v1/avm/property?${QUERY}&num_comps=20`)).statusCode, 200);
    }
    const refused = await ask(key, `/v1/avm/property?${QUERY}&num_comps=20`);
    assert.deepEqual([refused.statusCode, refused.json().code], [429, 'quota_exceeded']);
    assert.deepEqual(
      [refused.headers['retry-after'], refused.headers['x-credits-remaining']],
      ['43200', `${left}`],
    );
    assert.deepEqual((await checkLedger(store)).differences, []);
    await close();
  });

  test(`${engine.name}: an account that keeps as much as its plan allows gets no valuation, but everything else`, async () => {
    const store = await engine.open();
    const { ask, keyOf, close } = await startAccounts(store);
    const key = await keyOf('acme', 'small');
    await inTransaction(store, (transaction) =>
      countStoredBytes(transaction, [{ accountId: 'acme', bytes: 999_000 }]),
    );
    const valued = await ask(key, `/v1/avm/property?${QUERY}`);
    assert.equal(valued.statusCode, 200);
    const refused = await ask(key, `/v1/avm/property?${QUERY}`);
    assert.deepEqual(
      [refused.statusCode, refused.json().code, refused.headers['retry-after']],
      [429, 'quota_exceeded', '3600'],
    );
    assert.match(refused.json().detail, /^This account keeps 1 MB .* its plan allows 1 MB\./);
    const usage = (await ask(key, '/v1/usage')).json();
    assert.ok(usage.stored_bytes > 1e6 && usage.stored_bytes_limit === 1e6);
    assert.equal((await ask(key, `/v1/valuations/${valued.json().valuation.valuation_id}`)).statusCode, 200);
    assert.equal((await ask(key, '/v1/crime-data?address=1+Main+St')).statusCode, 200);
    await close();
  });

  test(`${engine.name}: 900 requests, 200 at a time, by three accounts: the ledger matches the responses`, async () => {
    const store = await engine.open();
    const { ask, keyOf, close } = await startAccounts(store);
    const keys = {
      a: await keyOf('a', 'partner'),
      b: await keyOf('b', 'partner'),
      c: await keyOf('c', 'capped'),
    };
    const said = { a: 0, b: 0, c: 0 };
    const names = ['a', 'b', 'c'] as const;
    let sent = 0;
    const askOn = async (): Promise<void> => {
      for (let i = sent++; i < 900; i = sent++) {
        const name = names[i % 3];
        const answer = await ask(keys[name], `/v1/avm/property?${QUERY}&num_comps=${i % 21}`);
        assert.ok(answer.statusCode === 200 || (name === 'c' && answer.statusCode === 429), answer.body);
        said[name] += Number(answer.headers['x-credits-charged'] ?? 0);
      }
    };
    await Promise.all(Array.from({ length: 200 }, askOn));
    for (const name of names) {
      assert.equal((await ask(keys[name], '/v1/usage')).json().credits_used, said[name]);
    }
    assert.ok(said.c > 900 && said.c <= 1000, `${said.c}`);
    assert.deepEqual((await checkLedger(store)).differences, []);
    await close();
  });

  test(`${engine.name}: on every route an id of another account gets the same response as an unknown id`, async () => {
    const store = await engine.open();
    const { api, ask, keyOf, valuationLog, close } = await startAccounts(store);
    const keys = [await keyOf('a', 'partner'), await keyOf('b', 'partner')];
    const ids = await Promise.all(
      ['a', 'b'].map(async (accountId) => {
        const valuationId = newId();
        await valuationLog.append({ ...testValuation(valuationId), accountId });
        return valuationId;
      }),
    );
    const created = (url: string, body: object) =>
      Promise.all(
        keys.map(async (key) => {
          const answer = await api.app.inject({
            method: 'POST',
            url,
            headers: { 'x-api-key': key, 'content-type': 'application/json' },
            payload: {
              ...body,
              properties: [{ location: { address: '1 Main St' }, property_fields: { beds: 3, baths: 2 } }],
            },
          });
          const { job_id: jobId, portfolio_id: portfolioId } = answer.json();
          return jobId ?? portfolioId;
        }),
      );
    const jobs = await created('/v1/avm/batch/property', {});
    const portfolios = await created('/v1/portfolios', { name: 'Loans' });
    const routes = ROUTES.filter(({ path }) =>
      /^\/v1\/(valuations\/\{id\}|avm\/batch\/\{job_id\}|sweeps\/\{sweep_id\}|portfolios\/\{portfolio_id\})/.test(
        path,
      ),
    );
    assert.equal(routes.length, 30);
    assert.deepEqual(
      ROUTES.filter(({ path }) => path.includes('{')).filter((route) => !routes.includes(route)),
      ROUTES.filter(({ path }) => OTHER_IDS.includes(path)),
      'add new routes with an id of an account to this test',
    );
    const sweeps = await Promise.all(['a', 'b'].map((accountId) => addSweep(store, accountId)));
    const missing = newId();
    for (const { method, path } of routes) {
      const answers = new Set<string>();
      const [a, b] =
        [
          ['{job_id}', jobs] as const,
          ['{sweep_id}', sweeps] as const,
          ['{portfolio_id}', portfolios] as const,
        ].find(([name]) => path.includes(name))?.[1] ?? ids;
      for (const [key, id] of [
        [keys[0], b],
        [keys[1], a],
        [keys[0], missing],
        ...(path.includes('{job_id}') ? [[keys[0], 'x'.repeat(36)]] : []),
      ]) {
        const url = path.replaceAll(/\{\w+\}/g, id);
        const [, payload] = BODIES.find(([end]) => method === 'POST' && path.endsWith(end)) ?? [];
        const type = payload && { 'content-type': 'application/json' };
        const headers = { 'x-api-key': key, ...type };
        const answer = await api.app.inject({ method, url, headers, ...(payload && { payload }) });
        assert.equal(answer.statusCode, 404);
        const { 'x-request-id': requestId, date: _date, ...others } = answer.headers;
        const body = answer.body.replaceAll(id, 'ID').replaceAll(String(requestId), 'REQUEST');
        answers.add(`${body} ${JSON.stringify(others)}`);
      }
      assert.equal(answers.size, 1, [...answers].join('\n'));
    }
    assert.notEqual((await ask(keys[0], `/v1/valuations/${ids[0]}`)).statusCode, 404);
    assert.equal((await ask(keys[0], `/v1/avm/batch/${jobs[0]}`)).statusCode, 200);
    await close();
  });

  test(`${engine.name}: usage is limited to the requested account and month`, async () => {
    const store = await engine.open();
    const { ask, keyOf, close } = await startAccounts(store);
    const [a, b] = [await keyOf('a', 'partner'), await keyOf('b', 'partner')];
    await ask(a, `/v1/avm/property?${QUERY}`);
    assert.equal((await ask(a, '/v1/usage?period=2026-03')).json().requests, 1);
    assert.equal((await ask(a, '/v1/usage?period=2026-02')).json().requests, 0);
    assert.equal((await ask(b, '/v1/usage')).json().requests, 0);
    // The days are paged as other lists are: all lines once, in the same order.
    const line = { accountId: 'a', period: '2026-03', keyId: '', requests: 1, credits: 5 };
    const others = [20_500, 20_501].map((day) => ({ ...line, day, operation: 'census' }));
    await store.db.insertInto('credit_usage_days').values(others).execute();
    const { days, next_cursor: end } = (await ask(a, '/v1/usage/days')).json();
    assert.deepEqual([days.length, end], [3, null]);
    const paged = [];
    for (let cursor = ''; cursor !== null;) {
      const page = (await ask(a, `/v1/usage/days?limit=2${cursor && `&cursor=${cursor}`}`)).json();
      paged.push(page.days);
      cursor = page.next_cursor;
    }
    assert.deepEqual(paged, [days.slice(0, 2), days.slice(2)]);
    assert.equal((await ask(a, '/v1/usage/days?cursor=x')).json().code, 'invalid_cursor');
    const wrong = await ask(a, '/v1/usage?period=2026-13');
    assert.deepEqual([wrong.statusCode, wrong.json().detail[0].loc], [422, ['query', 'period']]);
    await close();
  });
}
