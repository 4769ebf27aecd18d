import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createIdentityProvider, type IdentityProvider } from '../src/accounts/identity-provider.ts';
import { disableUser } from '../src/accounts/manage-users.ts';
import { completeProviderSignIn } from '../src/accounts/provider-sign-in.ts';
import { PROVIDER_CALLBACK_PATH } from '../src/api/console/sign-in/provider-sign-in.ts';
import { systemClock } from '../src/clock.ts';
import { createOutbound } from '../src/egress/outbound.ts';
import type { Outbound } from '../src/egress/outbound-call.ts';
import { COMMAND_LINE } from '../src/store/audit-log.ts';
import {
  HOST,
  onConsole,
  openBrowser,
  PASSWORD,
  type TestBrowser,
  type TestConsole,
} from './console-fixture.ts';
import { LOOPBACK, startOidcServer, type OidcServer } from './harness/accounts/oidc-server.ts';

const ADA = 'ada@assessor.example';
const PUBLIC_URL = `http://${HOST}`;
const CALLBACK = PROVIDER_CALLBACK_PATH.replace('/console/api/', '');

let oidc: OidcServer;
before(async () => {
  oidc = await startOidcServer([PUBLIC_URL]);
});
after(() => oidc.close());

function providerThrough(outbound?: Outbound): IdentityProvider {
  return createIdentityProvider(oidc.settingFor(PUBLIC_URL), PROVIDER_CALLBACK_PATH, {
    clock: systemClock,
    outbound,
  });
}

/** A test with the provider. */
function onProvider(name: string, run: (console: TestConsole) => Promise<void>): void {
  onConsole(name, run, () => providerThrough());
}

async function start(browser: TestBrowser, page = '/console/value'): Promise<string> {
  const started = await browser.ask('POST', 'sign-in/provider', { page });
  assert.equal(started.status, 200, started.text);
  return started.body.url;
}

/** What the provider's redirect makes a browser request. */
async function comeBack(browser: TestBrowser, url: string, address = '127.0.0.1') {
  assert.ok(url.startsWith(PUBLIC_URL + PROVIDER_CALLBACK_PATH), url);
  const answer = await browser.ask('GET', CALLBACK + new URL(url).search, undefined, {
    headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', accept: 'text/html' },
    address,
  });
  assert.equal(answer.status, 303, answer.text);
  return String(answer.headers.location);
}

async function signIn(browser: TestBrowser, email: string): Promise<string> {
  return comeBack(browser, await oidc.signIn(await start(browser), email));
}

const problem = (name: string): string => `/console?sign_in_problem=${name}`;

async function assertNoSession(browser: TestBrowser, location: string, name: string): Promise<void> {
  assert.equal(location, problem(name));
  assert.equal((await browser.ask('GET', 'session')).status, 401);
  const { body } = await browser.ask('GET', `sign-in/options?problem=${name}`);
  assert.match(body.problem, /^[A-Z].*\.$/);
  for (const text of ['%3Cb%3E', '__proto__', 'toString', '']) {
    const other = await browser.ask('GET', `sign-in/options?problem=${text}`);
    assert.deepEqual(other.body, { provider: { name: 'Acme login' }, problem: null });
  }
}

async function auditOf({ store }: TestConsole) {
  const rows = await store.db.selectFrom('audit_log').selectAll().orderBy('action').execute();
  return rows.map(({ action, subject, detail }) => ({ action, subject, detail: JSON.parse(detail) }));
}

onProvider(
  'a user is linked by the confirmed email address, and signed in by the subject ever after',
  async (console) => {
    const userId = await console.addUser(ADA, 'member');
    oidc.accounts.set('ADA@assessor.example', { subject: 'subject-1', isEntra: true });
    const browser = openBrowser(console);
    const page = '/console/markets/a-county?tab=accuracy';
    const url = await start(browser, page);
    assert.equal(await comeBack(browser, await oidc.signIn(url, 'ADA@assessor.example')), page);
    const session = await browser.ask('GET', 'session');
    assert.deepEqual([session.body.user.name, session.body.user.role], [ADA, 'member']);
    // The address changed at the provider: the subject still names the user.
    oidc.accounts.clear();
    oidc.accounts.set('married@assessor.example', { subject: 'subject-1', isConfirmed: false });
    const again = openBrowser(console);
    assert.equal(await signIn(again, 'married@assessor.example'), '/console/value');
    assert.equal((await again.ask('GET', 'session')).body.user.id, userId);
    oidc.accounts.clear();
    const audit = (await auditOf(console)).filter(({ action }) => /identity|sign_in/.test(action));
    assert.deepEqual(
      audit.map(({ action, subject, detail }) => [action, subject, detail.identity_provider]),
      [
        ['sign_in', ADA, oidc.issuer],
        ['sign_in', ADA, oidc.issuer],
        ['user.identity_linked', ADA, oidc.issuer],
      ],
    );
  },
);

