/**
 * First response of a market that is not in memory: two markets in one server whose MARKET_MEMORY holds only one of them are
 * requested in turns, and each response is compared with the next one of the same market.
 *
 *   node bench/cold-market.ts DATA_FOLDER API_KEY MEMORY_MB ADDRESS ADDRESS_OF_OTHER_MARKET
 *
 * MEMORY_MB is less than both markets take, and not less than the larger one (market_memory_bytes of /metrics). On a busy
 * machine only the CPU time of the server counts. Linux only: it reads /proc.
 */
import { serveFolder, timeValue } from './speed/serve-folder.ts';

const TURNS = 8;
const [dataDir, key, memoryMb, ...addresses] = process.argv.slice(2);
if (addresses.length !== 2)
  throw new Error('Name a data folder, an API key, MB and an address of each market.');

const server = await serveFolder(dataDir, { MARKET_MEMORY: memoryMb });

interface Spent {
  readonly ms: number;
  readonly cpuMs: number;
}

async function valueHome(address: string): Promise<Spent> {
  const cpuBefore = server.cpuMs();
  const { ms } = await timeValue(server.url, key, { address });
  return { ms, cpuMs: server.cpuMs() - cpuBefore };
}

function listSorted(values: readonly number[]): string {
  return values
    .toSorted((a, b) => a - b)
    .map((value) => value.toFixed(0))
    .join(' ');
}

function report(name: string, spent: readonly Spent[]): void {
  console.log(`${name}: ms ${listSorted(spent.map(({ ms }) => ms))}`);
  console.log(`${' '.repeat(name.length)}  CPU ${listSorted(spent.map((each) => each.cpuMs))}`);
}

const responses = addresses.map((address) => ({
  address,
  first: new Array<Spent>(),
  next: new Array<Spent>(),
}));
for (let turn = 0; turn < TURNS; turn += 1) {
  for (const { address, first, next } of responses) {
    first.push(await valueHome(address));
    next.push(await valueHome(address));
  }
}
for (const { address, first, next } of responses) {
  report(`${address}, first responses`, first);
  report(`${address}, next responses`, next);
}
await server.stop();
