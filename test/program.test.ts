import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

function run(
  args: readonly string[],
  env = process.env,
): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, args, { encoding: 'utf8', env });
}

test('plumbline --version prints the version of the package', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  assert.deepEqual(run(['bin/plumbline.js', '--version']).stdout, `${version}\n`);
});

test('a second start strips no types: even its main module is kept compiled', () => {
  const { NODE_COMPILE_CACHE: _, ...environment } = process.env;
  const start = () =>
    run(['bin/plumbline.js', '--version'], { ...environment, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' });
  start();
  const { stdout, stderr } = start();
  assert.match(
    stdout + stderr,
    /retrieving transpile cache for StrippedTypeScript \S+\/src\/main\.ts\.\.\.success/,
  );
});

test('an older Node gets one sentence and no stack', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-bin-'));
  try {
    // In a checkout, the Node that npm installed would run instead.
    mkdirSync(join(folder, 'bin'));
    cpSync('bin/plumbline.js', join(folder, 'bin/plumbline.mjs'));
    const older = `Object.defineProperty(process, 'versions', { value: { node: '22.11.0' } });
      Object.defineProperty(process, 'version', { value: 'v22.11.0' });`;
    const preload = `data:text/javascript,${encodeURIComponent(older)}`;
    const { status, stdout, stderr } = run(['--import', preload, join(folder, 'bin/plumbline.mjs')]);
    const sentence =
      'plumbline needs Node 24 or newer, and this is v22.11.0: install a newer Node from nodejs.org.\n';
    assert.deepEqual({ status, stdout, stderr }, { status: 1, stdout: '', stderr: sentence });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