onProvider(
  'a session of the provider replaces the one of the browser, and no local second factor is asked for',
  async (console) => {
    const userId = await console.addUser(ADA, 'member');
    const browser = openBrowser(console);
    await browser.signIn(ADA);
    await console.store.db
      .updateTable('users')
      .set({ secondFactorSecret: 'sealed', secondFactorSince: 1 })
      .where('userId', '=', userId)
      .execute();
    const before = browser.cookie();
    const device = browser.device();
    assert.equal(await signIn(browser, ADA), '/console/value');
    const { sessions } = (await browser.ask('GET', 'sessions')).body;
    assert.deepEqual([sessions.length, browser.cookie() === before, browser.device()], [1, false, device]);
  },
);

onProvider('nobody is created or linked without a confirmed address of an existing user', async (console) => {
  await console.addUser(ADA, 'member');
  oidc.accounts.set(ADA, { isConfirmed: false });
  const browser = openBrowser(console);
  await assertNoSession(browser, await signIn(browser, ADA), 'email_not_verified');
  oidc.accounts.set(ADA, { isEntra: true, isConfirmed: false });
  await assertNoSession(browser, await signIn(browser, ADA), 'email_not_verified');
  oidc.accounts.clear();
  await assertNoSession(browser, await signIn(browser, 'eve@elsewhere.example'), 'unknown_user');
  // With a full-width letter: another mailbox, although the names of users are compared without the difference.
  await assertNoSession(browser, await signIn(browser, `\uFF41${ADA.slice(1)}`), 'unknown_user');
  const users = (await console.store.db.selectFrom('users').selectAll().execute()).map(
    ({ name, identitySince }) => [name, identitySince],
  );
  assert.deepEqual(users, [[ADA, null]]);
  const refused = (await auditOf(console)).filter(({ action }) => action === 'sign_in.refused');
  assert.deepEqual(refused.map(({ detail }) => `${detail.reason} ${detail.email}`).sort(), [
    'email_not_verified null',
    'email_not_verified null',
    'unknown_user eve@elsewhere.example',
    `unknown_user \uFF41${ADA.slice(1)}`,
  ]);
});

onProvider(
  'a reassigned email address does not open the account of its former owner until an administrator unlinks it',
  async (console) => {
    const userId = await console.addUser(ADA, 'member');
    await console.addUser('root', 'administrator');
    oidc.accounts.set(ADA, { subject: 'first-owner' });
    const first = openBrowser(console);
    await signIn(first, ADA);
    oidc.accounts.set(ADA, { subject: 'second-owner' });
    const second = openBrowser(console);
    await assertNoSession(second, await signIn(second, ADA), 'linked_to_another');
    const root = openBrowser(console);
    await root.signIn('root');
    const listed = async () =>
      (await root.ask('GET', 'users')).body.users.find(({ id }: { id: string }) => id === userId);
    assert.match((await listed()).identity_since, /^2026-03-31T/);
    assert.equal((await root.ask('GET', 'users')).text.includes('first-owner'), false);
    assert.equal((await root.ask('POST', `users/${userId}/unlink-identity`)).status, 200);
    assert.equal((await root.ask('POST', `users/${userId}/unlink-identity`)).status, 409);
    assert.equal((await listed()).identity_since, null);
    assert.equal((await first.ask('GET', 'session')).status, 401, 'sessions end');
    assert.equal(await signIn(second, ADA), '/console/value');
    oidc.accounts.clear();
    const actions = (await auditOf(console)).map(({ action }) => action);
    assert.deepEqual(
      actions.filter((action) => action.startsWith('user.identity')),
      ['user.identity_linked', 'user.identity_linked', 'user.identity_unlinked'],
    );
  },
);

onProvider('a disabled user is rejected, linked or not', async (console) => {
  const userId = await console.addUser(ADA, 'member');
  const browser = openBrowser(console);
  await signIn(browser, ADA);
  await disableUser(console.people, COMMAND_LINE, { accountId: 'self', userId });
  await assertNoSession(browser, await signIn(browser, ADA), 'user_disabled');
});

