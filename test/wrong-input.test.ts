import assert from 'node:assert/strict';
import { execFile, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { lockDataFolder } from '../src/store/data-folder.ts';
import { ensureMarket } from '../src/store/datasets.ts';
import { openStore } from '../src/store/open-store.ts';
import { engines } from './harness/store/engines.ts';

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

let dir = '';
let child: ChildProcess | null = null;
before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'plumbline-wrong-'));
});
after(async () => {
  child?.kill();
  await rm(dir, { recursive: true, force: true });
});

function environmentWith(more: Record<string, string>): NodeJS.ProcessEnv {
  return { ...process.env, PLUMBLINE_DATA: join(dir, 'data'), DATABASE_URL: '', ...more };
}

/** Runs a command in a process of its own. */
function plumbline(args: readonly string[], environment: Record<string, string> = {}): Promise<Outcome> {
  const env = environmentWith(environment);
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['src/main.ts', ...args],
      { env, timeout: 60_000 },
      (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr });
      },
    );
  });
}

/** Runs a command in the process that all these commands share. */
async function runShared(args: readonly string[]): Promise<Outcome> {
  child ??= fork(join(import.meta.dirname, 'command-child.ts'), {
    env: environmentWith({}),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  child.send(args);
  const [outcome] = await once(child, 'message');
  return outcome;
}

/** Checks for one sentence that names the problem, no stack, nothing on stdout, and a failing exit code. */
function assertSentence(outcome: Outcome, names: RegExp): void {
  assert.equal(outcome.code, 1, outcome.stderr);
  assert.equal(outcome.stdout, '');
  const said = outcome.stderr.trimEnd().split('\n').at(-1) ?? '';
  assert.match(said, /^plumbline: .{20,}/);
  assert.match(said, names);
  assert.doesNotMatch(outcome.stderr, /\n\s+at /);
}

async function file(name: string, content: string | Buffer): Promise<string> {
  const path = join(dir, name);
  await writeFile(path, content);
  return path;
}

const importOf = (path: string): string[] => ['import', 'sales', path, '--market', 'm'];

const HEADER =
  'record_id,sale_date,sale_price,latitude,longitude,property_type,bedrooms,bathrooms,living_area';

test('a missing file is named', async () => {
  assertSentence(await plumbline(importOf(join(dir, 'nowhere.csv'))), /nowhere\.csv/);
});

test('a file with the wrong header is rejected with the missing columns', async () => {
  assertSentence(
    await runShared(importOf(await file('wrong.csv', 'a,b,c\n1,2,3\n'))),
    /sale_price|sale_date/,
  );
});

test('a binary file is rejected', async () => {
  const bytes = Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 37) % 256));
  assertSentence(await runShared(importOf(await file('binary.csv', bytes))), /binary\.csv/);
});

test('a truncated gzip file is rejected', async () => {
  const rows = Array.from(
    { length: 5000 },
    (_, i) => `r${i},2024-01-02,${200_000 + i},43,-88,houses,3,2,1500`,
  );
  const whole = gzipSync([HEADER, ...rows].join('\n'));
  const half = await file('half.csv.gz', whole.subarray(0, whole.length >> 1));
  assertSentence(await runShared(importOf(half)), /half\.csv\.gz/);
});

test('training or backtesting an empty market says what to do', async () => {
  assertSentence(await plumbline(['train', '--market', 'empty']), /import sales/);
  assertSentence(
    await runShared(['backtest', '--market', 'empty', '--train-before', '2024-01-01']),
    /import sales/,
  );
});

test('training with three sales says how many are needed', async () => {
  const rows = [1, 2, 3].map((i) => `r${i},2024-01-0${i},${200_000 + i},43,-88,houses,3,2,1500`);
  const loaded = await runShared(importOf(await file('three.csv', [HEADER, ...rows].join('\n'))));
  assert.equal(loaded.code, 0, loaded.stderr);
  assertSentence(await runShared(['train', '--market', 'm']), /at least 30/);
});

test('a port in use is named', async () => {
  const blocker = createServer();
  await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
  const address = blocker.address();
  assert.ok(address !== null && typeof address === 'object');
  const outcome = await plumbline(['serve'], { PORT: String(address.port), LOG_LEVEL: 'silent' });
  blocker.close();
  assertSentence(outcome, new RegExp(String(address.port)));
});

test('a data folder that another process serves is named, by npm start too', async () => {
  const dataDir = join(dir, 'served');
  const unlock = lockDataFolder(dataDir);
  for (const command of ['serve', 'demo']) {
    const outcome = await plumbline([command], { PLUMBLINE_DATA: dataDir, PORT: '0', LOG_LEVEL: 'silent' });
    assertSentence(outcome, /Another Plumbline process serves .*served/);
  }
  unlock();
});

