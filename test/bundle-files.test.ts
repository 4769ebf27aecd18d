import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { bundleFiles, LONG_FILES } from './bundle-files.ts';

test('every file is run once: long ones first, those that share nothing alone, the others by the bundle', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-bundles-'));
  const short = Array.from({ length: 20 }, (_, i) => `src/made-up/${i}.test.ts`);
  const long = LONG_FILES.slice(0, 3);
  const alone = ['test/console/pages.test.ts'];
  const given = [...short.slice(0, 11), ...alone, ...long.toReversed(), ...short.slice(11)];
  const run = bundleFiles(given, folder);
  assert.deepEqual(run.slice(0, 4), [...long, ...alone]);
  const bundled = run.slice(4).map((path) => readFileSync(path, 'utf8'));
  assert.ok(bundled.length > 1 && bundled.length < 6, `${bundled.length} bundles`);
  const lines = bundled.join('').trimEnd().split('\n');
  assert.deepEqual(
    lines,
    short.map((file) => `await import("${pathToFileURL(resolve(file)).href}");`),
  );
  rmSync(folder, { recursive: true });
});

test('the long files are there', () => {
  assert.deepEqual(
    LONG_FILES.filter((file) => !existsSync(join(import.meta.dirname, '..', file))),
    [],
  );
});
