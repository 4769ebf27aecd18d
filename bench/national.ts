/**
 * Many generated markets on PostgreSQL, or one large one, through the commands that an operator runs:
 *
 *   node bench/national.ts                  10 markets of 100,000 parcels and 50,000 sales: a tenth of a nation
 *   node bench/national.ts 1 1000000 400000 one market of that size
 *
 * Measures imports, trainings, a sweep of the first market, and serving by 1 and by 4 processes, with markets chosen
 * evenly and mostly the first ones. The processes, the database and the load share this machine's cores. SWEEP=0 leaves
 * out the sweep.
 */
import { spawn } from 'node:child_process';
import { createWriteStream, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { formatDay } from '../src/domain/day.ts';
import { formatMany } from '../src/domain/display-format.ts';
import type { Sale } from '../src/domain/sale.ts';
import { findPostgres, startPostgres } from '../test/harness/store/postgres.ts';
import { generate, startServer } from './speed/http.ts';
import { LAST_DAY, syntheticSales } from './speed/synthetic-market.ts';

const [markets, parcels, sales] = [10, 100_000, 50_000].map((usual, i) =>
  Number(process.argv[2 + i] ?? usual),
);
const VALUE_DATE = formatDay(LAST_DAY);
/** Homes of each market that are valued. */
const BODIES = 100;
const CONNECTIONS = 32;
const WARM_UP_SECONDS = 10;
const SECONDS = 15;
const LOOK_MS = 50;

const found = findPostgres();
if ('missing' in found) throw new Error(found.missing);
const postgres = await startPostgres(found.bin);
const folder = await mkdtemp(join(tmpdir(), 'plumbline-bench-'));
const environment = { DATABASE_URL: postgres.url, PLUMBLINE_DATA: folder, LOG_LEVEL: 'warn' };

/** Runs a command. Peak memory is that of its own process, with its threads. */
async function run(...args: string[]): Promise<{ seconds: number; peakMb: number; text: string }> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['--max-semi-space-size=4', 'bin/plumbline.js', ...args], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let peakMb = 0;
  const looking = setInterval(() => (peakMb = Math.max(peakMb, peakMbOf(child.pid))), LOOK_MS);
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  let problem = '';
  child.stderr.on('data', (chunk: Buffer) => (problem = `${problem}${chunk}`.slice(-1000)));
  const code = await new Promise((resolve) => child.once('exit', resolve));
  clearInterval(looking);
  if (code !== 0) throw new Error(`plumbline ${args.join(' ')} ended with ${code}: ${problem}`);
  return {
    seconds: (performance.now() - startedAt) / 1000,
    peakMb,
    text: Buffer.concat(chunks).toString().trim(),
  };
}

/** 0 once the process has ended. */
function peakMbOf(pid: number | undefined): number {
  try {
    const [, kb] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kb ?? 0) / 1024;
  } catch {
    return 0;
  }
}

const HEADER =
  'record_id,parcel_id,address,city,state_code,postal_code,latitude,longitude,property_type,total_units,bedrooms,bathrooms,living_area,lot_size,year_built,num_stories';

function lineOf({ recordId, address, lat, lon, type, attributes: home }: Sale): string {
  const { street, city, stateCode, postalCode } = address;
  const place = [
    recordId,
    recordId,
    street,
    city,
    stateCode,
    postalCode,
    lat.toFixed(6),
    lon.toFixed(6),
    type,
  ];
  const { totalUnits, bedrooms, bathrooms, livingAreaSqft, lotSizeSqft, yearBuilt, stories } = home;
  const facts = [totalUnits, bedrooms, bathrooms, livingAreaSqft, lotSizeSqft, yearBuilt, stories];
  return [...place, ...facts.map((fact) => fact ?? '')].join(',');
}

/** Each home is a parcel; the first ones are sold once. */
function* linesOf(homes: readonly Sale[], kind: 'parcels' | 'sales'): Generator<string> {
  yield `${HEADER}${kind === 'sales' ? ',sale_date,sale_price' : ''}\n`;
  for (const home of homes) {
    const sold = kind === 'sales' ? `,${formatDay(home.soldOn)},${home.priceUsd}` : '';
    yield `${lineOf(home)}${sold}\n`;
  }
}

const nameOf = (market: number) => `m${String(market).padStart(3, '0')}`;

/** Rows and seconds of the three steps, of all markets together. */
const steps = { parcels: [0, 0], sales: [0, 0], training: [0, 0] };

function report(
  what: string,
  rows: number,
  { seconds, peakMb }: { readonly seconds: number; readonly peakMb?: number },
): void {
  const rate = Math.round(rows / seconds).toLocaleString('en-US');
  console.log(
    `${what}: ${seconds.toFixed(1)} s, ${rate} rows a second${peakMb === undefined ? '' : `, ${Math.round(peakMb)} MB at most`}`,
  );
}

