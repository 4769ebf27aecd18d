import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { HTTP_ERRORS } from '../src/errors.ts';
import { serveSampleCounty, type SampleService } from './sample-service.ts';
import { runShown, runShownTypeScript, shownIn, type ShownCode } from './doc-snippets.ts';

const PAGES = [
  'client/README.md',
  'docs/quick-start.md',
  'docs/errors.md',
  ...globSync('docs/guides/*.md').sort(),
];

const hasProgram = (name: string): boolean => spawnSync(name, ['--version']).status === 0;
const MISSING = Object.fromEntries(
  [
    ['sh', 'curl'],
    ['python', 'python3'],
  ].map(([language, program]) => [language, hasProgram(program) ? false : `needs ${program}`]),
);

describe('the snippets in the documents work as written on the service of npm start', () => {
  let service: SampleService;

  before(async () => {
    service = await serveSampleCounty();
    service.batchLoop.start();
  });
  after(() => service.close());

  for (const path of PAGES) {
    const all = shownIn(path);
    for (const [at, shown] of all.entries()) {
      if (!['sh', 'ts', 'python'].includes(shown.language)) continue;
      test(`${path}:${shown.line} ${shown.language}`, { skip: MISSING[shown.language] }, async () => {
        const settings = { PLUMBLINE: service.url, PLUMBLINE_KEY: service.key };
        const run = shown.language === 'ts' ? runShownTypeScript : runShown;
        const printed = await run(shown, settings);
        assert.notEqual(printed, '');
        const next: ShownCode | undefined = all[at + 1];
        if (shown.language === 'sh' && next?.language === 'json') {
          assertShownMembers(JSON.parse(next.code), JSON.parse(printed), '');
        }
      });
    }
  }
});

/**
 * Every member of a response that a page shows is in the real response and has the same type. Figures may
 * differ.
 */
function assertShownMembers(shown: unknown, actual: unknown, at: string): void {
  if (shown === null || actual === null) return;
  assert.equal(Array.isArray(actual), Array.isArray(shown), at);
  assert.equal(typeof actual, typeof shown, at);
  if (typeof shown !== 'object' || typeof actual !== 'object') return;
  const there = new Map<string, unknown>(Object.entries(actual));
  for (const [name, member] of Object.entries(shown)) {
    assert.ok(there.has(name), `${at}.${name} is not in the response`);
    assertShownMembers(member, there.get(name), `${at}.${name}`);
  }
}

test('the errors page lists every code with its status and meaning', () => {
  const cells = readFileSync('docs/errors.md', 'utf8')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  for (const { code, status, meaning } of HTTP_ERRORS) {
    const row = cells.find((row) => row[2] === `\`${code}\``);
    assert.deepEqual(row?.slice(1, 4), [String(status), `\`${code}\``, meaning], code);
  }
});
