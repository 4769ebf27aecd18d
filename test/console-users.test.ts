import assert from 'node:assert/strict';
import { forgetEndedSignIns } from '../src/accounts/sign-in.ts';
import { setPassword, userNamed } from '../src/accounts/manage-users.ts';
import { COMMAND_LINE } from '../src/store/audit-log.ts';
import { onConsole, openBrowser, PASSWORD } from './console-fixture.ts';

const NEW_PASSWORD = 'a second one, and longer';

onConsole(
  "disabling a user, reducing the role and setting a new password end the user's sessions at once",
  async (console) => {
    await console.addUser('ada', 'administrator');
    const ada = openBrowser(console);
    await ada.signIn('ada');
    const id = await console.addUser('bob', 'administrator');
    const bob = openBrowser(console);
    const isIn = async (): Promise<boolean> => (await bob.ask('GET', 'session')).status === 200;
    for (const [path, body, password] of [
      ['role', { role: 'member' }, PASSWORD],
      ['disable', undefined, PASSWORD],
      ['password', { password: NEW_PASSWORD }, NEW_PASSWORD],
    ] as const) {
      assert.equal((await bob.signIn('bob')).status, 200);
      assert.equal((await ada.ask('POST', `users/${id}/${path}`, body)).status, 200);
      assert.equal(await isIn(), false, path);
      if (path === 'disable') assert.equal((await ada.ask('POST', `users/${id}/enable`)).status, 200);
      assert.equal((await bob.signIn('bob', password)).status, 200, 'the user can sign in again');
    }
    assert.equal(
      (await ada.ask('POST', `users/${id}/role`, { role: 'administrator' })).body.role,
      'administrator',
    );
    assert.equal(await isIn(), true, 'a higher role ends no session');
    await setPassword(console.people, COMMAND_LINE, await userNamed(console.people, 'bob'), PASSWORD);
    assert.equal(await isIn(), false, 'the command line ends sessions too');
  },
);

onConsole(
  'changing your own password ends every session except the current one, which gets a new id',
  async (console) => {
    await console.addUser('ada', 'member');
    const [here, there] = [openBrowser(console), openBrowser(console)];
    await here.signIn('ada');
    await there.signIn('ada');
    const before = { cookie: here.cookie(), token: here.token() };
    const body = { current_password: PASSWORD, new_password: NEW_PASSWORD };
    assert.equal((await here.ask('POST', 'password', body)).status, 200);
    assert.equal((await here.ask('GET', 'session')).status, 200);
    assert.notEqual(here.cookie(), before.cookie);
    assert.notEqual(here.token(), before.token);
    assert.equal((await openBrowser(console, before.cookie).ask('GET', 'session')).status, 401);
    assert.equal((await there.ask('GET', 'session')).status, 401);
    assert.equal((await there.signIn('ada', PASSWORD)).status, 401);
    assert.equal((await there.signIn('ada', NEW_PASSWORD)).status, 200);
  },
);

onConsole(
  'administrators cannot disable themselves or set their own password without the current one',
  async (console) => {
    const id = await console.addUser('ada', 'administrator');
    const ada = openBrowser(console);
    await ada.signIn('ada');
    for (const [path, body] of [
      ['role', { role: 'member' }],
      ['disable', undefined],
      ['password', { password: NEW_PASSWORD }],
    ] as const) {
      const answer = await ada.ask('POST', `users/${id}/${path}`, body);
      assert.deepEqual([answer.status, answer.body.code], [409, 'conflict'], path);
    }
    assert.equal((await ada.ask('GET', 'users')).body.users[0].role, 'administrator');
  },
);

onConsole('password errors do not repeat the password', async (console) => {
  await console.addUser('ada', 'administrator');
  const ada = openBrowser(console);
  await ada.signIn('ada');
  for (const [path, body, code] of [
    ['users', { name: 'bob', role: 'member', password: 'secret 1' }, 'validation_error'],
    ['users', { name: 'bob', role: 'king', password: 'secret 1 and more' }, 'validation_error'],
    ['users', { name: 'bob', role: 'member', password: { secret: 1 } }, 'validation_error'],
    [
      'users',
      { name: 'bob', role: 'member', password: 'ssssssssssecret1'.replaceAll(/[ecrt1]/g, 's') },
      'bad_request',
    ],
    ['users', { name: ' bob', role: 'member', password: 'secret 1 and more' }, 'bad_request'],
    ['password', { current_password: 'secret 1', new_password: 'secret 1' }, 'bad_request'],
    ['sign-in', { name: 'ada', password: `secret 1${'x'.repeat(300)}` }, 'validation_error'],
    ['sign-in', { name: 'ada', password: ['secret 1'] }, 'validation_error'],
    ['sign-in', 'secret 1', 'validation_error'],
  ] as const) {
    const answer = await ada.ask('POST', path, body);
    assert.equal(answer.body.code, code, answer.text);
    assert.equal(/secret/.test(answer.text), false, answer.text);
  }
});

