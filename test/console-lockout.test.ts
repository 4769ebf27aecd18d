import assert from 'node:assert/strict';
import { signIn } from '../src/accounts/sign-in.ts';
import { PlumblineError } from '../src/errors.ts';
import { onConsole, openBrowser, PASSWORD, type BrowserAnswer, type TestConsole } from './console-fixture.ts';

const MINUTE = 60_000;
const WRONG = 'not the right one';

function tryFrom(console: TestConsole, address: string) {
  return (name: string, password = WRONG): Promise<BrowserAnswer> =>
    openBrowser(console).signIn(name, password, { address });
}

onConsole(
  'after five failed attempts a name is locked for 15 minutes, from every address',
  async (console) => {
    await console.addUser('ada', 'member');
    await console.addUser('eve', 'member');
    for (let i = 1; i <= 5; i++) {
      const refused = await tryFrom(console, `203.0.113.${i}`)(i % 2 ? 'ada' : ' ADA');
      assert.deepEqual([refused.status, refused.body.code], [401, 'sign_in_refused']);
    }
    console.passMs(5 * MINUTE);
    const closed = await tryFrom(console, '203.0.113.9')('ada', PASSWORD);
    assert.deepEqual(
      [closed.status, closed.body.code, closed.headers['retry-after']],
      [429, 'rate_limited', String(10 * 60)],
    );
    assert.equal((await tryFrom(console, '203.0.113.9')('eve', PASSWORD)).status, 200, 'others sign in');
    console.passMs(10 * MINUTE - 1);
    assert.equal((await tryFrom(console, '203.0.113.9')('ada', PASSWORD)).status, 429);
    console.passMs(1);
    assert.equal((await tryFrom(console, '203.0.113.9')('ada', PASSWORD)).status, 200);
  },
);

onConsole('failed attempts with any names lock an address, or a whole IPv6 network', async (console) => {
  await console.addUser('ada', 'member');
  const addresses = (i: number) => [`2001:db8::${i}`, '198.51.100.7', `::ffff:198.51.100.8`];
  for (let i = 1; i <= 5; i++) {
    for (const address of addresses(i)) {
      assert.equal((await tryFrom(console, address)(`nobody ${i} at ${address}`)).status, 401);
    }
  }
  for (const address of ['2001:db8:0:0:ffff::1', '198.51.100.7', '198.51.100.8']) {
    assert.equal((await tryFrom(console, address)('ada', PASSWORD)).status, 429, address);
  }
  for (const address of ['2001:db8:0:1::1', '::ffff:198.51.100.9', '127.0.0.1']) {
    assert.equal((await tryFrom(console, address)('ada', PASSWORD)).status, 200, address);
  }
  console.passMs(15 * MINUTE);
  assert.equal((await tryFrom(console, '198.51.100.7')('ada', PASSWORD)).status, 200);
});

onConsole('twenty concurrent attempts count as five', async (console) => {
  await console.addUser('ada', 'member');
  const tries = Array.from({ length: 20 }, (_, i) => tryFrom(console, `203.0.113.${i}`)('ada'));
  const statuses = (await Promise.all(tries)).map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 401).length, 5, statuses.join());
  assert.equal(statuses.filter((status) => status === 429).length, 15);
  assert.equal(console.checks(), 5, 'no more passwords were checked');
});

onConsole('a successful sign-in resets the failed attempts', async (console) => {
  await console.addUser('ada', 'member');
  const attempt = tryFrom(console, '203.0.113.1');
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 4; i++) await tryFrom(console, `198.51.100.${round * 4 + i}`)('ada');
    assert.equal((await attempt('ada', PASSWORD)).status, 200);
  }
  for (let i = 0; i < 8; i++)
    assert.equal(
      (await attempt('ada', PASSWORD)).status,
      200,
      'a correct password does not count as an attempt',
    );
});

onConsole(
  'unknown user, disabled user and wrong password get the same response after the same work',
  async (console) => {
    await console.addUser('ada', 'member');
    await console.addUser('root', 'administrator');
    const shut = await console.addUser('shut', 'member');
    const root = openBrowser(console);
    await root.signIn('root');
    assert.equal((await root.ask('POST', `users/${shut}/disable`)).status, 200);
    const answers = new Set<string>();
    for (const [name, password] of [
      ['ada', WRONG],
      ['nobody', WRONG],
      ['shut', PASSWORD],
      ['shut', WRONG],
    ] as const) {
      const before = console.checks();
      const { status, text, headers } = await openBrowser(console).signIn(name, password);
      const { 'x-request-id': requestId, date: _date, ...others } = headers;
      answers.add(JSON.stringify([status, text.replaceAll(String(requestId), 'ID'), others]));
      assert.equal(console.checks(), before + 1);
    }
    assert.equal(answers.size, 1, [...answers].join('\n'));
  },
);

onConsole('the current password cannot be guessed on an unattended signed-in browser', async (console) => {
  await console.addUser('ada', 'member');
  const browser = openBrowser(console);
  await browser.signIn('ada');
  const change = (current: string) =>
    browser.ask('POST', 'password', { current_password: current, new_password: 'another one altogether' });
  for (let i = 0; i < 5; i++) assert.equal((await change(WRONG)).body.code, 'sign_in_refused');
  assert.equal((await change(PASSWORD)).status, 429);
  console.passMs(15 * MINUTE);
  assert.equal((await change(PASSWORD)).status, 200);
});

onConsole('an attempt rejected for lack of capacity does not count', async (console) => {
  await console.addUser('ada', 'member');
  const verify = () => Promise.reject(new PlumblineError('unavailable', 'full'));
  const flooded = { ...console.people, passwords: { ...console.people.passwords, verify } };
  const address = '198.51.100.1';
  for (let i = 0; i < 7; i++) {
    const from = { client: { address, userAgent: '' }, device: null, replacing: null };
    await assert.rejects(signIn(flooded, { name: 'ada', password: PASSWORD }, from), { code: 'unavailable' });
  }
  const attempt = tryFrom(console, address);
  for (let i = 0; i < 5; i++) assert.equal((await attempt('ada')).status, 401, `try ${i}`);
  assert.equal((await attempt('ada')).status, 429);
});
