import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { OPERATOR } from '../../src/cli/compose.ts';
import { replayValuation } from '../../src/operations/past/past-valuations.ts';
import { verifyBackup, type Manifest } from '../../src/store/backup/manifest.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { seededRandom } from '../../src/valuation/random.ts';
import { withOperations } from '../harness/operations/quick-market.ts';
import { engines, type TestDatabase, type TestEngine } from '../harness/store/engines.ts';
import { createFaultMarket, type FaultMarket } from './fault-market.ts';
import type { FaultRun } from './fault-run.ts';
import { askValue, startLoad, type Load } from './send-request.ts';
import { startServe } from './serve-process.ts';
import { MAIN } from './spawn-program.ts';
import { assertKept } from './valuations-kept.ts';

const CLIENTS = 3;
const ANSWERS_BETWEEN = 20;
const REPLAYS = 100;
const quiet = (): void => {};

/** The load of an engine, and where its backups are restored. */
interface Rounds {
  readonly market: FaultMarket;
  readonly free: Load;
  readonly capped: Load;
  readonly target: TestDatabase;
  readonly folder: string;
  readonly random: () => number;
}

export const backupUnderLoad: FaultRun = {
  name: 'backup-under-load',
  guarantee:
    'backups are taken and killed (SIGKILL), and restores are killed, while the service records values on both engines: each backup is complete or unusable, has everything acknowledged before it, once and charged once, and replays to the byte; a killed restore changes nothing',
  counts: { of: 'backups', small: 6, full: 50 },
  async run({ count, seed, onProgress }) {
    const figures = { valuations: 0, 'killed backups': 0, 'killed restores': 0, replayed: 0 };
    let done = 0;
    for (const engine of engines) {
      const added = await backUpEngine(engine, count / engines.length, seededRandom(seed), () =>
        onProgress(++done),
      );
      figures.valuations += added.valuations;
      figures['killed backups'] += added.killedBackups;
      figures['killed restores'] += added.killedRestores;
      figures.replayed += REPLAYS;
    }
    return { ...figures, lost: 0, doubled: 0, mischarged: 0 };
  },
};

async function backUpEngine(engine: TestEngine, count: number, random: () => number, onRound: () => void) {
  const market = await createFaultMarket(await engine.create());
  const server = await startServe(market.database, market);
  const free = startLoad(CLIENTS, (number) => askValue(server.url, market.key, number));
  const capped = startLoad(1, (number) => askValue(server.url, market.cappedKey, number));
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-backups-'));
  const target = await engine.create();
  const rounds: Rounds = { market, free, capped, target, folder, random };
  let [killedBackups, killedRestores] = [0, 0];
  let before: Manifest | null = null;
  for (let round = 0; round < count; round++) {
    const answered = free.answers.length;
    while (free.answers.length < answered + ANSWERS_BETWEEN) await sleep(10);
    const backup = join(folder, String(round));
    const earlier = { free: [...free.answers], capped: [...capped.answers] };
    const tookMs = await runCommand(market.database, ['backup', backup]);
    if (await killBackup(rounds, `${backup}-killed`, tookMs)) killedBackups++;
    const manifest = await verifyBackup(backup, quiet);
    if (await killRestore(rounds, backup, [before, manifest], tookMs)) killedRestores++;
    await runCommand(target, ['restore', backup, '--replace']);
    before = manifest;
    const store = await openStore(target.settings);
    await assertKept(store, 'self', earlier.free);
    await assertKept(store, 'capped', earlier.capped);
    await store.close();
    onRound();
  }
  await Promise.all([free.stop(), capped.stop()]);
  server.child.kill('SIGINT');
  assert.equal(await server.ended, 0);
  const store = await openStore(target.settings);
  await replayLast(store);
  await store.close();
  await target.drop();
  await market.database.drop();
  rmSync(folder, { recursive: true });
  return { valuations: free.answers.length + capped.answers.length, killedBackups, killedRestores };
}

/** Runs a command to its end, or kills it after a time. Returns how long it ran; null if it was killed. */
async function runCommand(database: TestDatabase, words: readonly string[]): Promise<number>;
async function runCommand(
  database: TestDatabase,
  words: readonly string[],
  killAfterMs: number,
): Promise<number | null>;
async function runCommand(
  { settings }: TestDatabase,
  words: readonly string[],
  killAfterMs?: number,
): Promise<number | null> {
  const { dataDir, databaseUrl } = settings;
  const beganAt = performance.now();
  const child = spawn(process.execPath, [MAIN, ...words], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, PLUMBLINE_DATA: dataDir, DATABASE_URL: databaseUrl ?? '' },
  });
  const timer = killAfterMs === undefined ? null : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  const printed = await text(child.stderr);
  if (timer) clearTimeout(timer);
  if (child.exitCode === null && child.signalCode === null) {
    await new Promise((resolve) => child.once('exit', resolve));
  }
  if (child.signalCode === 'SIGKILL') return null;
  assert.equal(child.exitCode, 0, printed);
  return performance.now() - beganAt;
}

/** Kills a backup. What it leaves must not be a backup, unless it was complete. */
async function killBackup(
  { market, folder, random }: Rounds,
  backup: string,
  tookMs: number,
): Promise<boolean> {
  // The first half is the start of the program.
  const tookOr = await runCommand(market.database, ['backup', backup], tookMs * (0.4 + 0.6 * random()));
  if (existsSync(backup)) {
    await verifyBackup(backup, quiet);
    return false;
  }
  assert.equal(tookOr, null);
  for (const name of readdirSync(folder).filter((each) => each.includes('.partial-'))) {
    await assert.rejects(verifyBackup(join(folder, name), quiet), /is not a backup/);
    rmSync(join(folder, name), { recursive: true });
  }
  return true;
}

/** Kills a restore. The database must have all of the backup before, or all of this one. */
async function killRestore(
  { target, random }: Rounds,
  backup: string,
  [before, after]: readonly [Manifest | null, Manifest],
  tookMs: number,
): Promise<boolean> {
  const words = ['restore', backup, '--replace'];
  const took = await runCommand(target, words, tookMs * (0.4 + random()));
  const store = await openStore(target.settings);
  const counts = [await countOf(store, 'valuations'), await countOf(store, 'credit_ledger')];
  await store.close();
  const rowsOf = (manifest: Manifest | null) =>
    ['valuations', 'credit_ledger'].map(
      (name) => manifest?.parts.find(({ table }) => table === name)?.rows ?? 0,
    );
  assert.ok(
    [rowsOf(before), rowsOf(after)].some((rows) => String(rows) === String(counts)),
    `${counts} rows are of neither backup`,
  );
  return took === null;
}

async function countOf({ db }: Store, table: 'valuations' | 'credit_ledger'): Promise<number> {
  const rows = db.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('count'));
  return (await rows.executeTakeFirstOrThrow()).count;
}

async function replayLast(store: Store): Promise<void> {
  const rows = await store.db
    .selectFrom('valuations')
    .select('valuationId')
    .where('accountId', '=', OPERATOR.accountId)
    .orderBy('valuationId', 'desc')
    .limit(REPLAYS)
    .execute();
  assert.equal(rows.length, REPLAYS, 'there are enough valuations to replay');
  await withOperations(store, async (operations) => {
    for (const { valuationId } of rows) {
      const { agrees } = await replayValuation(operations, valuationId, OPERATOR);
      assert.ok(agrees, `${valuationId} differs`);
    }
  });
}
