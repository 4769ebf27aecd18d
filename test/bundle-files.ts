import { writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What takes over five seconds of processor time has a process of its own; in order, so that the cores end together. */
export const LONG_FILES: readonly string[] = [
  'test/multifamily.test.ts',
  'test/sample-building-truth.test.ts',
  'src/operations/studies/backtest.test.ts',
  'src/operations/studies/backtest-kinds.test.ts',
  'test/census-rents.test.ts',
  // After buildings, whose trainings it needs too.
  'test/rental.test.ts',
  'test/sample-places.test.ts',
  'test/service.test.ts',
  'test/client-service.test.ts',
  'test/mcp.test.ts',
  'test/doc-snippets.test.ts',
  'test/examples.test.ts',
  'test/work-kill.test.ts',
  'test/wrong-input.test.ts',
  'src/operations/studies/backtest-folds.test.ts',
  'test/stop-process.test.ts',
  'test/import-kill.test.ts',
  'test/sample-import.test.ts',
  'src/load/census-values/import-census-values.test.ts',
  'src/load/crime/import-crime.test.ts',
  'test/place-crime.test.ts',
  'test/batch.test.ts',
  'test/batch-worker.test.ts',
  'src/webhooks/deliver.test.ts',
  'test/accounts.test.ts',
  'src/valuation/model/fit-model.test.ts',
  'test/place-census.test.ts',
  'src/accounts/credits.test.ts',
  'test/webhook-kill.test.ts',
];

/** Folders whose tests may be run one after the other in one process: they leave nothing of the process changed. */
const SHARING = /^(src\/|web\/|test\/[^/]+$)/;
/** Eight share what it takes to start a process and to load the program: half a second of processor time. */
const FILES_OF_BUNDLE = 8;

/**
 * The files for `node --test`: long ones first and alone, then the others in bundles of neighbours. All are written to the folder, under names
 * in this order, because the runner sorts what it is given.
 */
export function bundleFiles(files: readonly string[], folder: string): string[] {
  const long = LONG_FILES.filter((file) => files.includes(file));
  const others = files.filter((file) => !LONG_FILES.includes(file));
  const alone = others.filter((file) => !SHARING.test(file));
  const short = others.filter((file) => SHARING.test(file));
  const bundles = [...alone, ...long].map((file) => [file]);
  for (let from = 0; from < short.length; from += FILES_OF_BUNDLE) {
    bundles.push(short.slice(from, from + FILES_OF_BUNDLE));
  }
  return bundles.map((bundle, i) => {
    const name = `${String(i + 1).padStart(3, '0')}-${basename(bundle[0], '.test.ts')}.mjs`;
    writeFileSync(join(folder, name), bundle.map(importOf).join(''));
    return join(folder, name);
  });
}

/** Static, so that every test is known before the first runs: what runs after the last would else run in a pause between two files. */
function importOf(file: string): string {
  return `import ${JSON.stringify(pathToFileURL(resolve(file)).href)};\n`;
}
