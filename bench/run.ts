/**
 * Measures speed in one run, on a synthetic market of 50,000 sales and one of 30,000 listings:
 *
 *   npm run bench                 everything, about four minutes
 *   npm run bench -- --json       the same as JSON
 *
 * It measures training, loading, an import, one valuation in the engine, and valuations over HTTP relative to a bare
 * node:http server that echoes bodies of the same size in the same run. Only that ratio can be compared
 * between machines.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fitInThreads } from '../src/operations/training/fit-pool.ts';
import { buildSaleColumns } from '../src/valuation/columns/build-columns.ts';
import type { SaleColumns } from '../src/valuation/columns/sale-columns.ts';
import { bindTrained, trainMarket } from '../src/valuation/train-market.ts';
import type { TrainedMarket } from '../src/valuation/trained-market.ts';
import { measureLoad, measureValuations } from './speed/engine.ts';
import { measureGeneratedImport } from './speed/generated-import.ts';
import { load, startServer } from './speed/http.ts';
import { LISTINGS, measureRentals } from './speed/rentals.ts';
import { requestsOf, saveMarket } from './speed/serving.ts';
import { LAST_DAY, syntheticSales } from './speed/synthetic-market.ts';

const SALES = 50_000;
/** For 3,000,000 see bench/import.ts. */
const IMPORTED_SALES = 20_000;

function bodiesOf(columns: SaleColumns, numComps: number, isTerse = false): string[] {
  return requestsOf(columns, numComps, { isTerse }).map((request) => JSON.stringify(request));
}

async function measureHttp(columns: SaleColumns, trained: TrainedMarket) {
  const dataDir = await mkdtemp(join(tmpdir(), 'plumbline-bench-'));
  try {
    const key = await saveMarket({ databaseUrl: null, dataDir }, columns, trained);
    const bodies = bodiesOf(columns, 0);
    const service = await startServer((port) => ({
      args: ['bin/plumbline.js', 'serve'],
      environment: { PLUMBLINE_DATA: dataDir, PORT: String(port), LOG_LEVEL: 'warn', DATABASE_URL: '' },
    }));
    const url = `${service.url}/v1/avm/property`;
    const sample = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: bodies[0],
    });
    const responseBytes = (await sample.arrayBuffer()).byteLength;
    if (!sample.ok) throw new Error(`the service answered ${sample.status}`);
    const valuations = await load(url, bodies, key);
    const withComparables = await load(url, bodiesOf(columns, 5), key);
    const withoutRecord = await load(url, bodiesOf(columns, 0, true), key);
    await service.stop();
    const echo = await startServer((port) => ({
      args: ['bench/speed/echo-server.ts', String(responseBytes), String(port)],
      environment: {},
    }));
    const bare = await load(echo.url, bodies, key);
    await echo.stop();
    return { responseBytes, valuations, withComparables, withoutRecord, bare };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

const columns = buildSaleColumns(syntheticSales(SALES), { recordingLagDays: 14 });
const started = performance.now();
const trained = await trainMarket(columns, LAST_DAY, {}, undefined, fitInThreads(availableParallelism()));
const trainSeconds = (performance.now() - started) / 1000;
const market = bindTrained(trained, columns);
const report = {
  sales: SALES,
  threads: availableParallelism(),
  train_seconds: trainSeconds,
  load: measureLoad(columns, trained),
  valuation_complete: measureValuations(market, 0, false),
  valuation_complete_5_comps: measureValuations(market, 5, false),
  valuation_only_beds_and_baths: measureValuations(market, 0, true),
  rentals: { listings: LISTINGS, ...(await measureRentals(availableParallelism())) },
  import: await measureGeneratedImport(IMPORTED_SALES),
  http: await measureHttp(columns, trained),
};

if (process.argv.includes('--json')) {
  console.log(JSON.stringify(report, null, 2));
} else {
  const ms = ({ p50Ms, p99Ms }: { p50Ms: number; p99Ms: number }): string =>
    `p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`;
  const { http, rentals } = report;
  console.log(`market of ${SALES.toLocaleString('en-US')} sales, ${report.threads} threads`);
  console.log(`train                          ${trainSeconds.toFixed(1)} s`);
  console.log(
    `load snapshot and model        ${report.load.ms.toFixed(0)} ms ` +
      `(${(report.load.snapshotBytes / 1e6).toFixed(1)} + ${(report.load.modelBytes / 1e6).toFixed(1)} MB)`,
  );
  console.log(
    `import of ${IMPORTED_SALES.toLocaleString('en-US')} sales         ${report.import.cpu_seconds.toFixed(1)} s of CPU time`,
  );
  console.log(`one valuation, complete        ${ms(report.valuation_complete)}`);
  console.log(`  with 5 comparables           ${ms(report.valuation_complete_5_comps)}`);
  console.log(`  only bedrooms and bathrooms  ${ms(report.valuation_only_beds_and_baths)}`);
  console.log(`rents of 100 units, different  ${ms(rentals.different)} (goal: 50 ms)`);
  console.log(`  with ten comparables         ${ms(rentals.withComparables)} (goal: 50 ms)`);
  console.log(`  sizes unknown, 40 kinds      ${ms(rentals.withoutSizes)}`);
  console.log(`  all alike                    ${ms(rentals.alike)}`);
  for (const [name, { measured, goal }] of Object.entries({
    'HTTP, known record': { measured: http.valuations, goal: '0.10' },
    '  with 5 comparables': { measured: http.withComparables, goal: '0.08' },
    '  no record, 15 variants': { measured: http.withoutRecord, goal: '0.05' },
  })) {
    console.log(
      `${name.padEnd(31)}${measured.perSecond.toFixed(0)}/s at 32 connections, ${ms(measured)}, ` +
        `${measured.failures} failures, ratio ${(measured.perSecond / http.bare.perSecond).toFixed(3)} (goal: ${goal})`,
    );
  }
  console.log(`bare node:http echo            ${http.bare.perSecond.toFixed(0)}/s, ${ms(http.bare)}`);
}
