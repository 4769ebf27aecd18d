/**
 * Resident memory of `plumbline serve` on a data folder, ten seconds after it is ready, and after a first valuation, with
 * the time of that, and the time of the first reports as PDF:
 *
 *   node bench/memory.ts DATA_FOLDER API_KEY ADDRESS [AS_OF]
 *
 * Linux only: it reads /proc.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { serveFolder, timeValue } from './speed/serve-folder.ts';

const SETTLE_MS = 10_000;
const TIMED_AGAIN = 5;

const [dataDir, key, address, date] = process.argv.slice(2);
if (address === undefined) throw new Error('Name a data folder, an API key and an address.');

const server = await serveFolder(dataDir, { MALLOC_ARENA_MAX: '2' });

function residentMb(): number {
  const [, kb] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kb) / 1024);
}

const valueHome = () => timeValue(server.url, key, { address, date });

async function reportMs(valuationId: string): Promise<number> {
  const startedAt = performance.now();
  const path = `/v1/valuations/${valuationId}/report?format=pdf&version=appraiser`;
  const response = await fetch(server.url + path, { headers: { 'x-api-key': key } });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`the service answered ${response.status}`);
  return performance.now() - startedAt;
}

await sleep(SETTLE_MS);
const atRest = residentMb();
const { ms: firstMs, valuationId } = await valueHome();
const again: number[] = [];
for (let i = 0; i < TIMED_AGAIN; i++) again.push((await valueHome()).ms);
console.log(`resident, ready for 10 s     ${atRest} MB`);
console.log(`resident, after valuations   ${residentMb()} MB`);
console.log(`first valuation              ${firstMs.toFixed(0)} ms`);
console.log(`later ones, fastest          ${Math.min(...again).toFixed(0)} ms`);
console.log(`first report as PDF          ${(await reportMs(valuationId)).toFixed(0)} ms`);
console.log(`second report                ${(await reportMs(valuationId)).toFixed(0)} ms`);
await server.stop();