onConsole(
  'a key created in the console opens the API, can be rotated, and is rejected within ten seconds of its end',
  async (console) => {
    await console.addUser('ada', 'administrator');
    const ada = openBrowser(console);
    await ada.signIn('ada');
    const made = await ada.ask('POST', 'keys', {
      name: 'front end',
      environment: 'live',
      scopes: ['coverage:read'],
      expires_at: '2026-04-30',
    });
    const { id, key, expires_at: end, last_characters: last } = made.body;
    assert.match(key, /^plb_live_/);
    assert.deepEqual([end, last], ['2026-04-30T23:59:59.999Z', key.slice(-4)]);
    const open = async (text: string): Promise<number> =>
      (await console.app.inject({ url: '/v1/coverage', headers: { 'x-api-key': text } })).statusCode;
    assert.equal(await open(key), 200);
    const rotated = await ada.ask('POST', `keys/${id}/rotate`, { overlap_days: 7 });
    assert.equal(await open(rotated.body.key), 200);
    const listed = (await ada.ask('GET', 'keys')).body.keys;
    assert.equal(JSON.stringify(listed).includes(key.slice(18)), false);
    assert.equal((await ada.ask('POST', `keys/${id}/revoke`)).status, 200);
    assert.equal((await ada.ask('POST', `keys/${id}/revoke`)).status, 409);
    console.passMs(10_000);
    assert.equal(await open(key), 401);
    assert.equal(await open(rotated.body.key), 200);
    for (const [body, status] of [
      [{ name: 'k', environment: 'live', scopes: [] }, 422],
      [{ name: 'k', environment: 'live', scopes: ['everything'] }, 422],
      [{ name: ' ', environment: 'live', scopes: ['*'] }, 400],
      [{ name: 'k', environment: 'live', scopes: ['*'], expires_at: 'soon' }, 422],
      [{ name: 'k', environment: 'live', scopes: ['*'], expires_at: '2020-01-01' }, 400],
    ] as const) {
      assert.equal((await ada.ask('POST', 'keys', body)).status, status, JSON.stringify(body));
    }
  },
);

onConsole('operators manage accounts, and other administrators see their own plan', async (console) => {
  await console.addAccount('acme', 'free');
  await console.addUser('ada', 'administrator');
  await console.addUser('eve', 'administrator', 'acme');
  const [ada, eve] = [openBrowser(console), openBrowser(console)];
  await ada.signIn('ada');
  await eve.signIn('eve');
  const names = async (browser: typeof ada): Promise<string[]> =>
    (await browser.ask('GET', 'plans')).body.plans.map(({ name }: { name: string }) => name);
  assert.deepEqual(await names(ada), ['free', 'standard', 'professional', 'unlimited']);
  assert.deepEqual(await names(eve), ['free']);
  const refused = await eve.ask('POST', 'avm/batch/property', {});
  assert.deepEqual(
    [refused.status, refused.body.code],
    [403, 'plan_forbidden'],
    'the plan applies in the console too',
  );
  const value = 'avm/property?address=1+Main+St&total_bedrooms=3&total_bathrooms=2';
  assert.notEqual((await eve.ask('GET', value)).status, 429);
  const limited = await eve.ask('GET', value);
  assert.deepEqual(
    [limited.status, limited.headers['retry-after']],
    [429, '1'],
    'the plan’s limits apply too',
  );
  for (let i = 0; i < 5; i++)
    assert.equal((await eve.ask('GET', 'coverage')).status, 200, 'reading is not limited');
  assert.equal((await ada.ask('POST', 'accounts/acme/plan', { plan: 'standard' })).body.plan, 'standard');
  assert.deepEqual(await names(eve), ['standard']);
  assert.equal((await ada.ask('POST', 'accounts/acme/plan', { plan: 'gold' })).status, 400);
  assert.equal((await ada.ask('POST', 'accounts/none/plan', { plan: 'free' })).status, 404);
  assert.equal((await ada.ask('POST', 'accounts', { id: 'acme', name: 'x', plan: 'free' })).status, 409);
  assert.equal((await ada.ask('POST', 'accounts', { id: 'A b', name: 'x', plan: 'free' })).status, 400);
});

