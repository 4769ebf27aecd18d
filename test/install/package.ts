import assert from 'node:assert/strict';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import process from 'node:process';
import { after, test } from 'node:test';
import { checkPages, checkValue, ROOT, run, runExample, withInstalled } from './installed.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumbline-package-'));
after(() => rmSync(folder, { recursive: true }));
const prefix = join(folder, 'opt');
const INSTALLED = join(prefix, 'lib/node_modules/plumbline');
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const file = join(folder, `plumbline-${version}.tgz`);

test('npm pack makes a package of compiled code, the built console and the documents, and nothing else', () => {
  run('npm', ['pack', '--silent', '--pack-destination', folder], ROOT);
  const names = run('tar', ['tzf', file], folder).trim().split('\n');
  assert.deepEqual(
    names.filter((name) => !/^package\/(bin|deploy|dist|docs|migrations|web\/dist)\//.test(name)).sort(),
    ['package/LICENSE', 'package/README.md', 'package/package.json'],
  );
  assert.deepEqual(
    names.filter((name) => /\.tsx?$|\.test\./.test(name)),
    [],
  );
  assert.ok(names.includes('package/web/dist/index.html'));
});

test('npx runs the package without installing it', () => {
  // As the installation page shows it: npx runs a file of an absolute path as a program.
  const here = `./${basename(file)}`;
  assert.match(run('npx', ['--yes', '--prefer-offline', here, '--help'], folder), /^Usage: plumbline/);
});

test('npm installs the package as the installation page shows, without development packages', () => {
  // The first line has made the package already.
  const printed = runExample('npm install --global', folder, { 'npm pack': ':', '/opt/plumbline': prefix });
  assert.equal(printed.trim().split('\n').at(-1), version);
  assert.ok(existsSync(join(INSTALLED, 'deploy/plumbline.service')));
  assert.deepEqual(globSync('node_modules/{typescript,vite,node}', { cwd: INSTALLED }), []);
});

test('the installed package generates the sample county and serves it, with console, documents and reports', async () => {
  const program = join(prefix, 'bin/plumbline');
  const dataDir = join(folder, 'data');
  // At a lower level, the demo does not log that it listens.
  const environment = { LOG_LEVEL: 'debug', PLUMBLINE_THREADS: '2' };
  await withInstalled({ dataDir, program: [program, 'demo'], environment }, async (url) => {
    await checkPages(url, { hasConsole: true });
    const key = run(process.execPath, [program, 'keys', 'create', '--name', 'test'], folder, dataDir);
    await checkValue(url, key.trim());
  });
});
