import assert from 'node:assert/strict';
import { COMMAND_LINE } from '../src/store/audit-log.ts';
import { setPassword } from '../src/accounts/manage-users.ts';
import { totpCode } from '../src/accounts/totp.ts';
import { onConsole, openBrowser, PASSWORD, type TestBrowser, type TestConsole } from './console-fixture.ts';

const STEP = 30_000;
const MINUTE = 60_000;

function codeOf({ people }: TestConsole, secret: string): string {
  return totpCode(secret, people.clock().getTime());
}

/** Turns on the second factor of the signed-in user. The next code is fresh. */
async function turnOn(console: TestConsole, browser: TestBrowser) {
  const started = await browser.ask('POST', 'second-factor/start', { password: PASSWORD });
  assert.equal(started.status, 200, started.text);
  const secret = String(started.body.secret);
  const confirmed = await browser.ask('POST', 'second-factor/confirm', { code: codeOf(console, secret) });
  assert.equal(confirmed.status, 200, confirmed.text);
  console.passMs(2 * STEP);
  const recoveryCodes: readonly string[] = confirmed.body.recovery_codes;
  return { secret, recoveryCodes };
}

async function challengeOf(browser: TestBrowser, address?: string): Promise<string> {
  const answer = await browser.signIn('ada', PASSWORD, address === undefined ? {} : { address });
  assert.deepEqual([answer.status, answer.body.code], [401, 'second_factor_required'], answer.text);
  assert.equal(browser.cookie(), '', 'no session yet');
  return answer.body.challenge;
}

const complete = (browser: TestBrowser, challenge: string, code: string, address = '127.0.0.1') =>
  browser.ask('POST', 'sign-in/second-factor', { challenge, code }, { address });

onConsole('sign-in needs a fresh code after the password, and each code works once', async (console) => {
  await console.addUser('ada', 'member');
  const own = openBrowser(console);
  const other = openBrowser(console);
  await own.signIn('ada');
  await other.signIn('ada');
  const { secret } = await turnOn(console, own);
  assert.equal((await own.ask('GET', 'session')).status, 200, 'this session stays');
  assert.equal((await other.ask('GET', 'session')).status, 401, 'other sessions end');
  const browser = openBrowser(console);
  const challenge = await challengeOf(browser);
  const code = codeOf(console, secret);
  assert.equal((await complete(browser, challenge, code)).status, 200);
  assert.equal((await browser.ask('GET', 'session')).status, 200);
  const again = openBrowser(console);
  const replayed = await complete(again, await challengeOf(again), code);
  assert.deepEqual([replayed.status, replayed.body.code], [401, 'sign_in_refused']);
  assert.equal((await complete(again, challenge, 'x')).status, 401);
});

onConsole('a code sent twenty times at once starts one session', async (console) => {
  await console.addUser('ada', 'member');
  const own = openBrowser(console);
  await own.signIn('ada');
  const { secret } = await turnOn(console, own);
  const browser = openBrowser(console);
  const challenge = await challengeOf(browser);
  const code = codeOf(console, secret);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => complete(openBrowser(console), challenge, code)),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
});

onConsole('five wrong codes lock the name, and correct passwords in between do not help', async (console) => {
  await console.addUser('ada', 'member');
  const own = openBrowser(console);
  await own.signIn('ada');
  const { secret } = await turnOn(console, own);
  for (let i = 1; i <= 5; i++) {
    const browser = openBrowser(console);
    const address = `203.0.113.${i}`;
    const refused = await complete(browser, await challengeOf(browser, address), 'wrong', address);
    assert.deepEqual([refused.status, refused.body.code], [401, 'sign_in_refused']);
  }
  const locked = await openBrowser(console).signIn('ada', PASSWORD, { address: '203.0.113.9' });
  assert.equal(locked.status, 429);
  console.passMs(15 * MINUTE);
  const browser = openBrowser(console);
  assert.equal((await complete(browser, await challengeOf(browser), codeOf(console, secret))).status, 200);
});

onConsole(
  'a challenge ends after five minutes, after a new password, and if it was changed',
  async (console) => {
    const userId = await console.addUser('ada', 'member');
    const own = openBrowser(console);
    await own.signIn('ada');
    const { secret } = await turnOn(console, own);
    const browser = openBrowser(console);
    const challenge = await challengeOf(browser);
    for (const forged of ['', 'v1.', `${challenge.slice(0, -6)}AAAAAA`]) {
      assert.equal((await complete(browser, forged, codeOf(console, secret))).status, 401, forged);
    }
    console.passMs(5 * MINUTE);
    assert.equal((await complete(browser, challenge, codeOf(console, secret))).status, 401);
    const next = await challengeOf(browser);
    await setPassword(
      console.people,
      COMMAND_LINE,
      { accountId: 'self', userId },
      'a second one, and longer',
    );
    assert.equal((await complete(browser, next, codeOf(console, secret))).status, 401);
    const renewed = await browser.signIn('ada', 'a second one, and longer');
    assert.equal(renewed.body.code, 'second_factor_required', 'a new password keeps the second factor');
  },
);

