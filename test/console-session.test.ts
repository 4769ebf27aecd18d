import assert from 'node:assert/strict';
import { onConsole, openBrowser, PASSWORD } from './console-fixture.ts';

const MINUTE = 60_000;

onConsole('a session starts with a cookie that scripts and other sites cannot read', async (console) => {
  await console.addUser('Ada@example.org', 'administrator');
  const browser = openBrowser(console);
  const answer = await browser.signIn(' ada@EXAMPLE.org');
  assert.equal(answer.status, 200);
  const [session, device] = answer.headers['set-cookie'];
  assert.match(session, /^__Host-session=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax$/);
  assert.match(
    device,
    /^__Host-device=[\w-]{43}; Max-Age=15552000; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
  );
  const { user, account, is_operator: isOperator, expires_at: end } = answer.body;
  assert.deepEqual(
    [user.name, user.role, account, isOperator, end],
    [
      'Ada@example.org',
      'administrator',
      { id: 'self', name: 'This installation', plan: 'unlimited' },
      true,
      '2026-03-31T12:30:00.000Z',
    ],
  );
  assert.deepEqual((await browser.ask('GET', 'session')).body, answer.body);
  for (const cookie of [browser.cookie(), browser.device()]) {
    assert.equal(answer.text.includes(cookie.split('=')[1]), false, 'the secret is only in the cookie');
  }
  assert.equal((await browser.ask('GET', 'coverage')).status, 200, 'API operations are allowed');
  assert.equal((await openBrowser(console).ask('GET', 'coverage')).body.code, 'not_signed_in');
});

onConsole(
  "signing in always creates a new session id, and the browser's earlier one becomes invalid",
  async (console) => {
    await console.addUser('ada', 'member');
    const browser = openBrowser(console, `__Host-session=${'A'.repeat(43)}`);
    await browser.signIn('ada');
    const first = browser.cookie();
    assert.equal(first.includes('A'.repeat(43)), false, 'a planted id is not accepted');
    await browser.signIn('ada');
    assert.notEqual(browser.cookie(), first);
    assert.equal((await openBrowser(console, first).ask('GET', 'session')).status, 401);
    assert.equal((await browser.ask('GET', 'session')).status, 200);
    const ended = browser.cookie();
    assert.equal((await browser.ask('POST', 'sign-out')).status, 200);
    assert.equal(browser.cookie(), '__Host-session=');
    assert.equal((await openBrowser(console, ended).ask('GET', 'session')).status, 401);
  },
);

onConsole('a key does not open the console, and a session opens only the console', async (console) => {
  await console.addUser('ada', 'administrator');
  const browser = openBrowser(console);
  await browser.signIn('ada');
  const byKey = await openBrowser(console).ask('GET', 'coverage', undefined, {
    headers: { 'x-api-key': console.key },
  });
  assert.deepEqual([byKey.status, byKey.body.code], [401, 'not_signed_in']);
  const bySession = await console.app.inject({
    url: '/v1/coverage',
    headers: { cookie: browser.cookie() },
  });
  assert.deepEqual([bySession.statusCode, bySession.json().code], [401, 'missing_api_key']);
});

onConsole('an idle session ends after 30 minutes, and an active one after 12 hours', async (console) => {
  await console.addUser('ada', 'member');
  const browser = openBrowser(console);
  await browser.signIn('ada');
  console.passMs(29 * MINUTE);
  assert.equal((await browser.ask('GET', 'session')).status, 200);
  console.passMs(29 * MINUTE);
  assert.equal((await browser.ask('GET', 'session')).status, 200, 'the session was active meanwhile');
  console.passMs(30 * MINUTE);
  const idle = await browser.ask('GET', 'session');
  assert.deepEqual([idle.status, idle.body.code], [401, 'not_signed_in']);

  await browser.signIn('ada');
  let used = 0;
  for (; (await browser.ask('GET', 'session')).status === 200; used++) console.passMs(20 * MINUTE);
  assert.equal(used, 36, 'twelve hours in steps of twenty minutes');
});

onConsole('users see and end their own sessions, but not those of others', async (console) => {
  await console.addUser('ada', 'member');
  await console.addUser('eve', 'administrator');
  const [here, there, eve] = [openBrowser(console), openBrowser(console), openBrowser(console)];
  await here.signIn('ada');
  await there.signIn('ada', PASSWORD, {
    headers: { 'user-agent': 'A telephone' },
    address: '203.0.113.5',
  });
  await eve.signIn('eve');
  const { sessions } = (await here.ask('GET', 'sessions')).body;
  assert.equal(sessions.length, 2);
  const other = sessions.find(({ is_current: isCurrent }: { is_current: boolean }) => !isCurrent);
  assert.deepEqual([other.ip, other.user_agent], ['203.0.113.5', 'A telephone']);
  assert.equal((await eve.ask('POST', `sessions/${other.id}/revoke`)).status, 404);
  assert.equal((await there.ask('GET', 'session')).status, 200);
  assert.deepEqual((await here.ask('POST', `sessions/${other.id}/revoke`)).body, { id: other.id });
  assert.equal((await there.ask('GET', 'session')).status, 401);
  assert.equal((await here.ask('POST', `sessions/${other.id}/revoke`)).status, 404);
});

onConsole("a change without the session's token or from another site is rejected", async (console) => {
  await console.addUser('ada', 'member');
  const browser = openBrowser(console);
  await browser.signIn('ada');
  const other = openBrowser(console);
  await other.signIn('ada');
  const refused: Record<string, string>[] = [
    { 'x-csrf-token': '' },
    { 'x-csrf-token': other.token() },
    { origin: 'http://evil.test' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
  ];
  for (const headers of refused) {
    const answer = await browser.ask('POST', 'sign-out', undefined, { headers });
    assert.deepEqual([answer.status, answer.body.code], [403, 'csrf_refused'], JSON.stringify(headers));
  }
  const unnamed = await console.app.inject({
    method: 'POST',
    url: '/console/api/sign-out',
    headers: { cookie: browser.cookie(), 'x-csrf-token': browser.token() },
  });
  assert.equal(unnamed.json().code, 'csrf_refused', 'a change without an origin is rejected');
  const signIn = await browser.signIn('ada', PASSWORD, { headers: { origin: 'http://evil.test' } });
  assert.equal(signIn.body.code, 'csrf_refused', 'another site cannot sign a user in');
  const looked = await browser.ask('GET', 'session', undefined, {
    headers: { 'sec-fetch-site': 'cross-site' },
  });
  assert.equal(looked.body.code, 'csrf_refused');
  const bookmarked = await browser.ask('GET', 'session', undefined, {
    headers: { 'sec-fetch-site': 'none' },
  });
  assert.equal(bookmarked.status, 200);
});
