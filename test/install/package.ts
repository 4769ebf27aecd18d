import assert from 'node:assert/strict';
import { globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { checkPages, checkValue, ROOT, run, withInstalled } from './installed.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumbline-package-'));
after(() => rmSync(folder, { recursive: true }));
const dataDir = join(folder, 'data');
const installed = join(folder, 'installed');
const PROGRAM = 'node_modules/plumbline/bin/plumbline.js';

test('npm pack makes a package of compiled code, the built console and the documents, and nothing else', () => {
  run('npm', ['pack', '--silent', '--pack-destination', folder], ROOT);
  const [file] = globSync('plumbline-*.tgz', { cwd: folder });
  const names = run('tar', ['tzf', file], folder).trim().split('\n');
  assert.deepEqual(
    names.filter((name) => !/^package\/(bin|deploy|dist|docs|migrations|web\/dist)\//.test(name)),
    ['package/package.json', 'package/README.md'],
  );
  assert.deepEqual(
    names.filter((name) => /\.tsx?$|\.test\./.test(name)),
    [],
  );
  assert.ok(names.includes('package/web/dist/index.html'));
});

test('npm installs the package in an empty folder, without development packages and install scripts', () => {
  const [file] = globSync('plumbline-*.tgz', { cwd: folder });
  mkdirSync(installed);
  const flags = ['--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  run('npm', ['install', '--silent', ...flags, join(folder, file)], installed);
  assert.deepEqual(globSync('node_modules/{typescript,vite,node}', { cwd: installed }), []);
});

test('npx runs the installed package', () => {
  const { version } = JSON.parse(run('npm', ['pkg', 'get', '--json', 'version', 'name'], ROOT));
  assert.equal(run('npx', ['plumbline', '--version'], installed), `${version}\n`);
  assert.match(run('npx', ['plumbline', '--help'], installed), /^Usage: plumbline/);
});

test('the installed package generates the sample county and serves it, with console, documents and reports', async () => {
  const program = join(installed, PROGRAM);
  // At a lower level, the demo does not log that it listens.
  const environment = { LOG_LEVEL: 'debug', PLUMBLINE_THREADS: '2' };
  await withInstalled({ dataDir, program: [program, 'demo'], environment }, async (url) => {
    await checkPages(url, { hasConsole: true });
    const key = run(process.execPath, [program, 'keys', 'create', '--name', 'test'], installed, dataDir);
    await checkValue(url, key.trim());
  });
});