onConsole('each recovery code works once, and new ones replace all', async (console) => {
  await console.addUser('ada', 'member');
  const own = openBrowser(console);
  await own.signIn('ada');
  const { secret, recoveryCodes } = await turnOn(console, own);
  assert.equal(new Set(recoveryCodes).size, 10);
  const [first = '', second = ''] = recoveryCodes;
  const browser = openBrowser(console);
  const typed = first.toLowerCase().replaceAll('-', ' ');
  assert.equal((await complete(browser, await challengeOf(browser), typed)).status, 200);
  assert.equal((await browser.ask('GET', 'second-factor')).body.recovery_codes_left, 9);
  const again = openBrowser(console);
  assert.equal((await complete(again, await challengeOf(again), first)).status, 401);
  assert.equal((await own.ask('POST', 'second-factor/recovery-codes', { code: second })).status, 401);
  const replaced = await own.ask('POST', 'second-factor/recovery-codes', { code: codeOf(console, secret) });
  assert.equal(replaced.status, 200, replaced.text);
  assert.equal((await complete(again, await challengeOf(again), second)).status, 401);
  const [fresh] = replaced.body.recovery_codes;
  assert.equal((await complete(again, await challengeOf(again), fresh)).status, 200);
  console.passMs(STEP);
  const last = openBrowser(console);
  assert.equal((await complete(last, await challengeOf(last), codeOf(console, secret))).status, 200);
  const signIns = await console.store.db
    .selectFrom('audit_log')
    .select('detail')
    .where('action', '=', 'sign_in')
    .orderBy('auditId')
    .execute();
  assert.deepEqual(
    signIns.map(({ detail }) => JSON.parse(detail).second_factor),
    [undefined, 'recovery_code', 'recovery_code', 'app'],
  );
});

onConsole('turning it off needs the password and a code', async (console) => {
  await console.addUser('ada', 'member');
  const own = openBrowser(console);
  await own.signIn('ada');
  const { secret, recoveryCodes } = await turnOn(console, own);
  const remove = (password: string, code: string) =>
    own.ask('POST', 'second-factor/remove', { password, code });
  const [recovery = ''] = recoveryCodes;
  assert.equal((await remove('wrong wrong wrong', recovery)).status, 401);
  assert.equal((await remove(PASSWORD, '000000x')).status, 401);
  assert.equal((await own.ask('POST', 'second-factor/start', { password: PASSWORD })).status, 409);
  assert.equal((await remove(PASSWORD, recovery)).status, 200, 'the recovery code was not used up');
  assert.equal((await openBrowser(console).signIn('ada')).status, 200);
  const wrong = await own.ask('POST', 'second-factor/start', { password: 'wrong wrong wrong' });
  assert.equal(wrong.status, 401);
  assert.equal(
    (await own.ask('POST', 'second-factor/confirm', { code: codeOf(console, secret) })).status,
    409,
  );
});

onConsole('changes are in the audit log, secrets are nowhere, and administrators reset', async (console) => {
  const userId = await console.addUser('ada', 'member');
  await console.addUser('root', 'administrator');
  const own = openBrowser(console);
  await own.signIn('ada');
  const { secret, recoveryCodes } = await turnOn(console, own);
  await own.ask('POST', 'second-factor/recovery-codes', { code: codeOf(console, secret) });
  const root = openBrowser(console);
  await root.signIn('root');
  const reset = await root.ask('POST', `users/${userId}/reset-second-factor`);
  assert.deepEqual([reset.status, reset.body.second_factor_since], [200, null]);
  assert.equal((await root.ask('POST', `users/${userId}/reset-second-factor`)).status, 409);
  assert.equal((await own.ask('GET', 'session')).status, 401, 'sessions end');
  await own.signIn('ada');
  assert.equal((await own.ask('GET', 'second-factor')).body.since, null);
  const { recoveryCodes: _codes, secret: next } = { ...(await turnOn(console, own)) };
  const off = { password: PASSWORD, code: codeOf(console, next) };
  assert.equal((await own.ask('POST', 'second-factor/remove', off)).status, 200);
  const rows = await console.store.db.selectFrom('audit_log').selectAll().orderBy('auditId').execute();
  const actions = rows.map(({ action }) => action).filter((action) => action.includes('second_factor'));
  assert.deepEqual(actions.sort(), [
    'second_factor.codes_replaced',
    'second_factor.turned_off',
    'second_factor.turned_on',
    'second_factor.turned_on',
    'user.second_factor_reset',
  ]);
  const users = await console.store.db.selectFrom('users').selectAll().execute();
  const listed = (await root.ask('GET', 'users')).text;
  const all = [JSON.stringify([rows, users]), console.logLines.join('\n'), listed].join('\n');
  for (const text of [secret, next, ...recoveryCodes]) assert.equal(all.includes(text), false);
  assert.equal(listed.includes('v1.'), false);
});
