import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createAccount, setLogo, setName, setPlan } from '../src/accounts/manage-accounts.ts';
import { createKey, listKeys, revokeKey, rotateKey } from '../src/accounts/manage-keys.ts';
import { createUser, disableUser, setRole } from '../src/accounts/manage-users.ts';
import { SCOPES } from '../src/accounts/scopes.ts';
import { CONSOLE_ROUTES } from '../src/api/console/console-routes.ts';
import type { ConsoleRoute } from '../src/api/console/console-route.ts';
import { REQUEST_EXAMPLES } from '../src/api/examples/requests.ts';
import { createOutbound } from '../src/egress/outbound.ts';
import { COMMAND_LINE } from '../src/store/audit-log.ts';
import { inTransaction } from '../src/store/transaction.ts';
import { enqueueDelivery } from '../src/store/deliveries.ts';
import { addWebhookEndpoint } from '../src/store/webhook-endpoints.ts';
import { insertUpload } from '../src/store/uploads.ts';
import { testValuation } from './harness/store/rows.ts';
import { writeValuationsTo } from '../src/store/valuation-log.ts';
import { createPortfolios } from '../src/jobs/portfolios.ts';
import { addSweep } from './harness/jobs/add-sweep.ts';
import { testItems, testPayer } from './harness/jobs/jobs.ts';
import { uuidV7 } from '../src/store/uuid-v7.ts';
import { TEST_BOX } from './harness/accounts/secret-box.ts';
import { createWebhooks } from '../src/webhooks/webhooks.ts';
import { ADMINISTRATORS_ONLY, ANYONE, EVERYBODY_SIGNED_IN, OPERATORS_ONLY } from './console-access.ts';
import {
  onConsole,
  openBrowser,
  PASSWORD,
  type BrowserAnswer,
  type TestBrowser,
  type TestConsole,
} from './console-fixture.ts';
import { listUsers } from '../src/store/users.ts';

const MISSING = '00000000-0000-7000-8000-000000000000';
const DECISION = { decision: 'accepted', reason: 'measured' };

function pathOf({ path }: ConsoleRoute, id = MISSING): string {
  return path.replace('/console/api/', '').replaceAll(/\{\w+\}/g, id);
}

function ask(
  browser: TestBrowser,
  route: ConsoleRoute,
  id?: string,
  body: unknown = {},
): Promise<BrowserAnswer> {
  return browser.ask(
    route.method,
    pathOf(route, id),
    route.method !== 'GET' && route.body ? body : undefined,
  );
}

onConsole(
  'on every route members, administrators and operators may do exactly what their role allows',
  async (console) => {
    await console.addAccount('acme');
    await console.addUser('member', 'member');
    await console.addUser('administrator', 'administrator', 'acme');
    await console.addUser('operator', 'administrator');
    const names = ['member', 'administrator', 'operator'];
    const browsers = new Map(names.map((name) => [name, openBrowser(console)]));
    for (const [name, browser] of browsers) await browser.signIn(name);
    const known = [...ADMINISTRATORS_ONLY, ...OPERATORS_ONLY, ...EVERYBODY_SIGNED_IN, ...ANYONE];
    for (const route of CONSOLE_ROUTES) {
      const { operationId, access } = route;
      assert.ok(
        [...SCOPES, 'signed_in', 'administrator', 'operator', 'anyone'].includes(access),
        operationId,
      );
      const isValuation = /^value(Property|Rental|Multifamily)(ByQuery)?$/.test(operationId);
      assert.ok(known.includes(operationId) || isValuation, `list in this test who may ${operationId}`);
      if (ANYONE.includes(operationId)) continue;
      const nobody = await ask(openBrowser(console), route);
      assert.deepEqual([nobody.status, nobody.body.code], [401, 'not_signed_in'], operationId);
      for (const [name, browser] of browsers) {
        if (route.method === 'POST') {
          const forged = await browser.ask('POST', pathOf(route), {}, { headers: { 'x-csrf-token': 'x' } });
          assert.equal(forged.body.code, 'csrf_refused', `${name} ${operationId}`);
        }
        const answer = await ask(browser, route);
        const isForbidden =
          name === 'member'
            ? [...ADMINISTRATORS_ONLY, ...OPERATORS_ONLY].includes(operationId)
            : name === 'administrator' && OPERATORS_ONLY.includes(operationId);
        const what = `${name} ${operationId}: ${answer.status} ${answer.text.slice(0, 200)}`;
        assert.equal(answer.body.code === 'role_forbidden', isForbidden, what);
        assert.equal(answer.status === 403, isForbidden, what);
        assert.ok(answer.status < 500 && answer.status !== 401, what);
        if (operationId === 'signOut') await browser.signIn(name);
      }
    }
    assert.deepEqual(
      known.filter((name) => !CONSOLE_ROUTES.some(({ operationId }) => operationId === name)),
      [],
      'these routes do not exist anymore',
    );
  },
);

