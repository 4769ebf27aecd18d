/**
 * Measures the throughput of batches, and their effect on single requests, on a synthetic market of 50,000
 * sales:
 *
 *   node bench/batches.ts            20 batches of 500 homes, about two minutes
 *   node bench/batches.ts --json
 *   DATABASE_URL=postgres://… node bench/batches.ts    the same on an empty PostgreSQL database
 *
 * Single requests are sent at a constant rate, however long responses take: first without and then with the
 * batches. On a busy machine only the CPU time counts. Linux only: it reads /proc.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fitInThreads } from '../src/operations/training/fit-pool.ts';
import { buildSaleColumns } from '../src/valuation/columns/build-columns.ts';
import { trainMarket } from '../src/valuation/train-market.ts';
import { generate, startServer } from './speed/http.ts';
import type { Throughput } from './speed/load-generator.ts';
import { requestsOf, saveMarket } from './speed/serving.ts';
import { LAST_DAY, syntheticSales } from './speed/synthetic-market.ts';

const SALES = 50_000;
const BATCHES = 20;
const ITEMS = 500;
/** Single requests per second: a fortieth of what the machine can serve. */
const PACE = 40;
const CONNECTIONS = 8;
const WARM_UP_SECONDS = 5;
const SECONDS = 10;
/** A batch that takes longer has failed. */
const PATIENCE_MS = 300_000;

interface JobBody {
  readonly job_id: string;
  readonly status: string;
  readonly completed: number;
  readonly created_at: string;
  readonly finished_at: string | null;
}

async function ask(url: string, key: string, body?: string): Promise<JobBody> {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body,
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  const job: JobBody = JSON.parse(await response.text());
  return job;
}

/** Waits until all jobs have ended. It polls one job per second, so that polling costs nothing. */
async function untilEnded(url: string, key: string, jobIds: readonly string[]): Promise<JobBody[]> {
  const deadline = performance.now() + PATIENCE_MS;
  const ended: JobBody[] = [];
  for (const jobId of jobIds) {
    for (;;) {
      const [job] = await Promise.all([ask(`${url}/v1/avm/batch/${jobId}`, key), sleep(20)]);
      if (job.finished_at !== null) {
        ended.push(job);
        break;
      }
      if (performance.now() > deadline) throw new Error(`job ${jobId} is ${job.status} still`);
      await sleep(1000);
    }
  }
  return ended;
}

/** Items per second, from the first submission to the last result. */
function itemsPerSecond(jobs: readonly JobBody[]): number {
  const from = Math.min(...jobs.map((job) => Date.parse(job.created_at)));
  const to = Math.max(...jobs.map((job) => Date.parse(job.finished_at ?? '')));
  return (1000 * jobs.reduce((sum, job) => sum + job.completed, 0)) / (to - from);
}

const columns = buildSaleColumns(syntheticSales(SALES), { recordingLagDays: 14 });
const trained = await trainMarket(columns, LAST_DAY, {}, undefined, fitInThreads(availableParallelism()));
const dataDir = await mkdtemp(join(tmpdir(), 'plumbline-bench-'));
const databaseUrl = process.env.DATABASE_URL ?? '';
try {
  const key = await saveMarket({ databaseUrl: databaseUrl || null, dataDir }, columns, trained);
  const bodies = requestsOf(columns, 0).map((request) => JSON.stringify(request));
  const batch = JSON.stringify({ properties: requestsOf(columns, 0, { count: ITEMS }) });
  const service = await startServer((port) => ({
    args: ['bin/plumbline.js', 'serve'],
    environment: {
      PLUMBLINE_DATA: dataDir,
      PORT: String(port),
      LOG_LEVEL: 'warn',
      DATABASE_URL: databaseUrl,
    },
  }));
  const single = (seconds: number): Promise<Throughput> =>
    generate({
      url: `${service.url}/v1/avm/property`,
      apiKey: key,
      connections: CONNECTIONS,
      seconds,
      pace: PACE,
      bodies,
    });
  const submit = (): Promise<JobBody> => ask(`${service.url}/v1/avm/batch/property`, key, batch);
  // Warm-up: each thread compiles its own code, both for single requests and for batches.
  await single(WARM_UP_SECONDS);
  await untilEnded(service.url, key, [(await submit()).job_id, (await submit()).job_id]);
  const idle = await single(SECONDS);
  const jobIds: string[] = [];
  const cpuBefore = service.cpuMs();
  const begun = performance.now();
  for (let i = 0; i < BATCHES; i++) jobIds.push((await submit()).job_id);
  const submitMs = (performance.now() - begun) / BATCHES;
  const meanwhile = await single(SECONDS);
  const jobs = await untilEnded(service.url, key, jobIds);
  const cpuMs = service.cpuMs() - cpuBefore;
  await service.stop();
  const report = {
    engine: databaseUrl ? 'postgres' : 'sqlite',
    items: BATCHES * ITEMS,
    completed: jobs.reduce((sum, job) => sum + job.completed, 0),
    itemsPerSecond: itemsPerSecond(jobs),
    submitMs,
    cpuMs,
    idle,
    meanwhile,
    p99Ratio: meanwhile.p99Ms / idle.p99Ms,
  };
  if (process.argv.includes('--json')) console.log(JSON.stringify(report, null, 2));
  else {
    const shown = ({ p50Ms, p99Ms, failures }: Throughput): string =>
      `p50 ${p50Ms} ms, p99 ${p99Ms} ms, ${failures} failures`;
    console.log(
      `${BATCHES} batches of ${ITEMS} homes      ${report.itemsPerSecond.toFixed(0)} items/s (goal: 500), ${report.completed} valued`,
    );
    console.log(
      `CPU time of the server     ${(cpuMs / report.items).toFixed(2)} ms per home, with the single requests`,
    );
    console.log(`submitting one of them     ${submitMs.toFixed(0)} ms`);
    console.log(`single requests, idle      ${shown(idle)}`);
    console.log(
      `  while batches run        ${shown(meanwhile)}: ${report.p99Ratio.toFixed(1)} times (goal: 3)`,
    );
  }
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
