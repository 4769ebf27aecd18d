import assert from 'node:assert/strict';
import { MAX_DEVICES } from '../src/accounts/sign-in-attempts.ts';
import { disableUser, enableUser, setPassword, userNamed } from '../src/accounts/manage-users.ts';
import { COMMAND_LINE } from '../src/store/audit-log.ts';
import { onConsole, openBrowser, PASSWORD, type TestBrowser, type TestConsole } from './console-fixture.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const WRONG = 'not the right one';
const NEW_PASSWORD = 'a second one, and longer';

let closings = 0;

/**
 * Fails sign-ins until the name is locked. Each attempt uses another address, so that no address is locked.
 */
async function closeName(console: TestConsole, name: string): Promise<void> {
  const network = (++closings).toString(16);
  for (let i = 1; i <= 6; i++) {
    const { status } = await openBrowser(console).signIn(name, WRONG, {
      address: `2001:db8:${network}:${i}::1`,
    });
    assert.equal(status, i <= 5 ? 401 : 429);
  }
}

/** A browser in which the user signed in and signed out again. */
async function knownBrowser(console: TestConsole, name: string): Promise<TestBrowser> {
  const browser = openBrowser(console);
  assert.equal((await browser.signIn(name)).status, 200);
  assert.equal((await browser.ask('POST', 'sign-out')).status, 200);
  return browser;
}

/** A browser that has only a copied cookie. */
function copyOf(console: TestConsole, cookie: string): TestBrowser {
  return openBrowser(console, cookie);
}

onConsole('failed attempts by others do not lock out a user on a known browser', async (console) => {
  await console.addUser('ada', 'member');
  const own = await knownBrowser(console, 'ada');
  for (let hour = 0; hour < 2; hour++) {
    await closeName(console, 'ada');
    assert.equal((await openBrowser(console).signIn('ada')).status, 429, 'an unknown browser has to wait');
    assert.equal((await own.signIn(' ADA')).status, 200);
    assert.equal((await own.ask('POST', 'sign-out')).status, 200);
    assert.equal((await openBrowser(console).signIn('ada')).status, 429, 'the name stays locked elsewhere');
    console.passMs(15 * MINUTE);
  }
});

onConsole('a known browser also has only five attempts in 15 minutes', async (console) => {
  await console.addUser('ada', 'member');
  const own = await knownBrowser(console, 'ada');
  const copies = Array.from({ length: 12 }, () => copyOf(console, own.device()).signIn('ada', WRONG));
  const statuses = (await Promise.all(copies)).map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 401).length, 5, statuses.join());
  assert.equal(statuses.filter((status) => status === 429).length, 7);
  assert.equal((await own.signIn('ada')).status, 429);
  assert.equal((await openBrowser(console).signIn('ada')).status, 200, 'the name itself is not locked');
  console.passMs(15 * MINUTE);
  assert.equal((await own.signIn('ada')).status, 200);
});

onConsole("another user's sign-in on the same browser gives no further attempts", async (console) => {
  await console.addUser('ada', 'member');
  await console.addUser('eve', 'member');
  const shared = await knownBrowser(console, 'ada');
  for (let i = 0; i < 5; i++) {
    assert.equal((await shared.signIn('eve')).status, 200);
    assert.equal((await shared.signIn('ada', WRONG)).status, 401);
  }
  assert.equal((await shared.signIn('eve')).status, 200);
  assert.equal((await shared.signIn('ada')).status, 429);
  console.passMs(15 * MINUTE);
  await closeName(console, 'ada');
  await closeName(console, 'eve');
  assert.equal((await shared.signIn('eve')).status, 200, 'both users are known on this browser');
  assert.equal((await shared.signIn('ada')).status, 200);
});

onConsole('a device cookie grants no access by itself and belongs to its owner only', async (console) => {
  await console.addUser('ada', 'member');
  await console.addUser('eve', 'member');
  const own = await knownBrowser(console, 'ada');
  const thief = copyOf(console, own.device());
  assert.equal((await thief.ask('GET', 'session')).status, 401);
  const asSession = own.device().replace('__Host-device', '__Host-session');
  assert.equal((await copyOf(console, asSession).ask('GET', 'session')).status, 401);
  await closeName(console, 'eve');
  await closeName(console, 'nobody');
  const answers = new Set<string>();
  for (const name of ['eve', 'nobody']) {
    for (const cookie of [own.device(), '', '__Host-device=', `__Host-device=${'A'.repeat(43)}`]) {
      const { status, body, headers } = await copyOf(console, cookie).signIn(name);
      answers.add(`${status} ${body.code} ${body.detail} ${headers['set-cookie']}`);
    }
  }
  assert.equal(answers.size, 1, 'responses reveal neither owners nor users');
  assert.match([...answers].join(), /^429 .* undefined$/);
  assert.equal((await thief.signIn('ada', WRONG)).headers['set-cookie'], undefined);
});

