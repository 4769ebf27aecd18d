import { seededRandom } from '../../../src/valuation/random.ts';
import type { BuildingSales } from '../../../src/valuation/multifamily/building-sales.ts';

/**
 * Sales in a made-up market: a building sells for `multiplier` times its annual rent, and each figure has its
 * own noise (ln USD).
 */
export interface MadeUpMarket {
  readonly n: number;
  readonly multiplier: number;
  readonly priceNoise: number;
  readonly salesNoise: number;
  readonly rentNoise: number;
  /** The rise of ln multipliers from the south to the north of the market. */
  readonly northward?: number;
  readonly seed?: number;
}

export function madeUpSales(market: MadeUpMarket): BuildingSales {
  const { n, multiplier, priceNoise, salesNoise, rentNoise, northward = 0, seed = 1 } = market;
  const random = seededRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const column = () => new Float64Array(n);
  const sales = {
    n,
    trainedOn: 19_000,
    parcel: Int32Array.from({ length: n }, (_, i) => i),
    lat: column(),
    lon: column(),
    units: column(),
    yearBuilt: column(),
    condition: column().fill(NaN),
    bedrooms: column(),
    logPrice: column(),
    logSalesValue: column(),
    logAnnualRent: column(),
    rentLogSd: column().fill(rentNoise),
  };
  for (let i = 0; i < n; i++) {
    sales.lat[i] = 43 + 0.1 * random();
    sales.lon[i] = -88 + 0.1 * random();
    sales.units[i] = i % 3 === 0 ? 5 + Math.floor(40 * random()) : 2 + Math.floor(3 * random());
    sales.yearBuilt[i] = 1900 + Math.floor(110 * random());
    sales.bedrooms[i] = 2 * sales.units[i];
    const logRent = Math.log(sales.units[i] * 13_000) + 0.2 * normal();
    const logValue = logRent + Math.log(multiplier) + northward * (10 * (sales.lat[i] - 43) - 0.5);
    sales.logAnnualRent[i] = logRent + rentNoise * normal();
    sales.logPrice[i] = logValue + priceNoise * normal();
    sales.logSalesValue[i] = logValue + salesNoise * normal();
  }
  return sales;
}
