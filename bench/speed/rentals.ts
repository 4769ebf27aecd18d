import { fitInThreads } from '../../src/operations/training/fit-pool.ts';
import { buildRentColumns } from '../../src/valuation/columns/build-columns.ts';
import { homeOfSale } from '../../src/valuation/columns/sale-columns.ts';
import { valueUnits, type RentalUnit } from '../../src/valuation/rental/value-units.ts';
import { bindTrained, trainMarket, type BoundMarket } from '../../src/valuation/train-market.ts';
import { NO_COMPARABLES, type ListedComparables } from '../../src/valuation/value-home.ts';
import { latencyOf, type Latency } from './engine.ts';
import { LAST_DAY } from './synthetic-market.ts';
import { syntheticRents } from './synthetic-rents.ts';

/** A city's listings of three years; New York's file of three months has as many. */
export const LISTINGS = 30_000;
const UNITS = 100;
const BUILDINGS = 200;
const WARM_UP = 30;

interface RentalSpeed {
  readonly trainSeconds: number;
  /** 100 different units of one building, sizes known. */
  readonly different: Latency;
  /** The same with ten comparables for the building. */
  readonly withComparables: Latency;
  /** The same with unknown sizes: 40 kinds of unit by bedrooms, bathrooms and furnishing. */
  readonly withoutSizes: Latency;
  /** 100 identical units. */
  readonly alike: Latency;
}

/** Rents of 100 units of a building in the engine, for buildings across a synthetic market. */
export async function measureRentals(threads: number): Promise<RentalSpeed> {
  const columns = buildRentColumns(syntheticRents(LISTINGS));
  const started = performance.now();
  const trained = await trainMarket(columns, LAST_DAY, {}, undefined, fitInThreads(threads));
  const trainSeconds = (performance.now() - started) / 1000;
  const market = bindTrained(trained, columns);
  const kindOf = (u: number): RentalUnit => ({
    bedrooms: u % 5,
    bathrooms: 1 + (Math.floor(u / 5) % 4) / 2,
    sizeSqft: null,
    isFurnished: Math.floor(u / 20) % 2 === 1,
  });
  const ofOwnSize = (u: number): RentalUnit => ({ ...kindOf(u), sizeSqft: 400 + 11 * u });
  return {
    trainSeconds,
    different: measure(market, ofOwnSize),
    withComparables: measure(market, ofOwnSize, { ...NO_COMPARABLES, numComps: 10 }),
    withoutSizes: measure(market, kindOf),
    alike: measure(market, () => ({ ...kindOf(2), sizeSqft: 800 })),
  };
}

function measure(
  market: BoundMarket,
  unitAt: (u: number) => RentalUnit,
  listed: ListedComparables = NO_COMPARABLES,
): Latency {
  const units = Array.from({ length: UNITS }, (_, u) => unitAt(u));
  const moment = { asOf: LAST_DAY, knownBy: LAST_DAY };
  const times: number[] = [];
  for (let i = 0; i < WARM_UP + BUILDINGS; i++) {
    const building = homeOfSale(market.columns, (i * 7919) % market.columns.n);
    const from = performance.now();
    valueUnits(market, building, units, {}, moment, listed);
    if (i >= WARM_UP) times.push(performance.now() - from);
  }
  return latencyOf(times);
}
