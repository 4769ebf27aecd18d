/**
 * Reads one URL over and over with several connections, as fast as the service allows, and prints how it was answered.
 * A process of its own, so that reading takes no time of what is measured. Reads a ReadOrder from its standard input.
 */
import { Agent, get } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ReadOrder {
  readonly url: string;
  readonly apiKey: string;
  readonly connections: number;
  readonly seconds: number;
}

export interface ReadCounts {
  /** Responses read to their end. */
  readonly whole: number;
  readonly megabytes: number;
  /** Rejected with 429. */
  readonly limited: number;
  /** Rejected with 503. */
  readonly unavailable: number;
}

const LIMITED_WAIT_MS = 50;

const { url, apiKey, connections, seconds }: ReadOrder = JSON.parse(await text(process.stdin));
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const until = performance.now() + seconds * 1000;
const counts = { whole: 0, bytes: 0, limited: 0, unavailable: 0 };

function readOnce(): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers: { 'x-api-key': apiKey } }, (response) => {
      response.on('data', (chunk: Buffer) => void (counts.bytes += chunk.length));
      response.on('end', () => resolve(response.statusCode ?? 0));
      response.on('error', reject);
    });
    request.on('error', reject);
  });
}

async function readOn(): Promise<void> {
  while (performance.now() < until) {
    const status = await readOnce();
    if (status === 200) counts.whole++;
    else if (status === 429) counts.limited++;
    else if (status === 503) counts.unavailable++;
    else throw new Error(`${url} answered ${status}`);
    if (status !== 200) await sleep(LIMITED_WAIT_MS);
  }
}

await Promise.all(Array.from({ length: connections }, readOn));
agent.destroy();
const { whole, bytes, limited, unavailable } = counts;
const report: ReadCounts = { whole, megabytes: Math.round(bytes / 1e6), limited, unavailable };
console.log(JSON.stringify(report));
