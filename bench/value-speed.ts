/**
 * Compares the time of one value in the engine between two checkouts of this repository, which take turns in one
 * process, and counts the values that differ:
 *
 *   node bench/value-speed.ts --before ../before --market wi-milwaukee --as-of 2022-12-31
 *
 * Both must be able to read the market's model of that date. About a minute. CPU time includes garbage collection in
 * other threads. Nothing is written, but with `--flame FOLDER` a flame graph of each checkout: value-before.svg and
 * value-now.svg, of values with 5 comparables.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { withStore } from '../src/cli/configured-store.ts';
import { parseDay } from '../src/domain/day.ts';
import { attributesOf } from '../src/domain/property.ts';
import { getBlob } from '../src/store/blobs.ts';
import { homeOfSale } from '../src/valuation/columns/sale-columns.ts';
import type { Home } from '../src/valuation/subject.ts';
import { openSampledMarket } from './plausibility/sampling.ts';
import { latencyOf } from './speed/engine.ts';
import { drawFlameGraph, profileOf } from './speed/flame-graph.ts';

const BLOCK = 25;
const BLOCKS = 40;
const WARM_UP = 8;

const CASES = [
  { name: 'known record', isTerse: false, numComps: 0 },
  { name: 'only bedrooms and baths', isTerse: true, numComps: 0 },
  { name: 'known record, 5 comparables', isTerse: false, numComps: 5 },
  { name: 'known record, 20 comparables', isTerse: false, numComps: 20 },
] as const;

const { values: options } = parseArgs({
  options: {
    before: { type: 'string' },
    market: { type: 'string' },
    'as-of': { type: 'string' },
    flame: { type: 'string' },
  },
});
const asOf = parseDay(options['as-of'] ?? '');
const { before, market: marketId } = options;
if (!before || !marketId || asOf === null)
  throw new Error('give --before CHECKOUT, --market ID and --as-of YYYY-MM-DD');

const { columns, snapshot, model } = await withStore(async (store) => {
  const sampled = await openSampledMarket(store, marketId, asOf);
  if (sampled === null) throw new Error(`${marketId} has no sales`);
  return {
    columns: sampled.columns,
    snapshot: await getBlob(store, sampled.snapshotSha256),
    model: await getBlob(store, sampled.modelSha256),
  };
});

/** The engine of a checkout, bound to the market. */
async function openEngine(checkout: URL) {
  const at = (path: string) => new URL(`src/valuation/${path}`, checkout).href;
  const snapshots: typeof import('../src/valuation/columns/snapshots.ts') = await import(
    at('columns/snapshots.ts')
  );
  const trained: typeof import('../src/valuation/trained-market.ts') = await import(at('trained-market.ts'));
  const market: typeof import('../src/valuation/train-market.ts') = await import(at('train-market.ts'));
  const engine: typeof import('../src/valuation/value-home.ts') = await import(at('value-home.ts'));
  const bound = market.bindTrained(trained.decodeTrained(model), snapshots.decodeColumns(snapshot));
  const times: number[] = [];
  return { bound, valueHome: engine.valueHome, cpuMs: 0, times };
}

type Engine = Awaited<ReturnType<typeof openEngine>>;

/** The home of a row, with its record or with what a request must state. */
function homeOf(row: number, isTerse: boolean): Home {
  const home = homeOfSale(columns, row);
  if (!isTerse) return home;
  const { bedrooms, bathrooms } = home.attributes;
  return { ...home, parcelId: null, features: {}, attributes: attributesOf({ bedrooms, bathrooms }) };
}

function valueBlock(engine: Engine, homes: readonly Home[], numComps: number): number[] {
  const moment = { asOf: asOf ?? 0, knownBy: asOf ?? 0 };
  const listed = { numComps, radiusMi: 5, lookbackMonths: null };
  const started = process.cpuUsage();
  const points = homes.map((home) => {
    const from = performance.now();
    const { estimate } = engine.valueHome(engine.bound, home, {}, moment, listed);
    engine.times.push(performance.now() - from);
    return estimate.pointUsd;
  });
  const { user, system } = process.cpuUsage(started);
  engine.cpuMs += (user + system) / 1000;
  return points;
}

const engines = [
  await openEngine(new URL(`${before}/`, `file://${process.cwd()}/`)),
  await openEngine(new URL('../', import.meta.url)),
];
console.log('| one value | before: CPU | p50 | now: CPU | p50 | CPU now / before | values that differ |');
console.log('| --- | --- | --- | --- | --- | --- | --- |');
const homesOfBlock = (block: number, isTerse: boolean) =>
  Array.from({ length: BLOCK }, (_, i) => homeOf(((block * BLOCK + i) * 7919) % columns.n, isTerse));
for (const { name, isTerse, numComps } of CASES) {
  let differing = 0;
  for (let block = 0; block < WARM_UP + BLOCKS; block++) {
    if (block === WARM_UP) for (const engine of engines) Object.assign(engine, { cpuMs: 0, times: [] });
    const homes = homesOfBlock(block, isTerse);
    const order = block % 2 === 0 ? engines : engines.toReversed();
    const [some, others] = order.map((engine) => valueBlock(engine, homes, numComps));
    differing += some.filter((point, i) => point !== others[i]).length;
  }
  const n = BLOCK * BLOCKS;
  const cells = engines.flatMap(({ cpuMs, times }) => [
    `${(cpuMs / n).toFixed(2)} ms`,
    `${latencyOf(times).p50Ms.toFixed(2)} ms`,
  ]);
  const ratio = (engines[1].cpuMs / engines[0].cpuMs).toFixed(2);
  console.log(`| ${[name, ...cells, ratio, differing].join(' | ')} |`);
}
if (options.flame !== undefined) {
  for (const [i, engine] of engines.entries()) {
    const profile = await profileOf(() => {
      for (let block = 0; block < BLOCKS; block++) valueBlock(engine, homesOfBlock(block, false), 5);
    });
    const when = i === 0 ? 'before' : 'now';
    const svg = drawFlameGraph(profile, 'valueHome', `One value with 5 comparables, ${when}`);
    writeFileSync(join(options.flame, `value-${when}.svg`), svg);
  }
}