onConsole(
  'an account’s own limits take the place of its plan’s until they are removed, and the audit log has the reason',
  async (console) => {
    await console.addAccount('acme', 'free');
    await console.addUser('ada', 'administrator');
    await console.addUser('eve', 'administrator', 'acme');
    const [ada, eve] = [openBrowser(console), openBrowser(console)];
    await ada.signIn('ada');
    await eve.signIn('eve');
    const plan = async () => (await eve.ask('GET', 'plans')).body.plans[0];
    const before = await plan();
    const prices = async () => (await eve.ask('GET', 'session')).body.prices;
    assert.equal(await prices(), null, 'without a limit of credits nothing has a price');
    const set = (limits: object) => ada.ask('POST', 'accounts/acme/limits', limits);
    const limited = await set({ per_second: 3, credits_per_month: 40, reason: 'Trial until May' });
    assert.deepEqual(limited.body.limits, {
      per_second: 3,
      per_minute: null,
      per_day: null,
      credits_per_month: 40,
      open_jobs: null,
      batch_items_per_day: null,
      stored_mb: null,
    });
    assert.deepEqual(await plan(), {
      ...before,
      requests: { ...before.requests, per_second: 3 },
      credits_per_month: 40,
    });
    assert.equal((await prices()).property_valuation, 30);
    const value = 'avm/property?address=1+Main+St&total_bedrooms=3&total_bathrooms=2';
    const statuses: number[] = [];
    for (let i = 0; i < 4; i++) statuses.push((await eve.ask('GET', value)).status);
    assert.equal(statuses.indexOf(429), 3, 'three requests in a second instead of one');
    assert.equal((await eve.ask('GET', 'usage')).body.credits_limit, 40);
    for (const [limits, status] of [
      [{ per_second: 0, reason: 'x' }, 422],
      [{ credits_per_month: -1, reason: 'x' }, 422],
      [{ per_day: 5 }, 422],
      [{ per_day: 5, reason: '' }, 422],
    ] as const) {
      assert.equal((await set(limits)).status, status, JSON.stringify(limits));
    }
    assert.equal((await ada.ask('POST', 'accounts/none/limits', { reason: 'x' })).status, 404);
    console.passMs(1);
    assert.equal((await set({ reason: 'Trial ended' })).body.limits, null);
    assert.deepEqual(await plan(), before);
    const { entries } = (await ada.ask('GET', 'audit?find=limits')).body;
    assert.deepEqual(
      entries.map(
        ({ actor, subject, detail }: { actor: { name: string }; subject: string; detail: object }) => [
          actor.name,
          subject,
          detail,
        ],
      ),
      [
        [
          'ada',
          'acme',
          { reason: 'Trial ended', limits: null, limits_before: 'per_second 3, credits_per_month 40' },
        ],
        [
          'ada',
          'acme',
          { reason: 'Trial until May', limits: 'per_second 3, credits_per_month 40', limits_before: null },
        ],
      ],
    );
  },
);

onConsole('an account and its first administrator are created together or not at all', async (console) => {
  await console.addUser('ada', 'administrator');
  const [ada, first] = [openBrowser(console), openBrowser(console)];
  await ada.signIn('ada');
  const create = (id: string, name: string, password: string) =>
    ada.ask('POST', 'accounts', { id, name: id, plan: 'free', first_user: { name, password } });
  const ids = async (): Promise<string[]> =>
    (await ada.ask('GET', 'accounts')).body.accounts.map(({ id }: { id: string }) => id);
  const taken = await create('acme', 'ADA', NEW_PASSWORD);
  assert.deepEqual([taken.status, taken.body.code], [409, 'conflict']);
  assert.equal((await create('acme', 'eve', 'password')).status, 422);
  assert.deepEqual(await ids(), ['self'], 'a rejected user leaves no account');
  assert.equal((await create('acme', 'eve@acme.example', NEW_PASSWORD)).status, 200);
  assert.deepEqual(await ids(), ['acme', 'self']);
  const { user, account } = (await first.signIn('eve@acme.example', NEW_PASSWORD)).body;
  assert.deepEqual([user.role, account.id], ['administrator', 'acme']);
});

onConsole('expired sessions, attempts and devices are deleted, and others are kept', async (console) => {
  await console.addUser('ada', 'member');
  const browser = openBrowser(console);
  await browser.signIn('ada');
  await openBrowser(console).signIn('nobody', 'wrong wrong wrong', { address: '203.0.113.1' });
  const count = async (table: 'sessions' | 'sign_in_attempts' | 'devices'): Promise<number> =>
    (await console.store.db.selectFrom(table).selectAll().execute()).length;
  await forgetEndedSignIns(console.people);
  assert.deepEqual([await count('sessions'), await count('sign_in_attempts')], [1, 2]);
  console.passMs(20 * 60_000);
  await forgetEndedSignIns(console.people);
  assert.deepEqual([await count('sessions'), await count('sign_in_attempts')], [1, 0]);
  assert.equal((await browser.ask('GET', 'session')).status, 200);
  console.passMs(30 * 60_000);
  await forgetEndedSignIns(console.people);
  assert.deepEqual([await count('sessions'), await count('devices')], [0, 1]);
  console.passMs(180 * 24 * 3_600_000);
  await forgetEndedSignIns(console.people);
  assert.equal(await count('devices'), 0);
});