/**
 * Creates everything that an account must hide from other accounts, keyed by the path parameter or the folder
 * of its path.
 */
async function fill(console: TestConsole, accountId: string) {
  const { store, people, app } = console;
  const now = people.clock().getTime();
  const userId = await console.addUser(`second of ${accountId}`, 'member', accountId);
  const { keyId, text } = await createKey(people, COMMAND_LINE, { name: accountId, accountId });
  const valuationId = uuidV7(now, randomBytes(10));
  await writeValuationsTo(store)([{ valuation: { ...testValuation(valuationId), accountId }, charge: null }]);
  const submitted = await app.inject({
    method: 'POST',
    url: '/v1/avm/batch/property',
    headers: { 'x-api-key': text, 'content-type': 'application/json' },
    payload: { properties: [{ location: { address: '1 Main St' }, property_fields: { beds: 3, baths: 2 } }] },
  });
  const uploadId = uuidV7(now, randomBytes(10));
  await insertUpload(store, {
    purpose: 'batch',
    uploadId,
    accountId,
    userId,
    name: 'loans.csv',
    byteCount: 10,
    createdAt: now,
    keptUntil: now + 1000,
    sheet: null,
    submission: null,
    cancelledAt: null,
  });
  const deliveryId = `msg_${uuidV7(now, randomBytes(10))}`;
  const delivery = { deliveryId, accountId, subject: 'test', url: 'https://example.org/', createdAt: now };
  await inTransaction(store, (transaction) => enqueueDelivery(transaction, delivery));
  const portfolios = createPortfolios({
    store,
    clock: people.clock,
    newId: () => uuidV7(now, randomBytes(10)),
    wake: () => {},
  });
  const rules = {
    revalueEvery: 'day',
    changePct: 5,
    isOutsideRange: true,
    ltvPct: null,
    soldWithinMi: null,
  } as const;
  const homes = testItems(1).map((home) => ({ ...home, balanceUsd: null }));
  const { row } = await portfolios.create(testPayer(accountId), { name: 'Loans', rules, homes });
  const { portfolioId } = row;
  const jobId = String(submitted.json().job_id);
  const sweepId = await addSweep(store, accountId);
  return { userId, keyId, valuationId, jobId, deliveryId, uploadId, portfolioId, sweepId };
}

