import { distanceMi } from '../../geo/distance.ts';
import { median } from '../medians.ts';
import { bracketOf, MULTIFAMILY, MULTIPLIER } from './multifamily-constants.ts';
import type { BuildingSales } from './building-sales.ts';

/** What a multiplier depends on. NaN = unknown. */
export interface BuildingPlace {
  readonly lat: number;
  readonly lon: number;
  readonly units: number;
  readonly yearBuilt: number;
  /** Parcel code, whose own sales never count; −1 = none. */
  readonly parcel: number;
}

/** Ln of price / annual gross rent at a building, and its standard deviation nearby. */
export interface LogMultiplier {
  readonly logValue: number;
  readonly logSd: number;
}

export function placeOfSale(sales: BuildingSales, i: number): BuildingPlace {
  return {
    lat: sales.lat[i],
    lon: sales.lon[i],
    units: sales.units[i],
    yearBuilt: sales.yearBuilt[i],
    parcel: sales.parcel[i],
  };
}

/**
 * Gross rent multiplier: the market's mean of ln(price / annual rent), to which the bracket's mean
 * is shrunk, to which the mean of the neighbors (in place, ln units and age) is shrunk. Ratios are
 * clipped.
 */
export function createMultiplier(sales: BuildingSales): (building: BuildingPlace) => LogMultiplier {
  const ratio = clipped(sales.logPrice.map((log, i) => log - sales.logAnnualRent[i]));
  const bracket = Array.from(sales.units, bracketOf);
  const unitMi = unitOfPlace(sales);
  return (building) => {
    const own = bracketOf(building.units);
    const all = { n: 0, sum: 0 };
    const alike = { n: 0, sum: 0 };
    const near = { n: 0, sum: 0, squares: 0 };
    for (let i = 0; i < sales.n; i++) {
      if (sales.parcel[i] === building.parcel) continue;
      const weight = nearness(sales, i, building, unitMi);
      all.n++;
      all.sum += ratio[i];
      near.n += weight;
      near.sum += weight * ratio[i];
      near.squares += weight * ratio[i] ** 2;
      if (bracket[i] !== own) continue;
      alike.n++;
      alike.sum += ratio[i];
    }
    const market = all.sum / all.n;
    const ofBracket = (alike.sum + MULTIPLIER.bracketPrior * market) / (alike.n + MULTIPLIER.bracketPrior);
    const mean = near.sum / near.n;
    return {
      logValue: (near.sum + MULTIPLIER.localPrior * ofBracket) / (near.n + MULTIPLIER.localPrior),
      logSd: Math.sqrt(Math.max(0, near.squares / near.n - mean ** 2)),
    };
  };
}

/**
 * Weight of a sale: 1 for an identical building at the same place, halved by one unit of any
 * difference. Unknown ages count as equal.
 */
function nearness(sales: BuildingSales, i: number, building: BuildingPlace, unitMi: number): number {
  const miles = distanceMi(sales.lat[i], sales.lon[i], building.lat, building.lon);
  const years = sales.yearBuilt[i] - building.yearBuilt;
  const logUnits = Math.log(sales.units[i] / building.units);
  return (
    1 /
    (1 +
      (miles / (MULTIPLIER.placeUnits * unitMi)) ** 2 +
      (logUnits / MULTIPLIER.logUnits) ** 2 +
      (Number.isNaN(years) ? 0 : (years / MULTIPLIER.years) ** 2))
  );
}

function clipped(ratio: Float64Array): Float64Array {
  const center = median(Array.from(ratio));
  const { ratioClip } = MULTIFAMILY;
  return ratio.map((log) => Math.min(center + ratioClip, Math.max(center - ratioClip, log)));
}

function unitOfPlace({ n, lat, lon }: BuildingSales): number {
  const step = Math.max(1, Math.floor(n / MULTIPLIER.unitSample));
  const distances: number[] = [];
  for (let i = 0; i < n; i += step) {
    const sorted = Float64Array.from(lat, (_, j) => distanceMi(lat[i], lon[i], lat[j], lon[j])).sort();
    distances.push(sorted[Math.min(n - 1, MULTIPLIER.unitNeighbors)]);
  }
  return Math.max(MULTIPLIER.minUnitMi, median(distances));
}