onProvider(
  'a response counts once, in the browser that started the sign-in, and for ten minutes',
  async (console) => {
    await console.addUser(ADA, 'member');
    const browser = openBrowser(console);
    const started = await browser.ask('POST', 'sign-in/provider', { page: '/console' });
    const [set] = [started.headers['set-cookie']].flat();
    assert.match(set, /^__Host-sign-in=v1\.\S+; Max-Age=600; Path=\/; Secure; HttpOnly; SameSite=Lax$/);
    const [pending] = set.split(';', 1);
    const back = await oidc.signIn(started.body.url, ADA);
    const other = openBrowser(console);
    await assertNoSession(other, await comeBack(other, back), 'expired');
    await start(other);
    await assertNoSession(other, await comeBack(other, back), 'expired');
    assert.equal(await comeBack(browser, back), '/console');
    // The cookie is gone. Someone who kept a copy gets nothing, because the provider accepts the code once.
    await assertNoSession(openBrowser(console), await comeBack(browser, back), 'expired');
    const copy = openBrowser(console, pending);
    await assertNoSession(copy, await comeBack(copy, back), 'invalid_response');
    const late = openBrowser(console);
    const lateBack = await oidc.signIn(await start(late), ADA);
    console.passMs(10 * 60_000);
    await assertNoSession(late, await comeBack(late, lateBack), 'expired');
  },
);

onProvider('a response with another state, nonce, issuer or code challenge is rejected', async (console) => {
  await console.addUser(ADA, 'member');
  const changed = (url: string, name: string, value: string): string => {
    const parsed = new URL(url);
    parsed.searchParams.set(name, value);
    return parsed.href;
  };
  const other = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
  for (const [name, at, expected] of [
    ['state', 'request', 'expired'],
    ['state', 'response', 'expired'],
    ['nonce', 'request', 'invalid_response'],
    ['code_challenge', 'request', 'invalid_response'],
    ['iss', 'response', 'invalid_response'],
    ['code', 'response', 'invalid_response'],
  ] as const) {
    const browser = openBrowser(console);
    const url = await start(browser);
    const back = await oidc.signIn(at === 'request' ? changed(url, name, other) : url, ADA);
    const location = await comeBack(browser, at === 'response' ? changed(back, name, other) : back);
    await assertNoSession(browser, location, expected);
  }
  const declined = openBrowser(console);
  await assertNoSession(declined, await signIn(declined, ''), 'declined');
  const lines = console.logLines.filter((line) => line.includes('identity provider'));
  assert.ok(
    lines.length >= 5 && lines.some((line) => line.includes('The user went away.')),
    lines.join('\n'),
  );
});

onProvider('attempts that reach the provider in vain are limited by address', async (console) => {
  await console.addUser(ADA, 'member');
  const address = '203.0.113.7';
  const attempt = async (email: string): Promise<string> => {
    const browser = openBrowser(console);
    return comeBack(browser, await oidc.signIn(await start(browser), email), address);
  };
  for (let i = 0; i < 6; i++) assert.equal(await attempt(ADA), '/console/value', 'successes do not count');
  for (let i = 0; i < 5; i++) assert.equal(await attempt('eve@elsewhere.example'), problem('unknown_user'));
  assert.equal(await attempt(ADA), problem('rate_limited'));
  console.passMs(15 * 60_000);
  assert.equal(await attempt(ADA), '/console/value');
});

onProvider('another process completes a sign-in', async (console) => {
  await console.addUser(ADA, 'member');
  const browser = openBrowser(console);
  const started = await browser.ask('POST', 'sign-in/provider', { page: '/console' });
  const [, pending] = String(started.headers['set-cookie']).split(';', 1)[0].split('__Host-sign-in=');
  const back = await oidc.signIn(started.body.url, ADA);
  const completed = await completeProviderSignIn(console.people, providerThrough(), {
    query: new URL(back).search.slice(1),
    pending,
    client: { address: '127.0.0.1', userAgent: '' },
    replacing: null,
  });
  assert.equal(completed.problem, null);
});

