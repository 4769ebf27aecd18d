/**
 * Measures the speed of rents: 100 units of one building in the engine, on a synthetic market of 30,000
 * listings.
 *
 *   node bench/rents.ts           about a minute; also part of `npm run bench`
 *   node bench/rents.ts --json
 */
import { availableParallelism } from 'node:os';
import type { Latency } from './speed/engine.ts';
import { LISTINGS, measureRentals } from './speed/rentals.ts';

const speed = await measureRentals(availableParallelism());
if (process.argv.includes('--json')) {
  console.log(JSON.stringify({ listings: LISTINGS, ...speed }, null, 2));
} else {
  const ms = ({ p50Ms, p99Ms }: Latency): string => `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`;
  console.log(`market of ${LISTINGS.toLocaleString('en-US')} listings`);
  console.log(`train                          ${speed.trainSeconds.toFixed(1)} s`);
  console.log(`100 different units, sizes     ${ms(speed.different)} (goal: 50 ms)`);
  console.log(`  with ten comparables         ${ms(speed.withComparables)} (goal: 50 ms)`);
  console.log(`  sizes unknown, 40 kinds      ${ms(speed.withoutSizes)}`);
  console.log(`100 alike                      ${ms(speed.alike)}`);
}
