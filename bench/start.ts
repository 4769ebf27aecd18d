/**
 * Measures how long commands take to start, each program on an empty SQLite database of its own:
 *
 *   node bench/start.ts                                     this checkout
 *   node bench/start.ts ../before/src/main.ts         other programs, in turns with this one
 *
 * Each round starts every command once, and `node -e 0` too. The ratio to that can be compared between machines.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

const ROUNDS = 15;
const BARE = 'node -e 0';
const COMMANDS = [
  '--help',
  'keys list',
  'users list',
  'jobs',
  'markets',
  'import --help',
  'train --help',
  'value --help',
  'serve --help',
];

const folder = mkdtempSync(join(tmpdir(), 'plumbline-start-'));
const programs = ['bin/plumbline.js', ...process.argv.slice(2)];

function secondsOf(args: readonly string[]): number {
  // An older program cannot open the database of a newer one.
  const dataDir = join(folder, String(programs.indexOf(args[0])));
  const environment = { ...process.env, PLUMBLINE_DATA: dataDir, DATABASE_URL: '' };
  const started = performance.now();
  execFileSync(process.execPath, args, { env: environment, stdio: 'ignore' });
  return (performance.now() - started) / 1000;
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

const runs = new Map([[BARE, ['-e', '0']]]);
for (const program of programs) {
  for (const command of COMMANDS) runs.set(`${program} ${command}`, [program, ...command.split(' ')]);
}
try {
  // The first round fills the cache of compiled code.
  for (const args of runs.values()) secondsOf(args);
  const seconds = new Map([...runs.keys()].map((name): [string, number[]] => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, args] of runs) seconds.get(name)?.push(secondsOf(args));
  }
  const bare = medianOf(seconds.get(BARE) ?? []);
  console.log(`${'median of '.concat(String(ROUNDS)).padEnd(50)}  seconds  ratio to ${BARE}`);
  for (const [name, values] of seconds) {
    const median = medianOf(values);
    console.log(
      `${name.padEnd(50)} ${median.toFixed(3).padStart(8)} ${(median / bare).toFixed(1).padStart(6)}`,
    );
  }
} finally {
  rmSync(folder, { recursive: true });
}