onProvider(
  'only a page of the console starts a sign-in, and only pages of the console follow it',
  async (console) => {
    await console.addUser(ADA, 'member');
    const foreign = await openBrowser(console).ask(
      'POST',
      'sign-in/provider',
      { page: '/console' },
      {
        headers: { origin: 'https://evil.example' },
      },
    );
    assert.equal(foreign.body.code, 'csrf_refused');
    const elsewhere = await openBrowser(console).ask(
      'POST',
      'sign-in/provider',
      { page: '/console' },
      {
        headers: { host: 'alias.test', origin: 'http://alias.test' },
      },
    );
    assert.deepEqual([elsewhere.status, elsewhere.body.code], [400, 'bad_request']);
    for (const page of ['//evil.example', 'https://evil.example/', '/console\\..', '/consoles', '']) {
      const browser = openBrowser(console);
      const back = await oidc.signIn(await start(browser, page), ADA);
      assert.equal(await comeBack(browser, back), '/console', page);
    }
  },
);

onConsole('without a provider the page has no button and the routes are not found', async (console) => {
  const browser = openBrowser(console);
  assert.deepEqual((await browser.ask('GET', 'sign-in/options?problem=declined')).body, {
    provider: null,
    problem: null,
  });
  assert.equal((await browser.ask('POST', 'sign-in/provider', { page: '/console' })).status, 404);
  assert.equal((await browser.ask('GET', CALLBACK)).status, 404);
});

let isDown = false;
/** Passes calls on, unless the provider is down. */
const breakable: Outbound = {
  rejectionOf: async () => null,
  request: async (url, request) =>
    isDown
      ? { outcome: 'unreachable', detail: 'It could not be reached.' }
      : createOutbound({ allowCidrs: LOOPBACK, allowHttp: true }).request(url, request),
};

onConsole(
  'while the provider is down, a sign-in by it fails with a message, and passwords work',
  async (console) => {
    await console.addUser(ADA, 'member');
    const browser = openBrowser(console);
    const back = await oidc.signIn(await start(browser), ADA);
    isDown = true;
    try {
      const address = '203.0.113.8';
      await assertNoSession(browser, await comeBack(browser, back, address), 'provider_unavailable');
      const rows = await console.store.db.selectFrom('sign_in_attempts').selectAll().execute();
      assert.ok(
        rows.every(({ tries }) => tries === 0),
        'not the fault of the user',
      );
      assert.equal((await browser.signIn(ADA, PASSWORD)).status, 200);
    } finally {
      isDown = false;
    }
  },
  () => providerThrough(breakable),
);

onConsole(
  'a provider that is down from the start is reported at once, with the reason in the log',
  async (console) => {
    const answer = await openBrowser(console).ask('POST', 'sign-in/provider', { page: '/console' });
    assert.deepEqual([answer.status, answer.body.code], [503, 'unavailable']);
    assert.match(answer.body.detail, /^Acme login cannot be used at the moment\./);
    const lines = console.logLines.filter((line) => line.includes('not a public address'));
    assert.equal(lines.length, 1);
  },
  // Loopback is not allowed: the guard rejects the call.
  () => providerThrough(createOutbound({ allowCidrs: [], allowHttp: true })),
);

test('metadata of another issuer and ID tokens with another signature are rejected', async () => {
  const secrets = { state: 's'.repeat(43), nonce: 'n'.repeat(43), codeVerifier: 'v'.repeat(43) };
  const rewriting = (rewrite: (text: string) => string): Outbound => ({
    ...breakable,
    request: async (url, request) => {
      const answer = await breakable.request(url, request);
      if (answer.outcome !== 'responded') return answer;
      return { ...answer, body: Buffer.from(rewrite(Buffer.from(answer.body).toString())) };
    },
  });
  const posing = providerThrough(
    rewriting((text) => text.replace(`"${oidc.issuer}"`, '"https://other.example"')),
  );
  await assert.rejects(posing.authorizationUrl(secrets), { failure: 'provider_unavailable' });
  const forging = providerThrough(
    rewriting((text) =>
      text.includes('id_token"') && text.includes('access_token"')
        ? text.replace(/("id_token":"[^".]+\.[^".]+\.)[^"]{10}/, '$1AAAAAAAAAA')
        : text,
    ),
  );
  const back = await oidc.signIn(await forging.authorizationUrl(secrets), ADA);
  await assert.rejects(forging.identityOf(new URL(back).search.slice(1), secrets), {
    failure: 'invalid_response',
  });
  const honest = providerThrough();
  const fresh = await oidc.signIn(await honest.authorizationUrl(secrets), ADA);
  const identity = await honest.identityOf(new URL(fresh).search.slice(1), secrets);
  assert.deepEqual(identity, { issuer: oidc.issuer, subject: ADA, verifiedEmail: ADA });
});