async function loadMarket(market: number): Promise<string[]> {
  const homes = syntheticSales(parcels, market + 1, {
    lat: 35 + 0.5 * Math.floor(market / 10),
    lon: -100 + 0.5 * (market % 10),
    homesOfCity: parcels,
  });
  for (const [kind, rows] of [
    ['parcels', homes],
    ['sales', homes.slice(0, sales)],
  ] as const) {
    const path = join(folder, `${kind}.csv`);
    await pipeline(Readable.from(linesOf(rows, kind)), createWriteStream(path));
    const imported = await run('import', kind, path, '--market', nameOf(market));
    report(`${nameOf(market)} import ${kind}`, rows.length, imported);
    steps[kind][0] += rows.length;
    steps[kind][1] += imported.seconds;
  }
  const trained = await run('train', '--market', nameOf(market), '--as-of', VALUE_DATE);
  report(`${nameOf(market)} train`, sales, trained);
  steps.training[0] += sales;
  steps.training[1] += trained.seconds;
  const every = Math.floor(parcels / BODIES);
  return Array.from({ length: BODIES }, (_, i) => bodyOf(homes[i * every]));
}

function bodyOf({ lat, lon, attributes }: Sale): string {
  return JSON.stringify({
    location: { latitude: lat, longitude: lon },
    search_params: { date: VALUE_DATE, num_comps: 5 },
    property_fields: { total_bedrooms: attributes.bedrooms, total_bathrooms: attributes.bathrooms },
  });
}

/** Bodies of markets in turn, or by 1/rank: half of the requests then ask for the first two of ten markets. */
function mixOf(bodies: readonly (readonly string[])[], isEven: boolean): string[] {
  return bodies.flatMap((own, rank) => own.slice(0, isEven ? BODIES : Math.ceil(BODIES / (rank + 1))));
}

const startServing = () =>
  startServer((port) => ({
    args: ['--max-semi-space-size=4', 'bin/plumbline.js', 'serve'],
    environment: { ...environment, PORT: String(port), JOB_THREADS: '0' },
  }));

async function serve(key: string, bodies: readonly (readonly string[])[], processes: number): Promise<void> {
  const servers: Awaited<ReturnType<typeof startServing>>[] = [];
  try {
    // One after the other, as in a rolling start.
    while (servers.length < processes) servers.push(await startServing());
    await measureServing(servers, key, bodies);
    await compareResponses(servers, key, bodies);
  } finally {
    await Promise.all(servers.map(({ stop }) => stop()));
  }
}

type Servers = readonly Awaited<ReturnType<typeof startServing>>[];

async function measureServing(
  servers: Servers,
  key: string,
  bodies: readonly (readonly string[])[],
): Promise<void> {
  for (const isEven of [true, false]) {
    const send = (seconds: number) =>
      Promise.all(
        servers.map(({ url }) =>
          generate({
            url: `${url}/v1/avm/property`,
            apiKey: key,
            connections: CONNECTIONS / servers.length,
            seconds,
            pace: null,
            bodies: mixOf(bodies, isEven),
          }),
        ),
      );
    await send(WARM_UP_SECONDS);
    const loads = await send(SECONDS);
    const perSecond = loads.reduce((sum, load) => sum + load.perSecond, 0);
    const [p50, p99] = [
      Math.max(...loads.map((load) => load.p50Ms)),
      Math.max(...loads.map((load) => load.p99Ms)),
    ];
    const failures = loads.reduce((sum, load) => sum + load.failures, 0);
    const mix = isEven ? 'even' : 'skewed';
    const memory = servers.map(({ pid }) => Math.round(peakMbOf(pid))).join(' + ');
    console.log(
      `serving, ${formatMany(servers.length, 'process', 'processes')}, ${mix}: ${Math.round(perSecond)} a second, p50 ${p50} ms, p99 ${p99} ms, ${failures} failures, ${memory} MB`,
    );
  }
}

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Every process must answer with the same bytes but for ids. */
async function compareResponses(
  servers: Servers,
  key: string,
  bodies: readonly (readonly string[])[],
): Promise<void> {
  const asked = bodies.flatMap((own) => own.slice(0, 5));
  let different = 0;
  for (const body of asked) {
    const responses = await Promise.all(
      servers.map(async ({ url }) => {
        const headers = { 'content-type': 'application/json', 'x-api-key': key };
        const response = await fetch(`${url}/v1/avm/property`, { method: 'POST', headers, body });
        const text = await response.text();
        if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`);
        return text.replaceAll(ID, '');
      }),
    );
    if (new Set(responses).size > 1) different++;
  }
  console.log(
    `responses of ${formatMany(servers.length, 'process', 'processes')}: ${different} of ${asked.length} differ`,
  );
}

try {
  console.log(
    `${markets} markets of ${parcels} parcels and ${sales} sales on PostgreSQL; ${availableParallelism()} cores`,
  );
  const bodies: string[][] = [];
  for (let market = 0; market < markets; market++) bodies.push(await loadMarket(market));
  for (const [what, [rows, seconds]] of Object.entries(steps)) {
    report(`all ${what}`, rows, { seconds });
  }
  if (process.env.SWEEP !== '0') {
    const out = join(folder, 'values.parquet');
    const swept = await run('sweep', '--market', nameOf(0), '--as-of', VALUE_DATE, '--out', out);
    report('sweep of the first market', parcels, swept);
  }
  const { text: key } = await run('keys', 'create', '--name', 'bench');
  for (const processes of [1, 4]) await serve(key, bodies, processes);
} finally {
  postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
