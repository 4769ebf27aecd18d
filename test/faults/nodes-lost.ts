import assert from 'node:assert/strict';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../../src/valuation/random.ts';
import {
  ask,
  askBatch,
  askValue,
  countStatuses,
  startLoad,
  valuationIdOf,
  type Answer,
  type Load,
} from './send-request.ts';
import { startBalancer, type Balancer } from './balancer.ts';
import { engineOf } from './fault-engines.ts';
import { batchBody, createFaultMarket, type FaultMarket } from './fault-market.ts';
import type { FaultRun, Figures } from './fault-run.ts';
import { startServe, type ServeProcess } from './serve-process.ts';
import { assertKept } from './valuations-kept.ts';

/** The cluster and its load. After SIGTERM under load a server must exit with 0 within `stopWithinMs`. */
const RUN = {
  nodes: 4,
  clients: 6,
  stopWithinMs: 15_000,
  responsesBetween: 30,
  items: 20,
  batchesEndMs: 60_000,
} as const;

/** Servers on one PostgreSQL behind a load balancer, under load. */
interface LoadedCluster {
  readonly market: FaultMarket;
  readonly balancer: Pick<Balancer, 'url'>;
  readonly nodes: ServeProcess[];
  readonly load: Load;
}

interface Cluster extends LoadedCluster {
  readonly balancer: Balancer;
  readonly start: () => Promise<ServeProcess>;
}

/** @param further environment of the first node */
async function startCluster(further: Readonly<Record<string, string>> = {}): Promise<Cluster> {
  const market = await createFaultMarket(await engineOf('postgres').create());
  const balancer = await startBalancer();
  const start = async (own: Readonly<Record<string, string>> = {}): Promise<ServeProcess> => {
    const environment = { ...market.environment, JOB_THREADS: '1', JOB_LEASE_SECONDS: '2', ...own };
    const node = await startServe(market.database, { environment });
    await balancer.add(node.url);
    return node;
  };
  const nodes = await Promise.all(Array.from({ length: RUN.nodes }, (_, i) => start(i === 0 ? further : {})));
  return { market, balancer, nodes, load: startMixedLoad(balancer.url, market.key), start };
}

export function startMixedLoad(url: string, key: string): Load {
  return startLoad(RUN.clients, (number) => askMixed(url, key, number));
}

/** The latest valuation by this load, to read it again. */
const latest = new Map<string, string>();

/** Sends valuations, reads of valuations, coverage and usage, and sometimes a batch. */
async function askMixed(url: string, key: string, number: number): Promise<Answer> {
  const valuationId = latest.get(url);
  if (number % 4 === 1 && valuationId !== undefined) return ask(`${url}/v1/valuations/${valuationId}`, key);
  if (number % 8 === 2) return ask(`${url}/v1/coverage`, key);
  if (number % 16 === 11) return askBatch(url, key, batchBody(number, RUN.items), `batch ${number}`);
  if (number % 8 === 6) return ask(`${url}/v1/usage`, key);
  const answer = await askValue(url, key, number);
  if (answer.status === 200) latest.set(url, valuationIdOf(answer));
  return answer;
}

export async function answersMore(load: Load): Promise<void> {
  const before = load.answers.length;
  while (load.answers.length < before + RUN.responsesBetween) await sleep(10);
}

/**
 * Ends the load and checks it: every request through the balancer succeeded, and every returned valuation is
 * stored. `close` ends what else uses the database.
 */
export async function judge(
  { market, balancer, nodes, load }: LoadedCluster,
  close: () => void | Promise<void>,
): Promise<Figures> {
  await load.stop();
  const batches = load.answers.filter(({ status }) => status === 202);
  for (const { body } of batches) await untilComplete(balancer.url, market.key, String(body.status_url));
  for (const node of nodes) node.child.kill('SIGINT');
  for (const node of nodes) assert.equal(await node.ended, 0);
  await close();
  const failed = load.answers.filter(({ status }) => status !== 200 && status !== 202);
  assert.deepEqual(failed.slice(0, 3), [], `${failed.length} failed: ${countStatuses(load.answers)}`);
  const store = await market.open();
  const values = load.answers.filter(({ body }) => 'valuation' in body);
  // Reading a valuation returns its id as well, so keep only the first response per id.
  const firsts = [...new Map(values.map((answer) => [valuationIdOf(answer), answer])).values()];
  await assertKept(store, 'self', firsts);
  await store.close();
  await market.database.drop();
  return { requests: load.answers.length, failed: 0, batches: batches.length, incomplete: 0 };
}

