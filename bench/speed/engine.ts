import type { Home } from '../../src/valuation/subject.ts';
import { homeOfSale, type SaleColumns } from '../../src/valuation/columns/sale-columns.ts';
import { encodeColumns, decodeColumns } from '../../src/valuation/columns/snapshots.ts';
import { valueHome } from '../../src/valuation/value-home.ts';
import { bindTrained, type BoundMarket } from '../../src/valuation/train-market.ts';
import { decodeTrained, encodeTrained, type TrainedMarket } from '../../src/valuation/trained-market.ts';
import { LAST_DAY } from './synthetic-market.ts';

const VALUATIONS = 3000;
const WARM_UP = 500;

export interface Latency {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** One complete valuation in the engine, for homes across the market. */
export function measureValuations(market: BoundMarket, numComps: number, isTerse: boolean): Latency {
  const times: number[] = [];
  for (let i = 0; i < WARM_UP + VALUATIONS; i++) {
    const home = homeOf(market.columns, (i * 7919) % market.columns.n, isTerse);
    const moment = { asOf: LAST_DAY, knownBy: LAST_DAY };
    const from = performance.now();
    valueHome(market, home, {}, moment, { numComps, radiusMi: 5, lookbackMonths: null });
    if (i >= WARM_UP) times.push(performance.now() - from);
  }
  return latencyOf(times);
}

export function latencyOf(times: number[]): Latency {
  times.sort((a, b) => a - b);
  return { p50Ms: times[times.length >> 1], p99Ms: times[Math.floor(0.99 * times.length)] };
}

/** Complete: all recorded attributes. Terse: only the required ones. */
function homeOf(columns: SaleColumns, row: number, isTerse: boolean): Home {
  const home = { ...homeOfSale(columns, row), parcelId: null };
  if (!isTerse) return home;
  const { attributes } = home;
  const unknown = Object.fromEntries(Object.keys(attributes).map((name) => [name, null]));
  return {
    ...home,
    attributes: { ...attributes, ...unknown, bedrooms: attributes.bedrooms, bathrooms: attributes.bathrooms },
  };
}

/** From stored bytes to a bound market: what a server does once per market. */
export function measureLoad(columns: SaleColumns, trained: TrainedMarket) {
  const snapshot = encodeColumns(columns);
  const model = encodeTrained(trained);
  const from = performance.now();
  const decoded = decodeColumns(snapshot);
  const bound = bindTrained(decodeTrained(model), decoded);
  const ms = performance.now() - from;
  return { ms, snapshotBytes: snapshot.length, modelBytes: model.length, sales: bound.columns.n };
}
