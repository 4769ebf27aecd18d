/**
 * Measures the in-memory point index: `node bench/geo.ts [points]`. Points are uniform over 100 × 100 miles
 * (a large county), so a circle of r miles contains about points · πr² / 10,000.
 */
import { performance } from 'node:perf_hooks';
import { milesPerDegree } from '../src/geo/distance.ts';
import { buildPointIndex, forEachWithin, nearest } from '../src/geo/point-index.ts';
import { seededRandom } from '../src/valuation/random.ts';

const CENTER = { lat: 43, lon: -88 };
const HALF_WIDTH_MI = 50;

export function runGeoBench(points: number): void {
  const random = seededRandom(1);
  const scale = milesPerDegree(CENTER.lat);
  const draw = (): [number, number] => [
    CENTER.lat + ((random() * 2 - 1) * HALF_WIDTH_MI) / scale.lat,
    CENTER.lon + ((random() * 2 - 1) * HALF_WIDTH_MI) / scale.lon,
  ];
  const lat = new Float64Array(points);
  const lon = new Float64Array(points);
  for (let i = 0; i < points; i++) [lat[i], lon[i]] = draw();
  const started = performance.now();
  const index = buildPointIndex(lat, lon);
  console.log(`build ${points.toLocaleString('en')} points: ${(performance.now() - started).toFixed(0)} ms`);

  for (const radiusMi of [0.05, 0.25, 1, 5]) {
    let hits = 0;
    let circles = 0;
    const us = microsecondsPer(() => {
      const [atLat, atLon] = draw();
      forEachWithin(index, atLat, atLon, radiusMi, () => hits++);
      circles++;
    });
    console.log(`within ${radiusMi} mi: ${us.toFixed(1)} µs, ${(hits / circles).toFixed(1)} points found`);
  }
  for (const k of [1, 20, 100]) {
    const us = microsecondsPer(() => nearest(index, ...draw(), k));
    console.log(`nearest ${k}: ${us.toFixed(1)} µs`);
    const few = microsecondsPer(() => nearest(index, ...draw(), k, (row) => row % 20 === 0));
    console.log(`nearest ${k} of every 20th point: ${few.toFixed(1)} µs`);
  }
}

/** Mean time of a call over about half a second, after a warm-up half as long. */
function microsecondsPer(call: () => void): number {
  const timeFor = (milliseconds: number): number => {
    const started = performance.now();
    let runs = 0;
    for (; performance.now() - started < milliseconds; runs++) call();
    return ((performance.now() - started) * 1000) / runs;
  };
  timeFor(250);
  return timeFor(500);
}

if (import.meta.main) {
  const sizes = process.argv[2] ? [Number(process.argv[2])] : [50_000, 1_000_000];
  for (const points of sizes) runGeoBench(points);
}