/** Waits until every item of a batch has its value, no matter which nodes were lost. */
async function untilComplete(url: string, key: string, path: string): Promise<void> {
  const until = performance.now() + RUN.batchesEndMs;
  for (;;) {
    const { body } = await ask(`${url}${path}`, key);
    if (body.status === 'complete') return assert.equal(body.completed, RUN.items, path);
    assert.ok(performance.now() < until, `${path} is ${String(body.status)}`);
    await sleep(100);
  }
}

export const rollingRestarts: FaultRun = {
  name: 'rolling-restarts',
  guarantee:
    'four servers behind a balancer are stopped (SIGTERM) and started one after the other under load: no request fails, and each exits with 0 within 15 s',
  counts: { of: 'restarts', small: 4, full: 24 },
  async run({ count, onProgress }) {
    const cluster = await startCluster();
    let slowestMs = 0;
    for (let round = 0; round < count; round++) {
      await answersMore(cluster.load);
      const [oldest] = cluster.nodes.splice(0, 1);
      const askedAt = performance.now();
      oldest.child.kill('SIGTERM');
      assert.equal(await oldest.ended, 0);
      slowestMs = Math.max(slowestMs, performance.now() - askedAt);
      cluster.balancer.remove(oldest.url);
      cluster.nodes.push(await cluster.start());
      onProgress(round + 1);
    }
    assert.ok(slowestMs <= RUN.stopWithinMs, `stopping took ${slowestMs} ms`);
    const retried = cluster.balancer.retries();
    return {
      ...(await judge(cluster, cluster.balancer.close)),
      retried,
      'slowest stop ms': Math.round(slowestMs),
    };
  },
};

export const nodeKills: FaultRun = {
  name: 'node-kills',
  guarantee:
    'one of four servers behind a balancer is killed (SIGKILL) under load and restarted: no request fails, and no returned valuation is lost',
  counts: { of: 'kills', small: 4, full: 24 },
  async run({ count, seed, onProgress }) {
    const cluster = await startCluster();
    const random = seededRandom(seed);
    for (let round = 0; round < count; round++) {
      await answersMore(cluster.load);
      await sleep(200 * random());
      const [victim] = cluster.nodes.splice(Math.floor(random() * RUN.nodes), 1);
      victim.child.kill('SIGKILL');
      assert.equal(await victim.ended, 'SIGKILL');
      await answersMore(cluster.load);
      cluster.balancer.remove(victim.url);
      cluster.nodes.push(await cluster.start());
      onProgress(round + 1);
    }
    const figures = await judge(cluster, cluster.balancer.close);
    return { ...figures, retried: cluster.balancer.retries() };
  },
};

/** The clock is an hour ahead, an hour behind, or right. */
const STEPS = ['+1h', '-1h', '+0'];

export const clockSteps: FaultRun = {
  name: 'clock-steps',
  guarantee:
    'the clock of one of four servers jumps an hour ahead or back under load with batches: no request fails, every batch completes, and no returned valuation is lost or charged twice',
  counts: { of: 'steps', small: 6, full: 60 },
  async run({ count, seed, onProgress }) {
    const folder = mkdtempSync(join(tmpdir(), 'plumbline-clock-'));
    const setting = join(folder, 'faketime');
    writeFileSync(setting, STEPS[2]);
    const cluster = await startCluster({
      LD_PRELOAD: findFaketime(),
      FAKETIME_TIMESTAMP_FILE: setting,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    });
    const random = seededRandom(seed);
    let farthestMs = 0;
    for (let round = 0; round < count; round++) {
      writeFileSync(setting, STEPS[Math.floor(random() * STEPS.length)]);
      await answersMore(cluster.load);
      const { headers } = await fetch(`${cluster.nodes[0].url}/healthz`);
      farthestMs = Math.max(farthestMs, Math.abs(Date.parse(headers.get('date') ?? '') - Date.now()));
      onProgress(round + 1);
    }
    assert.ok(farthestMs > 3_000_000, `the clock moved by at most ${farthestMs} ms`);
    const figures = await judge(cluster, cluster.balancer.close);
    rmSync(folder, { recursive: true });
    return figures;
  },
};

/** @throws Error without libfaketime (Debian: apt-get install faketime) */
function findFaketime(): string {
  const [found] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');
  if (!found) throw new Error('libfaketime is not installed (Debian: apt-get install faketime)');
  return found;
}