onConsole(
  'every sign-in issues a new device secret, and the previous one is no longer known',
  async (console) => {
    await console.addUser('ada', 'member');
    const own = await knownBrowser(console, 'ada');
    const before = own.device();
    await own.signIn('ada');
    assert.notEqual(own.device(), before);
    await closeName(console, 'ada');
    assert.equal((await copyOf(console, before).signIn('ada')).status, 429);
    const planted = `__Host-device=${'A'.repeat(43)}`;
    console.passMs(15 * MINUTE);
    const other = copyOf(console, planted);
    await other.signIn('ada');
    assert.notEqual(other.device(), planted, 'a planted secret is not accepted');
  },
);

onConsole(
  'a new password or disabling the user forgets every browser, but signing out does not',
  async (console) => {
    const { people } = console;
    const adaId = await console.addUser('ada', 'member');
    await console.addUser('root', 'administrator');
    const root = openBrowser(console);
    await root.signIn('root');
    const there = await knownBrowser(console, 'ada');
    const ada = await userNamed(people, 'ada');
    const isKnown = async (browser: TestBrowser, password: string): Promise<boolean> => {
      await closeName(console, 'ada');
      const { status } = await copyOf(console, browser.device()).signIn('ada', password);
      console.passMs(15 * MINUTE);
      return status === 200;
    };
    const changes: readonly [string, string, () => Promise<unknown>][] = [
      ['command line', NEW_PASSWORD, () => setPassword(people, COMMAND_LINE, ada, NEW_PASSWORD)],
      ['administrator', PASSWORD, () => root.ask('POST', `users/${adaId}/password`, { password: PASSWORD })],
      [
        'disabled',
        PASSWORD,
        async () => {
          await disableUser(people, COMMAND_LINE, ada);
          await enableUser(people, COMMAND_LINE, ada);
        },
      ],
    ];
    assert.equal(await isKnown(there, PASSWORD), true);
    let password = PASSWORD;
    for (const [what, next, change] of changes) {
      const browser = openBrowser(console);
      await browser.signIn('ada', password);
      await root.signIn('root');
      await change();
      password = next;
      assert.equal(await isKnown(browser, password), false, what);
    }
    const [here, elsewhere] = [openBrowser(console), openBrowser(console)];
    await here.signIn('ada');
    await elsewhere.signIn('ada');
    const body = { current_password: PASSWORD, new_password: NEW_PASSWORD };
    assert.equal((await here.ask('POST', 'password', body)).status, 200);
    assert.equal(await isKnown(elsewhere, NEW_PASSWORD), false, 'one’s own');
    assert.equal(await isKnown(here, NEW_PASSWORD), true, 'the current browser stays known');
  },
);

onConsole(
  'a new password unlocks a locked name, so that an administrator can restore access',
  async (console) => {
    const adaId = await console.addUser('ada', 'member');
    await console.addUser('root', 'administrator');
    const root = openBrowser(console);
    await root.signIn('root');
    const ada = await userNamed(console.people, 'ada');
    const setBy = [
      () => setPassword(console.people, COMMAND_LINE, ada, NEW_PASSWORD),
      async () => {
        const answer = await root.ask('POST', `users/${adaId}/password`, { password: NEW_PASSWORD });
        assert.equal(answer.status, 200);
      },
    ];
    for (const set of setBy) {
      await closeName(console, 'ada');
      assert.equal((await openBrowser(console).signIn('ada', NEW_PASSWORD)).status, 429);
      await set();
      assert.equal((await openBrowser(console).signIn('ada', NEW_PASSWORD)).status, 200);
    }
  },
);

onConsole(
  'failed attempts by others do not keep a signed-in user from changing the password',
  async (console) => {
    await console.addUser('ada', 'member');
    const own = openBrowser(console);
    await own.signIn('ada');
    await closeName(console, 'ada');
    const body = { current_password: PASSWORD, new_password: NEW_PASSWORD };
    assert.equal((await own.ask('POST', 'password', body)).status, 200);
  },
);

onConsole(
  'a browser is known for 180 days without a sign-in, and only the 20 newest are kept',
  async (console) => {
    await console.addUser('ada', 'member');
    const oldest = await knownBrowser(console, 'ada');
    console.passMs(180 * DAY - 1);
    await closeName(console, 'ada');
    const copy = copyOf(console, oldest.device());
    assert.equal((await copy.signIn('ada')).status, 200, 'the sign-in starts a new period');
    console.passMs(180 * DAY);
    await closeName(console, 'ada');
    assert.equal((await copyOf(console, copy.device()).signIn('ada')).status, 429);
    console.passMs(15 * MINUTE);
    const browsers: TestBrowser[] = [];
    for (let i = 0; i < MAX_DEVICES + 1; i++) {
      browsers.push(await knownBrowser(console, 'ada'));
      console.passMs(1);
    }
    assert.equal((await console.store.db.selectFrom('devices').selectAll().execute()).length, MAX_DEVICES);
    await closeName(console, 'ada');
    const statuses: number[] = [];
    for (const browser of [browsers[0], browsers[1], browsers[MAX_DEVICES]])
      statuses.push((await browser.signIn('ada')).status);
    assert.deepEqual(statuses, [429, 200, 200]);
  },
);
