import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { bundleFiles, LONG_FILES } from './bundle-files.ts';

test('every file runs once: files that share nothing run alone, long ones first by process, the others in bundles', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-bundles-'));
  const short = Array.from({ length: 90 }, (_, i) => `src/made-up/${i}.test.ts`);
  const long = [...LONG_FILES[0].slice(1), ...LONG_FILES[2].slice(0, 1)];
  const alone = ['test/console/pages.test.ts'];
  const given = [...short.slice(0, 11), ...alone, ...long.toReversed(), ...short.slice(11)];
  const run = bundleFiles(given, folder);
  assert.deepEqual(run, run.toSorted(), 'the names sort in running order');
  const imported = run.map((path) => readFileSync(path, 'utf8').trimEnd().split('\n'));
  assert.ok(run.length < 10, `${run.length} processes`);
  assert.deepEqual(
    imported.slice(0, 4).map((lines) => lines.length),
    [1, LONG_FILES[0].length - 1, 1, 30],
  );
  assert.deepEqual(
    imported.flat().toSorted(),
    [...alone, ...long, ...short].toSorted().map((file) => `import "${pathToFileURL(resolve(file)).href}";`),
  );
  rmSync(folder, { recursive: true });
});

test('every long file exists', () => {
  assert.deepEqual(
    LONG_FILES.flat().filter((file) => !existsSync(join(import.meta.dirname, '..', file))),
    [],
  );
});
