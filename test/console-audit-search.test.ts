import assert from 'node:assert/strict';
import { appendAudit, COMMAND_LINE, type Actor } from '../src/store/audit-log.ts';
import { inTransaction } from '../src/store/transaction.ts';
import {
  onConsole,
  openBrowser,
  type BrowserAnswer,
  type TestBrowser,
  type TestConsole,
} from './console-fixture.ts';

const ACTORS: readonly Actor[] = [
  { kind: 'user', id: null, name: 'Zoë.Ångström@Example.org' },
  { kind: 'user', id: null, name: 'ada_100%\\' },
  { kind: 'key', id: 'k1', name: 'Nightly Run' },
  COMMAND_LINE,
];
const ACTIONS = ['key.rotated', 'user.password_set', 'webhook.secret_rotated'] as const;
const SUBJECTS = ['a1B2c3D4', 'Ésa Üñal', 'adaX100', '50%_\\'];

/** Every action by every actor on every subject, alternating between two accounts. */
async function writeLines({ store, people }: TestConsole): Promise<void> {
  const at = people.clock().getTime();
  const kinds = ACTORS.flatMap((actor) =>
    ACTIONS.flatMap((action) => SUBJECTS.map((subject) => ({ actor, action, subject }))),
  );
  await inTransaction(store, async (transaction) => {
    for (const [i, { actor, action, subject }] of kinds.entries()) {
      const accountId = i % 2 ? 'acme-lending' : 'self';
      await appendAudit(transaction, { accountId, at: at + i, actor }, action, subject);
    }
  });
}

/** Search texts as people type them. */
const WORDS = [
  '',
  '  ',
  'ZOË',
  'ångström',
  'nightly run',
  'KEY nightly',
  'command line',
  'Password Set',
  'rotated é',
  'üñal ésa',
  '%',
  '_',
  '\\',
  'ada_',
  '100%',
  '0%_\\',
  "' or 1=1",
  'acme',
  'lending b2C3',
  'nobody',
];

onConsole(
  'the log can be searched by actor, action, subject and account, in any spelling',
  async (console) => {
    await console.addAccount('acme-lending');
    await console.addUser('root', 'administrator');
    await console.addUser('boss', 'administrator', 'acme-lending');
    await writeLines(console);
    const [root, boss] = [openBrowser(console), openBrowser(console)];
    await root.signIn('root');
    await boss.signIn('boss');
    const find = async (browser: TestBrowser, words: string, more = ''): Promise<BrowserAnswer> =>
      browser.ask('GET', `audit?limit=200&find=${encodeURIComponent(words)}${more}`);
    for (const [browser, shown] of [
      [root, (entry: AuditLine) => `${textOf(entry)} ${entry.account_id}`],
      [boss, textOf],
    ] as const) {
      const all: AuditLine[] = (await find(browser, '')).body.entries;
      assert.ok(all.length > 20);
      for (const words of WORDS) {
        const wanted = words.toLowerCase().trim().split(/\s+/);
        const expected = all.filter((entry) =>
          wanted.every((word) => shown(entry).toLowerCase().includes(word)),
        );
        const { entries } = (await find(browser, words)).body;
        assert.deepEqual(entries, expected, words);
      }
    }
    const ofOne = (await find(root, 'zoë', '&account=self')).body.entries;
    assert.equal(ofOne.length, 6);
    assert.equal((await find(root, 'x'.repeat(101))).status, 422);
    assert.equal((await find(root, '\u0000')).status, 422);
    const paged: unknown[] = [];
    for (let more: string | null = ''; more !== null;) {
      const { body } = await nextPage(root, more);
      assert.ok(body.entries.length <= 5);
      paged.push(...body.entries);
      more = body.next_cursor;
    }
    assert.deepEqual(paged, (await find(root, 'rotated')).body.entries, 'pages return the same entries');
  },
);

// oxlint-disable-next-line typescript/no-explicit-any -- bodies as a client sees them
type AuditLine = Record<string, any>;

function textOf({ actor, action, subject }: AuditLine): string {
  return `${actor.kind === 'key' ? 'key ' : ''}${actor.name} ${action} ${subject}`;
}

function nextPage(browser: TestBrowser, cursor: string): Promise<BrowserAnswer> {
  return browser.ask('GET', `audit?limit=5&find=rotated${cursor === '' ? '' : `&cursor=${cursor}`}`);
}
