import { writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Long files by process, mostly of over five seconds of CPU time each: they train, value a whole county, or start the
 * program. Files that need the same county or the same program share a process, because loading and preparing them
 * takes up to two seconds each time. The order lets all cores finish at about the same time.
 */
export const LONG_FILES: readonly (readonly string[])[] = [
  // After the first file, the models of the others are trained.
  [
    'test/multifamily.test.ts',
    'test/rental.test.ts',
    'test/census-rents.test.ts',
    'test/service.test.ts',
    'test/same-on-all-surfaces.test.ts',
    'test/backup-replay.test.ts',
    'src/store/backup/backup.test.ts',
  ],
  // These wait for other processes more than they compute, so they run beside what computes.
  [
    'test/wrong-input.test.ts',
    'test/work-kill.test.ts',
    'test/stop-process.test.ts',
    'test/import-kill.test.ts',
    'test/webhook-kill.test.ts',
  ],
  [
    'src/jobs/sweep-files.test.ts',
    'src/doctor/check-objects.test.ts',
    'src/egress/object-store.test.ts',
    'test/dropped-markets.test.ts',
    'test/report-pages.test.ts',
  ],
  [
    'test/client-service.test.ts',
    'test/mcp.test.ts',
    'test/doc-snippets.test.ts',
    'test/examples.test.ts',
    'test/sample-places.test.ts',
    'test/sample-import.test.ts',
  ],
  [
    'src/operations/studies/backtest.test.ts',
    'src/operations/studies/backtest-kinds.test.ts',
    'src/operations/studies/backtest-folds.test.ts',
    'src/operations/studies/backtest/share-fits.test.ts',
  ],
  [
    'src/jobs/sweeps.test.ts',
    'src/cli/sweep.test.ts',
    'src/jobs/portfolios.test.ts',
    'src/operations/export/export.test.ts',
  ],
  [
    'src/load/census-areas/import-census-areas.test.ts',
    'src/load/census-values/import-census-values.test.ts',
    'src/load/fire/import-fire.test.ts',
    'src/load/crime/import-crime.test.ts',
    'test/place-crime.test.ts',
    'test/place-census.test.ts',
  ],
  [
    'test/batch.test.ts',
    'test/batch-reading.test.ts',
    'test/batch-worker.test.ts',
    'src/webhooks/deliver.test.ts',
    'test/accounts.test.ts',
    'src/accounts/credits.test.ts',
    'src/valuation/model/fit-model.test.ts',
    'src/valuation/train-after-jump.test.ts',
    'src/valuation/refit-market.test.ts',
    'src/valuation/model/choose-features.test.ts',
    'src/operations/training/train.test.ts',
  ],
  [
    'test/console-imports.test.ts',
    'test/console-markets.test.ts',
    'test/console-free-changes.test.ts',
    'test/challenges.test.ts',
    'src/operations/market/review-sales.test.ts',
    'src/operations/market/market-data.test.ts',
    'src/operations/property/as-of-record.test.ts',
  ],
  // Each opens a service on both databases and hashes many passwords.
  [
    'test/console-permissions.test.ts',
    'test/console-provider-sign-in.test.ts',
    'test/console-devices.test.ts',
    'test/console-users.test.ts',
    'test/console-second-factor.test.ts',
    'test/console-lockout.test.ts',
  ],
  // It limits the memory of its process.
  ['src/load/features/hostile-features.test.ts'],
];

/** Tests of the console in a browser; they take four minutes. */
const BROWSER_TESTS = 'test/console/';

/** Whether `npm test` leaves the file to `npm run test:all`. */
export function isLong(file: string): boolean {
  return file.startsWith(BROWSER_TESTS) || LONG_FILES.flat().includes(file);
}

/** Folders whose tests can share a process one after the other: they leave no process state changed. */
const SHARING = /^(src\/|web\/|test\/[^/]+$)/;
/**
 * Thirty files share the start of a process and the loading of the program, which take a second of CPU time.
 */
const FILES_OF_BUNDLE = 30;

/**
 * Returns the files for `node --test`: long files first, then the others in bundles of neighbors.
 * All are written to the folder under numbered names, because the runner sorts its files by name.
 */
export function bundleFiles(files: readonly string[], folder: string): string[] {
  const long = LONG_FILES.map((together) => together.filter((file) => files.includes(file)));
  const others = files.filter((file) => !LONG_FILES.flat().includes(file));
  const alone = others.filter((file) => !SHARING.test(file));
  const short = others.filter((file) => SHARING.test(file));
  const bundles = [...alone.map((file) => [file]), ...long.filter(({ length }) => length > 0)];
  // Tests of the whole program, which are last by name, take longest, and so begin first.
  for (let end = short.length; end > 0; end -= FILES_OF_BUNDLE) {
    bundles.push(short.slice(Math.max(0, end - FILES_OF_BUNDLE), end));
  }
  return bundles.map((bundle, i) => {
    const name = `${String(i + 1).padStart(3, '0')}-${basename(bundle[0], '.test.ts')}.mjs`;
    writeFileSync(join(folder, name), bundle.map(importOf).join(''));
    return join(folder, name);
  });
}

/**
 * The imports are static, so that every test is registered before the first one runs. Otherwise `after` hooks
 * would run between two files.
 */
function importOf(file: string): string {
  return `import ${JSON.stringify(pathToFileURL(resolve(file)).href)};\n`;
}