for (const engine of engines.filter(({ name }) => name === 'postgres')) {
  test('npm start names what a database of DATABASE_URL holds that is not its own', async () => {
    const database = await engine.create();
    const store = await openStore(database.settings);
    await ensureMarket(store, 'king');
    await store.close();
    const { databaseUrl } = database.settings;
    assertSentence(
      await plumbline(['demo'], { DATABASE_URL: databaseUrl ?? '', PORT: '0' }),
      /market "king"/,
    );
    await database.drop();
  });
}

test('a data folder that this user cannot write is named, by each command that serves it', async () => {
  const dataDir = join(dir, 'read-only');
  // A lock that cannot be opened, as for a user who may not write there. The tests may run as root, who may.
  await mkdir(join(dataDir, 'serve.lock'), { recursive: true });
  for (const command of ['serve', 'demo', 'compact']) {
    const outcome = await plumbline([command], { PLUMBLINE_DATA: dataDir, PORT: '0', LOG_LEVEL: 'silent' });
    assertSentence(outcome, /read-only.*serve\.lock cannot be opened\. .*this user may write/);
  }
});

test('an address of another machine is named as such', async () => {
  const outcome = await plumbline(['serve'], { HOST: '192.0.2.1', PORT: '0', LOG_LEVEL: 'silent' });
  assertSentence(outcome, /192\.0\.2\.1 is not an address of this machine\. Set HOST/);
});

test('a restore reports a server that must be stopped, before it reads the backup', async () => {
  const dataDir = join(dir, 'serving');
  const unlock = lockDataFolder(dataDir);
  const outcome = await plumbline(['restore', join(dir, 'no-backup')], { PLUMBLINE_DATA: dataDir });
  unlock();
  assertSentence(outcome, /Another Plumbline process serves .*serving/);
});

test('where a result cannot be written, a command says so before it works', async () => {
  const inTheWay = await file('no-folder', 'not a folder');
  const folder = ['--out', join(inTheWay, 'report')];
  const dates = ['--from', '2026-01-01', '--to', '2026-01-31'];
  assertSentence(await runShared(['backtest', '--market', 'm', ...dates, ...folder]), /no-folder.*ENOTDIR/);
  assertSentence(await runShared(['accuracy', '--values', 'none.csv', ...folder]), /no-folder.*ENOTDIR/);
  const missing = join(dir, 'missing', 'a.csv');
  assertSentence(await runShared(['export', 'usage', '--out', missing]), /no folder .*missing\. Create it/);
});

test('an export of an unknown account or of dates in the wrong order is rejected', async () => {
  const out = ['--out', join(dir, 'rows.csv')];
  assertSentence(await runShared(['export', 'values', '--account', 'nobody', ...out]), /accounts list/);
  const dates = ['--from', '2026-12-01', '--to', '2026-01-01'];
  assertSentence(
    await runShared(['export', 'usage', ...dates, ...out]),
    /2026-12-01 is after --to 2026-01-01/,
  );
});

test('a data folder that cannot be created is named', async () => {
  const inTheWay = await file('a-file', 'not a folder');
  assertSentence(await plumbline(['markets'], { PLUMBLINE_DATA: join(inTheWay, 'data') }), /a-file/);
});

test('an unreachable PostgreSQL is named without its password', async () => {
  const url = 'postgres://someone:hunter2@127.0.0.1:9/nothing';
  const outcome = await plumbline(['markets'], { DATABASE_URL: url });
  assertSentence(outcome, /127\.0\.0\.1/);
  assert.doesNotMatch(outcome.stderr, /hunter2/);
});

test('a wrong command line is rejected by name, with the help that says what is right', async () => {
  assertSentence(await runShared(['train', '--market', 'No Such!']), /--market/);
  assertSentence(await runShared(['train', '--market', 'm', '--as-of', 'yesterday']), /--as-of/);
  assertSentence(await runShared(['import', 'houses', 'x.csv', '--market', 'm']), /houses/);
  assertSentence(await runShared(['expotr']), /'expotr'.*See "plumbline --help"\.$/);
  assertSentence(
    await runShared(['accounts', 'create', 'x']),
    /--plan.*See "plumbline accounts create --help"\.$/,
  );
  const misplaced = ['import', 'fire', 'x.tif', '--market', 'm', '--as-of-date', '2020-01-01'];
  assertSentence(await runShared(misplaced), /--as-of-date.*parcels.*fire/);
});
