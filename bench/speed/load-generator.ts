/**
 * Sends requests to a server for a limited time and prints the latencies. It is a separate process, because
 * otherwise the garbage collections of a heap that contains a market would count as the server's. Reads a
 * LoadOrder from its standard input.
 */
import { text } from 'node:stream/consumers';
import autocannon from 'autocannon';

export interface LoadOrder {
  readonly url: string;
  readonly apiKey: string;
  readonly connections: number;
  readonly seconds: number;
  /** Requests started per second, however long responses take; null = as many as are answered. */
  readonly pace: number | null;
  readonly bodies: readonly string[];
}

export interface Throughput {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failures: number;
}

const order: LoadOrder = JSON.parse(await text(process.stdin));
const { url, apiKey, connections, seconds, pace, bodies } = order;
const requests = bodies.map((body) => ({ method: 'POST' as const, body }));
let begun = 0;
const result = await autocannon({
  url,
  connections,
  duration: seconds,
  ...(pace === null ? {} : { overallRate: pace }),
  headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
  requests,
  // If all connections started with the same body they would stay in step, and send the 32 most expensive
  // homes at the same time.
  setupClient: (client) => {
    const first = Math.floor((begun++ * requests.length) / connections) % requests.length;
    client.setRequests([...requests.slice(first), ...requests.slice(0, first)]);
  },
});
const throughput: Throughput = {
  perSecond: result.requests.average,
  p50Ms: result.latency.p50,
  p99Ms: result.latency.p99,
  failures: result.errors + result.non2xx,
};
console.log(JSON.stringify(throughput));
