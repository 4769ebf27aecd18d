import assert from 'node:assert/strict';
import { createKey } from '../src/accounts/manage-keys.ts';
import { appendAudit, COMMAND_LINE, type Actor, type AuditDetail } from '../src/store/audit-log.ts';
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
      const detail: AuditDetail = i % 5 === 0 ? { market: 'Kreis-Süd', file: `Sales ${i} "final".csv` } : {};
      await appendAudit(transaction, { accountId, at: at + i, actor }, action, subject, detail);
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
  'KREIS-SÜD',
  '"final".CSV',
  'nightly sales file',
  'nobody',
];

onConsole(
  'the log can be searched by actor, action, subject, details and account, in any spelling',
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
      const inDetail = (await find(browser, 'kreis-süd')).body.entries.length;
      assert.ok(inDetail > 3 && inDetail < all.length);
      for (const words of WORDS) {
        const wanted = words.toLowerCase().trim().split(/\s+/);
        const expected = all.filter((entry) =>
          wanted.every((word) => shown(entry).toLowerCase().includes(word)),
        );
        const { entries } = (await find(browser, words)).body;
        assert.deepEqual(entries, expected, words);
      }
    }
    const file = await root.ask('GET', `audit.csv?find=${encodeURIComponent('kreis-süd')}`);
    const exported = file.text.trimEnd().split('\r\n').slice(1);
    assert.equal(exported.length, (await find(root, 'kreis-süd')).body.entries.length);
    assert.ok(exported.every((line) => line.includes('Kreis-Süd')));
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

function textOf({ actor, action, subject, detail }: AuditLine): string {
  const texts = [...Object.entries(detail).flat(), JSON.stringify(detail)].join(' ');
  return `${actor.kind === 'key' ? 'key ' : ''}${actor.name} ${action} ${subject} ${texts}`;
}

function nextPage(browser: TestBrowser, cursor: string): Promise<BrowserAnswer> {
  return browser.ask('GET', `audit?limit=5&find=rotated${cursor === '' ? '' : `&cursor=${cursor}`}`);
}

onConsole(
  'the log is filtered by days in UTC, and the export has every entry that the list has',
  async (console) => {
    await console.addUser('root', 'administrator');
    const DAY_MS = 86_400_000;
    const first = Math.floor(console.people.clock().getTime() / DAY_MS) * DAY_MS - 10 * DAY_MS;
    const at = [first, first + DAY_MS - 1, first + DAY_MS, first + 2 * DAY_MS - 1, first + 2 * DAY_MS];
    await inTransaction(console.store, async (transaction) => {
      for (const [i, each] of at.entries()) {
        const entry = { accountId: 'self', at: each, actor: COMMAND_LINE };
        await appendAudit(transaction, entry, 'key.rotated', `=entry-${i}`);
      }
    });
    const root = openBrowser(console);
    await root.signIn('root');
    const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
    const listed = async (query: string, cursor = ''): Promise<string[]> => {
      const { body } = await root.ask('GET', `audit?limit=1&find=entry${query}${cursor}`);
      const rest = body.next_cursor ? await listed(query, `&cursor=${body.next_cursor}`) : [];
      return [...body.entries.map(({ subject }: { subject: string }) => subject.slice(-1)), ...rest];
    };
    const [day1, day2, day3] = [dateOf(first), dateOf(first + DAY_MS), dateOf(first + 2 * DAY_MS)];
    assert.deepEqual(await listed(''), ['4', '3', '2', '1', '0']);
    assert.deepEqual(await listed(`&from=${day2}&to=${day2}`), ['3', '2']);
    assert.deepEqual(await listed(`&from=${day2}`), ['4', '3', '2']);
    assert.deepEqual(await listed(`&to=${day1}`), ['1', '0']);
    assert.deepEqual(await listed(`&from=${day3}&to=${day1}`), []);
    const file = await root.ask('GET', `audit.csv?find=entry&from=${day1}&to=${day2}`);
    const lines = file.text.trimEnd().split('\r\n');
    assert.match(lines[0], /^\uFEFF?at,account_id,actor_kind,actor_id,actor_name,action,subject,detail$/);
    assert.deepEqual(
      lines.slice(1).map((line) => /,('=entry-\d),/.exec(line)?.[1]),
      ["'=entry-3", "'=entry-2", "'=entry-1", "'=entry-0"],
      'newest first, and no cell is a formula',
    );
  },
);

onConsole('reading the log in pages repeats and omits nothing', async (console) => {
  await console.addUser('ada', 'administrator');
  for (let i = 0; i < 7; i++) await createKey(console.people, COMMAND_LINE, { name: `k${i}` });
  const browser = openBrowser(console);
  await browser.signIn('ada');
  const { entries: all } = (await browser.ask('GET', 'audit')).body;
  const read: unknown[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const asked = cursor === '' ? '' : `&cursor=${cursor}`;
    const { body }: BrowserAnswer = await browser.ask('GET', `audit?limit=3${asked}`);
    read.push(...body.entries);
    cursor = body.next_cursor;
  }
  assert.equal(all.length, 10);
  assert.deepEqual(read, all);
  assert.equal((await browser.ask('GET', 'audit?cursor=x')).body.code, 'invalid_cursor');
});
