import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { openProgress } from '../../src/cli/progress.ts';
import { POSTGRES_URL, REQUIRE_POSTGRES } from '../harness/store/postgres.ts';
import { TRAINING_CACHE } from '../cached-jobs.ts';
import { providePostgres } from '../provide-postgres.ts';
import type { FaultRun, Figures } from './fault-run.ts';

/**
 * Causes faults and counts what was lost (docs/operations/what-happens-if.md):
 *
 *   npm run faults                        every run with its small count, less than 15 minutes
 *   npm run faults -- --full              with the counts of a release
 *   npm run faults -- postgres disk       runs whose name contains one of these words
 *   npm run faults -- --seed 7 keys       with the random seed of an earlier run
 *   npm run faults -- --list              lists the runs
 *
 * Exits with 1 if a guarantee was broken.
 */
const { values: options, positionals: filters } = parseArgs({
  options: { full: { type: 'boolean' }, list: { type: 'boolean' }, seed: { type: 'string' } },
  allowPositionals: true,
});

interface Outcome {
  readonly run: FaultRun;
  readonly count: number;
  readonly seconds: number;
  readonly figures: Figures;
  readonly failure: unknown;
}

const seed = seedOf(options.seed);
const environment = process.env;
environment.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/compile');
environment[REQUIRE_POSTGRES] = '1';
if (!options.list) await provideServices();
// Imported after the database URL is in the environment, because the test engines read it when they load.
const { FAULT_RUNS } = await import('./fault-runs.ts');
const chosen = FAULT_RUNS.filter(
  ({ name }) => filters.length === 0 || filters.some((filter) => name.includes(filter)),
);
if (chosen.length === 0) {
  console.error(`No fault run has a name that contains ${filters.join(' or ')}.`);
  process.exit(1);
}
if (options.list) {
  for (const run of chosen) console.log(describe(run));
  process.exit(0);
}
console.log(
  `${chosen.length} fault runs with ${options.full ? 'full' : 'small'} counts; repeat with --seed ${seed}`,
);
const outcomes: Outcome[] = [];
for (const run of chosen) outcomes.push(await runOne(run));
printTable(outcomes);
process.exit(outcomes.some(({ failure }) => failure !== null) ? 1 : 0);

async function provideServices(): Promise<void> {
  const trainings = mkdtempSync(join(tmpdir(), 'plumbline-trainings-'));
  process.on('exit', () => rmSync(trainings, { recursive: true, force: true }));
  environment[TRAINING_CACHE] ??= trainings;
  await providePostgres(environment);
  if (!environment[POSTGRES_URL]) throw new Error('no PostgreSQL was provided');
}

function seedOf(text: string | undefined): number {
  const given = Number(text ?? Math.floor(Math.random() * 2 ** 31));
  if (Number.isInteger(given) && given >= 0 && given < 2 ** 31) return given;
  console.error(`--seed is "${text}"; it must be a whole number below 2147483648.`);
  process.exit(1);
}

function describe({ name, guarantee, counts }: FaultRun): string {
  return `${name.padEnd(24)} ${counts.small} (${counts.full} with --full) ${counts.of}: ${guarantee}`;
}

/** A failed run does not stop the others. */
async function runOne(run: FaultRun): Promise<Outcome> {
  const count = options.full ? run.counts.full : run.counts.small;
  console.log(`\n${run.name}: ${run.guarantee}`);
  const progress = openProgress();
  const started = performance.now();
  const onProgress = (done: number): void =>
    progress.report(`${run.name}: ${count} ${run.counts.of}`, done, count);
  const ended = (figures: Figures, failure: unknown): Outcome => {
    progress.close();
    return { run, count, seconds: (performance.now() - started) / 1000, figures, failure };
  };
  try {
    onProgress(0);
    const figures = await run.run({ count, seed, onProgress });
    return ended(figures, null);
  } catch (error) {
    const outcome = ended({}, error);
    console.error(error);
    return outcome;
  }
}

function printTable(all: readonly Outcome[]): void {
  console.log(`\n${'run'.padEnd(24)} ${'held'.padEnd(6)} ${'seconds'.padStart(8)}  figures`);
  for (const { run, count, seconds, figures, failure } of all) {
    const told = { [run.counts.of]: count, ...figures };
    const line = failure === null ? describeFigures(told) : `${describeFigures(told)}: ${firstLine(failure)}`;
    const held = failure === null ? 'yes' : 'NO';
    console.log(`${run.name.padEnd(24)} ${held.padEnd(6)} ${seconds.toFixed(1).padStart(8)}  ${line}`);
  }
}

function describeFigures(figures: Figures): string {
  return Object.entries(figures)
    .map(([name, value]) => `${name} ${typeof value === 'number' ? value.toLocaleString('en-US') : value}`)
    .join(', ');
}

function firstLine(failure: unknown): string {
  return String(failure instanceof Error ? failure.message : failure).split('\n')[0];
}
