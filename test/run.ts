import { spawn } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { ALL_CASES } from './harness/cases.ts';
import { POSTGRES_URL } from './harness/store/postgres.ts';
import { PREPARED } from './harness/store/prepared-database.ts';
import { bundleFiles, isLong } from './bundle-files.ts';
import { TRAINING_CACHE } from './cached-jobs.ts';
import { memoryFolder } from './memory-folder.ts';
import { providePostgres } from './provide-postgres.ts';

/**
 * Runs the tests with one PostgreSQL server for all files:
 *
 *   npm test                        all but the long files
 *   npm run test:all                everything
 *   npm test -- src/store locate    files whose path contains one of these words, also long ones
 *   npm test -- --full              with all random cases and kills, as for a release; a third otherwise
 *   npm test -- --test-name-pattern=swap src/store     with flags of node --test
 */
/**
 * Twice as many processes as two cores: test files wait for processes, timers and the database for a third of
 * their time.
 */
const CONCURRENCY = 4;
const FULL = '--full';
const ALL = '--all';
/**
 * A test that hangs is reported by name. The slowest, in a browser, take a minute on two quiet cores, and five on two
 * cores with three other programs that compute.
 */
const TIMEOUT_MS = 900_000;

const given = process.argv.slice(2);
const flags = given.filter((argument) => argument.startsWith('-') && ![ALL, FULL].includes(argument));
const filters = given.filter((argument) => !argument.startsWith('-'));
const hasLong = filters.length > 0 || given.includes(ALL) || given.includes(FULL);
const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts', 'web/src/**/*.test.ts'])
  .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)))
  .filter((file) => hasLong || !isLong(file))
  .sort();
if (files.length === 0) {
  console.error(`No test file has a path that contains ${filters.join(' or ')}.`);
  process.exit(1);
}

/** Reading and compiling the same 300 sources again took half the time of a small test file. */
const COMPILE_CACHE = 'node_modules/.cache/compile';

// PostgreSQL runs as another user, who may not enter the folder of this run.
process.env.TMPDIR ??= memoryFolder();
const ofThisRun = mkdtempSync(join(process.env.TMPDIR, 'plumbline-run-'));
const trainings = join(ofThisRun, 'trainings');
const prepared = join(ofThisRun, 'prepared');
const temporary = join(ofThisRun, 'tmp');
const bundles = join(ofThisRun, 'bundles');
for (const folder of [trainings, prepared, temporary, bundles]) mkdirSync(folder);
process.on('exit', () => rmSync(ofThisRun, { recursive: true, force: true }));

/**
 * Tests make much garbage that does not live long. With more room for it, collecting takes half the CPU time.
 */
const ROOM_FOR_NEW_OBJECTS = '--max-semi-space-size=32';

const environment = {
  NODE_OPTIONS: ROOM_FOR_NEW_OBJECTS,
  NODE_COMPILE_CACHE: resolve(COMPILE_CACHE),
  // Of servers that tests start, as in app-config.ts.
  RESPONSE_SECONDS: '25',
  [TRAINING_CACHE]: trainings,
  ...(given.includes(FULL) && { [ALL_CASES]: '1' }),
  // On an external PostgreSQL no prepared databases are kept, because nothing would delete them.
  ...(process.env[POSTGRES_URL] ? {} : { [PREPARED]: prepared }),
  ...process.env,
  TMPDIR: temporary,
};
const skipped = await providePostgres(environment);
if (skipped) console.error(skipped);
const limits = [`--test-concurrency=${CONCURRENCY}`, `--test-timeout=${TIMEOUT_MS}`];
const child = spawn(process.execPath, ['--test', ...limits, ...flags, ...bundleFiles(files, bundles)], {
  stdio: 'inherit',
  env: environment,
});
child.on('exit', (code, signal) => {
  if (skipped) console.error(skipped);
  if (!hasLong) console.error('The long tests did not run: npm run test:all runs all.');
  process.exit(signal ? 1 : (code ?? 1));
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
