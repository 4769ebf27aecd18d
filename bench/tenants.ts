/**
 * What the requests of one account notice of two others that read finished batches as fast as their plan allows:
 *
 *   node bench/tenants.ts            a minute
 *   node bench/tenants.ts --json
 *
 * Each of the two is on plan `professional` and reads a batch of 500 homes with 20 comparables each (16 MB, no credits)
 * over four connections. Goal: the p99 of the third account at most doubles, and none of its requests is a 503.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAccount } from '../src/accounts/manage-accounts.ts';
import { createKey } from '../src/accounts/manage-keys.ts';
import { BUILT_IN_PLANS } from '../src/accounts/plans.ts';
import { systemClock } from '../src/clock.ts';
import { fitInThreads } from '../src/operations/training/fit-pool.ts';
import { COMMAND_LINE } from '../src/store/audit-log.ts';
import { openStore } from '../src/store/open-store.ts';
import { buildSaleColumns } from '../src/valuation/columns/build-columns.ts';
import { trainMarket } from '../src/valuation/train-market.ts';
import type { ReadCounts, ReadOrder } from './speed/greedy-reader.ts';
import { generate, startServer } from './speed/http.ts';
import type { Throughput } from './speed/load-generator.ts';
import { requestsOf, saveMarket } from './speed/serving.ts';
import { LAST_DAY, syntheticSales } from './speed/synthetic-market.ts';

const SALES = 5000;
const ITEMS = 500;
const COMPARABLES = 20;
const READERS = ['reader-1', 'reader-2'] as const;
/** Of each reader: as many as shut out the others when this was first measured. */
const CONNECTIONS = 4;
/** Valuations a second of the account that is measured. */
const PACE = 20;
const WARM_UP_SECONDS = 5;
const SECONDS = 15;

async function read(order: ReadOrder): Promise<ReadCounts> {
  const child = spawn(process.execPath, ['bench/speed/greedy-reader.ts'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(order));
  const counts: ReadCounts = JSON.parse(await text(child.stdout));
  return counts;
}

async function createReaders(dataDir: string): Promise<string[]> {
  const store = await openStore({ databaseUrl: null, dataDir });
  const deps = { store, clock: systemClock, randomBytes, plans: BUILT_IN_PLANS };
  const keys: string[] = [];
  for (const accountId of READERS) {
    await createAccount(deps, COMMAND_LINE, { accountId, name: accountId, plan: 'professional' });
    keys.push((await createKey(deps, COMMAND_LINE, { name: 'reader', accountId })).text);
  }
  await store.close();
  return keys;
}

/** Submits a batch and waits for its end; gives the URL of the complete response. */
async function finishBatch(url: string, key: string, batch: string): Promise<string> {
  const headers = { 'content-type': 'application/json', 'x-api-key': key };
  const submitted = await fetch(`${url}/v1/avm/batch/property`, { method: 'POST', headers, body: batch });
  if (submitted.status !== 202) throw new Error(await submitted.text());
  const { status_url: path }: { status_url: string } = JSON.parse(await submitted.text());
  for (;;) {
    await sleep(500);
    const job = await fetch(`${url}${path}/results?limit=1`, { headers });
    await job.arrayBuffer();
    if (job.ok) return `${url}${path}`;
  }
}

const columns = buildSaleColumns(syntheticSales(SALES), { recordingLagDays: 14 });
const trained = await trainMarket(columns, LAST_DAY, {}, undefined, fitInThreads(availableParallelism()));
const dataDir = await mkdtemp(join(tmpdir(), 'plumbline-bench-'));
try {
  const key = await saveMarket({ databaseUrl: null, dataDir }, columns, trained);
  const readers = await createReaders(dataDir);
  const bodies = requestsOf(columns, 0).map((request) => JSON.stringify(request));
  const batch = JSON.stringify({ properties: requestsOf(columns, COMPARABLES, { count: ITEMS }) });
  const service = await startServer((port) => ({
    args: ['bin/plumbline.js', 'serve'],
    environment: { PLUMBLINE_DATA: dataDir, PORT: String(port), LOG_LEVEL: 'silent', DATABASE_URL: '' },
  }));
  const measure = (seconds: number): Promise<Throughput> =>
    generate({
      url: `${service.url}/v1/avm/property`,
      apiKey: key,
      connections: 8,
      seconds,
      pace: PACE,
      bodies,
    });
  const batches = await Promise.all(readers.map((reader) => finishBatch(service.url, reader, batch)));
  await measure(WARM_UP_SECONDS);
  const alone = await measure(SECONDS);
  const reading = readers.map((apiKey, i) =>
    read({ url: batches[i], apiKey, connections: CONNECTIONS, seconds: SECONDS + 2 }),
  );
  await sleep(1000);
  const beside = await measure(SECONDS);
  const counts = await Promise.all(reading);
  await service.stop();
  const report = { alone, beside, p99Ratio: beside.p99Ms / alone.p99Ms, readers: counts };
  if (process.argv.includes('--json')) console.log(JSON.stringify(report, null, 2));
  else {
    const shown = ({ p50Ms, p99Ms, perSecond, failures }: Throughput): string =>
      `p50 ${p50Ms} ms, p99 ${p99Ms} ms, ${perSecond} a second, ${failures} failures (goal: 0)`;
    console.log(`valuations, alone           ${shown(alone)}`);
    console.log(
      `  while two accounts read   ${shown(beside)}: ${report.p99Ratio.toFixed(1)} times (goal: 2)`,
    );
    for (const [i, { whole, megabytes, limited, unavailable }] of counts.entries()) {
      const rejected = `${limited} rejected with 429, ${unavailable} with 503`;
      console.log(`${READERS[i]}                    ${whole} responses, ${megabytes} MB, ${rejected}`);
    }
  }
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