onConsole(
  'on every route an id of another account gets the same response as an unknown id',
  async (console) => {
    const accounts = ['acme', 'other'];
    for (const accountId of accounts) {
      await console.addAccount(accountId);
      await console.addUser(accountId, 'administrator', accountId);
    }
    const [, theirs] = [await fill(console, 'acme'), await fill(console, 'other')];
    const other = openBrowser(console);
    await other.signIn('other');
    const { sessions } = (await other.ask('GET', 'sessions')).body;
    const browser = openBrowser(console);
    await browser.signIn('acme');

    const endpoint = {
      endpointId: uuidV7(1, Buffer.alloc(10, 3)),
      url: 'https://203.0.114.9/',
      createdAt: 1,
    };
    await inTransaction(console.store, (transaction) =>
      addWebhookEndpoint(
        transaction,
        { accountId: 'other', actor: COMMAND_LINE },
        { ...endpoint, events: ['challenge.decided'] },
      ),
    );
    const idsOf = ({ path }: ConsoleRoute): readonly [string, string] | null => {
      // Models, markets and the map belong to no account. Routes of accounts and imports are open to operators only.
      if (/\/(models|markets|map|map-layers|basemap|accounts|imports)\//.test(path)) return null;
      if (path.includes('{job_id}')) return [theirs.jobId, MISSING];
      if (path.includes('{sweep_id}')) return [theirs.sweepId, MISSING];
      if (path.includes('/uploads/')) return [theirs.uploadId, MISSING];
      if (path.includes('/valuations/')) return [theirs.valuationId, MISSING];
      if (path.includes('/endpoints/')) return [endpoint.endpointId, MISSING];
      if (path.includes('/portfolios/')) return [theirs.portfolioId, MISSING];
      if (path.includes('/deliveries/')) return [theirs.deliveryId, `msg_${MISSING}`];
      if (path.includes('/keys/')) return [theirs.keyId, 'zzzzzzzz'];
      if (path.includes('/users/')) return [theirs.userId, MISSING];
      if (path.includes('/sessions/')) return [sessions[0].id, MISSING];
      throw new Error(`add the owner of the id in ${path} to this test`);
    };
    let tried = 0;
    for (const route of CONSOLE_ROUTES.filter(({ path }) => path.includes('{'))) {
      const ids = idsOf(route);
      if (ids === null) continue;
      const body = {
        role: 'administrator',
        password: 'a password of theirs',
        overlap_days: 0,
        portfolio_id: MISSING,
        ...REQUEST_EXAMPLES.PortfolioSettingsRequest,
        ...REQUEST_EXAMPLES.BalancesRequest,
        ...REQUEST_EXAMPLES.RemovePropertiesRequest,
        ...(route.path.includes('/alerts/') ? REQUEST_EXAMPLES.DismissAlertsRequest : DECISION),
      };
      const answers = new Set<string>();
      for (const id of ids) {
        const { status, text, headers } = await ask(browser, route, id, body);
        assert.equal(status, 404, `${route.operationId} ${text}`);
        const { 'x-request-id': requestId, date: _date, ...others } = headers;
        const shown = text.replaceAll(id, 'ID').replaceAll(String(requestId), 'REQUEST');
        answers.add(`${shown} ${JSON.stringify(others)}`);
      }
      assert.equal(answers.size, 1, [...answers].join('\n'));
      const odd = await ask(browser, route, '%00', body);
      assert.equal(odd.status, 404, `${route.operationId}: ${odd.text}`);
      tried++;
    }
    assert.ok(tried >= 14, `${tried}`);
    assert.equal((await other.ask('GET', 'session')).status, 200, 'the other account was not changed');
    for (const [path, member] of [
      ['keys', 'keys'],
      ['users', 'users'],
      ['audit', 'entries'],
      ['avm/batch', 'jobs'],
      ['webhooks/deliveries', 'deliveries'],
    ] as const) {
      const { body, text } = await browser.ask('GET', path);
      assert.ok(body[member].length > 0, path);
      for (const id of [...Object.values(theirs), 'second of other'])
        assert.equal(text.includes(id), false, path);
    }
    assert.equal((await browser.ask('GET', 'audit?account=other')).status, 403);
  },
);

onConsole('when administrators disable each other at once, one remains', async (console) => {
  for (let round = 0; round < 3; round++) {
    const names = ['ada', 'bob', 'cy'].map((name) => `${name} ${round}`);
    const ids: string[] = [];
    for (const name of names) ids.push(await console.addUser(name, 'administrator'));
    const browsers = names.map(() => openBrowser(console));
    for (const [i, browser] of browsers.entries()) await browser.signIn(names[i]);
    const change = round === 1 ? 'role' : 'disable';
    const answers = await Promise.all(
      browsers.flatMap((browser, i) =>
        ids
          .filter((_id, at) => at !== i)
          .map((id) =>
            browser.ask('POST', `users/${id}/${change}`, change === 'role' ? { role: 'member' } : undefined),
          ),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    assert.ok(
      statuses.every((status) => [200, 401, 403, 409].includes(status)),
      answers.map(({ text }) => text).join('\n'),
    );
    const left = (await listUsers(console.people.store, 'self')).filter(
      ({ name, role, disabledAt }) => names.includes(name) && role === 'administrator' && disabledAt === null,
    );
    assert.ok(left.length > 0, statuses.join());
  }
});

onConsole('an administrator who is disabled meanwhile adds no user and no key', async (console) => {
  const [ada, bob] = [await console.addUser('ada', 'administrator'), await console.addUser('bob', 'member')];
  const actor = { kind: 'user', id: ada, name: 'ada' } as const;
  const of = (userId: string) => ({ accountId: 'self', userId });
  await setRole(console.people, COMMAND_LINE, of(ada), 'member');
  await assert.rejects(setRole(console.people, actor, of(bob), 'administrator'), { code: 'role_forbidden' });
  const { keyId } = await createKey(console.people, COMMAND_LINE, { name: 'a key' });
  await disableUser(console.people, COMMAND_LINE, of(ada));
  const friend = { accountId: 'self', name: 'friend', role: 'administrator', password: PASSWORD } as const;
  for (const change of [
    () => createUser(console.people, actor, friend),
    () => createKey(console.people, actor, { name: 'mine' }),
    () => rotateKey(console.people, actor, keyId, 7),
    () => revokeKey(console.people, actor, keyId),
  ]) {
    await assert.rejects(change(), { code: 'not_signed_in' });
  }
  const keys = await listKeys(console.people);
  assert.equal(
    keys.some(({ name }) => name === 'mine'),
    false,
  );
  assert.equal(keys.find((key) => key.keyId === keyId)?.revokedAt, null);
  await assert.rejects(disableUser(console.people, actor, of(bob)), { code: 'not_signed_in' });
});

onConsole(
  'an administrator who is disabled meanwhile sends nothing, rotates no secret and creates no account',
  async (console) => {
    const { people, store } = console;
    const secretDeps = { ...people, box: TEST_BOX };
    const webhooks = createWebhooks({
      ...secretDeps,
      outbound: createOutbound({ allowCidrs: [], allowHttp: true }),
      newId: () => uuidV7(people.clock().getTime(), randomBytes(10)),
      wake: () => assert.fail('nothing is due'),
    });
    await console.addAccount('acme', 'free');
    const ada = await console.addUser('ada', 'administrator');
    const bob = await console.addUser('bob', 'administrator', 'acme');
    const adaOfSelf = { accountId: 'self', userId: ada };
    const actor = { kind: 'user', id: ada, name: 'ada' } as const;
    const deliveryId = 'msg_failed';
    const delivery = { deliveryId, accountId: 'self', subject: 'test', url: 'https://a.test/', createdAt: 0 };
    await inTransaction(store, (transaction) => enqueueDelivery(transaction, delivery));
    await store.db.updateTable('deliveries').set({ state: 'failed' }).execute();
    const by = { accountId: 'self', actor };
    const changes = [
      () => webhooks.rotateSecret(by),
      () => webhooks.sendTest(by, 'https://a.test/'),
      () => webhooks.redeliver(by, deliveryId),
      () => createAccount(people, actor, { accountId: 'new', name: 'New', plan: 'free' }),
      () => setPlan(people, actor, 'acme', 'unlimited'),
      () => setName(people, actor, 'acme', 'Other'),
      () => setLogo(people, actor, 'self', null),
    ];
    const stored = async () =>
      JSON.stringify([
        await store.db.selectFrom('webhook_secrets').selectAll().execute(),
        await store.db.selectFrom('deliveries').selectAll().execute(),
        await store.db.selectFrom('accounts').selectAll().orderBy('accountId').execute(),
        (await store.db.selectFrom('audit_log').selectAll().execute()).filter((row) => row.actorId === ada),
      ]);
    const before = await stored();
    await setRole(people, COMMAND_LINE, adaOfSelf, 'member');
    for (const change of changes) await assert.rejects(change(), { code: 'role_forbidden' });
    await disableUser(people, COMMAND_LINE, adaOfSelf);
    for (const change of changes) await assert.rejects(change(), { code: 'not_signed_in' });
    const other = { kind: 'user', id: bob, name: 'bob' } as const;
    await assert.rejects(setPlan(people, other, 'acme', 'unlimited'), { code: 'role_forbidden' });
    assert.equal(await stored(), before);
  },
);

onConsole("free operations that start work count against the plan's limits", async (console) => {
  await console.addAccount('acme', 'free');
  await console.addUser('ada', 'administrator', 'acme');
  const browser = openBrowser(console);
  await browser.signIn('ada');
  const replay = () => browser.ask('POST', `valuations/${MISSING}/replay`);
  assert.equal((await replay()).status, 404);
  assert.equal((await replay()).status, 429, 'limited to one per second');
  for (let i = 0; i < 3; i++) assert.equal((await browser.ask('GET', 'avm/batch')).status, 200, 'a look');
});

onConsole("a batch's URL starts with /v1 for a key and with /console in the console", async (console) => {
  await console.addUser('ada', 'member');
  const browser = openBrowser(console);
  await browser.signIn('ada');
  const batch = {
    properties: [{ location: { address: '1 Main St' }, property_fields: { beds: 3, baths: 2 } }],
  };
  const named: string[] = [];
  const readHere = async ({ headers, body }: BrowserAnswer): Promise<string> => {
    assert.equal(headers.location, `/console/api/avm/batch/${body.job_id}`);
    assert.equal(body.status_url, headers.location);
    const read = await browser.ask('GET', headers.location.replace('/console/api/', ''));
    assert.deepEqual([read.status, read.body.job_id], [200, body.job_id]);
    named.push(body.job_id);
    return body.job_id;
  };
  const again = { headers: { 'idempotency-key': 'once' } };
  const jobId = await readHere(await browser.ask('POST', 'avm/batch/property', batch, again));
  await readHere(await browser.ask('POST', 'avm/batch/property', batch, again));
  await browser.ask('POST', `avm/batch/${jobId}/cancel`);
  await readHere(await browser.ask('POST', `avm/batch/${jobId}/retry-failed`));
  assert.deepEqual([named.length, new Set(named).size], [3, 2]);
  const byKey = await console.app.inject({
    method: 'POST',
    url: '/v1/avm/batch/property',
    headers: { 'x-api-key': console.key, 'content-type': 'application/json' },
    payload: batch,
  });
  assert.equal(byKey.headers.location, `/v1/avm/batch/${byKey.json().job_id}`);
  assert.equal(byKey.json().status_url, byKey.headers.location);
});

onConsole('log lines of console requests name the account and the user', async (console) => {
  const ada = await console.addUser('ada', 'administrator');
  const browser = openBrowser(console);
  await browser.signIn('ada');
  await browser.ask('GET', 'users');
  const lines = console.logLines.map((line) => JSON.parse(line));
  const line = lines.find(({ route }) => route === '/console/api/users');
  assert.deepEqual([line.accountId, line.keyId], ['self', `user:${ada}`]);
});
