import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { Command } from 'commander';
import { SCOPES } from '../src/accounts/scopes.ts';
import { registerAllCommands } from '../src/cli/commands.ts';
import { SETTINGS } from '../src/config.ts';

const DOCUMENTS = globSync(['*.md', 'client/*.md', 'docs/**/*.md']);

function readText(path: string): string {
  return readFileSync(path, 'utf8');
}

/** The lines of a document that call the program, with continuation lines joined. */
function commandsIn(path: string): string[][] {
  return readText(path)
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .map(
      (line) => /(?:^npm run plumbline -- |^plumbline |bin\/plumbline(?:\.js)? )(.+)$/.exec(line.trim())?.[1],
    )
    .filter((command) => command !== undefined)
    .map((command) => command.split(/\s+/));
}

test('every link between documents resolves', () => {
  for (const path of DOCUMENTS) {
    for (const [, target] of readText(path).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)) {
      assert.ok(existsSync(join(dirname(path), target)), `${path} links to ${target}`);
    }
  }
});

test('every npm script in a document exists', () => {
  const { scripts } = JSON.parse(readText('package.json'));
  for (const path of DOCUMENTS) {
    for (const [, name] of readText(path).matchAll(/npm run ([a-z]+)/g)) {
      assert.ok(name in scripts, `${path} names npm run ${name}`);
    }
  }
});

test('every command in a document exists and has its options', async () => {
  const program = new Command();
  await registerAllCommands(program);
  for (const path of DOCUMENTS) {
    for (const words of commandsIn(path)) {
      if (['--help', '--version'].includes(words[0])) continue;
      let command: Command = program;
      for (const word of words) command = command.commands.find((sub) => sub.name() === word) ?? command;
      const shown = `${path}: "${words.join(' ')}"`;
      assert.notEqual(command, program, `${shown} is not a command`);
      assert.equal(command.commands.length, 0, `${shown} needs a subcommand`);
      const known = command.options.map((option) => option.long);
      for (const option of words.filter((word) => /^--[a-z]/.test(word))) {
        assert.ok(
          known.includes(option),
          `${shown} uses ${option}, which is not an option of ${command.name()}`,
        );
      }
    }
  }
});

/** Defaults that depend on the machine. */
const OF_MACHINE = new Map([
  ['PLUMBLINE_THREADS', 'number of cores'],
  ['MARKET_MEMORY', 'a quarter of the memory'],
]);

test('the settings page lists every setting with its default', () => {
  const page = readText('docs/operations/settings.md');
  for (const { name, fallback } of SETTINGS) {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\` `));
    const shown = row?.split('|')[2].trim();
    const given = OF_MACHINE.get(name) ?? `\`${fallback}\``;
    assert.equal(shown, fallback === '' ? '(not set)' : given, name);
  }
});

test('the HTTP page names every scope of keys', () => {
  const page = readText('docs/operations/http-api.md');
  for (const scope of SCOPES) assert.ok(page.includes(`\`${scope}\``), `${scope} is missing`);
});

test('no document or source contains a path of one machine', () => {
  const here = process.cwd();
  for (const path of [...DOCUMENTS, ...globSync(['src/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts'])]) {
    assert.ok(!readText(path).includes(`${here}/`), `${path} names ${here}`);
  }
});
