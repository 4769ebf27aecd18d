import { yearMonthOf } from '../../domain/day.ts';
import { distanceMi, milesPerDegree } from '../../geo/distance.ts';
import { buildPointIndex, nearest } from '../../geo/point-index.ts';
import { fitRidge, type Matrix } from '../linear-algebra.ts';
import { median } from '../order-statistics.ts';
import { rowAt, type RowOf } from '../typed-columns.ts';
import { expenseRatioOf, netShareOf, vacancyOf, type OperatorAssumptions } from './assumptions.ts';
import { BUILDING_COLUMNS, type BuildingSales } from './building-sales.ts';
import { bracketOf, MULTIFAMILY, MULTIPLIER, PRICE_LEVEL } from './multifamily-constants.ts';

/** What cap rates depend on: the members of a building sale known before it. NaN = unknown. */
export type IncomeBuilding = Omit<RowOf<typeof BUILDING_COLUMNS>, 'logPrice' | 'logSalesValue' | 'rentLogSd'>;

export type BuildingPlace = Pick<IncomeBuilding, 'parcel' | 'lat' | 'lon' | 'units' | 'yearBuilt'>;

/** Ln of price / annual gross rent at a building, and its standard deviation nearby. */
interface LogMultiplier {
  readonly logValue: number;
  readonly logSd: number;
}

/** Building sale `i`, whose own parcel's sales never count for it. */
export function incomeBuildingOfSale(sales: BuildingSales, i: number): IncomeBuilding {
  return rowAt(BUILDING_COLUMNS, sales, i);
}

/**
 * Gross rent multiplier: the market's mean of ln(price / annual rent), to which the bracket's mean
 * is shrunk, to which the mean of the neighbors (in place, ln units and age) is shrunk.
 */
export function createMultiplier(
  sales: BuildingSales,
  { grossRentMultiplier }: OperatorAssumptions,
): (building: BuildingPlace) => LogMultiplier {
  if (grossRentMultiplier !== null) {
    const { value, spread } = grossRentMultiplier;
    return () => ({ logValue: Math.log(value), logSd: spread / value });
  }
  const unclipped = sales.logPrice.map((log, i) => log - sales.logAnnualRent[i]);
  const ratio = unclipped.map(clipAround(unclipped));
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

function unitOfPlace({ n, lat, lon }: BuildingSales): number {
  const step = Math.max(1, Math.floor(n / MULTIPLIER.unitSample));
  const distances: number[] = [];
  for (let i = 0; i < n; i += step) {
    const sorted = Float64Array.from(lat, (_, j) => distanceMi(lat[i], lon[i], lat[j], lon[j])).sort();
    distances.push(sorted[Math.min(n - 1, MULTIPLIER.unitNeighbors)]);
  }
  return Math.max(MULTIPLIER.minUnitMi, median(distances));
}

/**
 * Direct capitalization: net income / cap rate. Cap rates are extracted from the same sales as
 * multipliers, by ridge regression on the buildings' attributes, rent per unit and price level of
 * the place. The sales' net incomes use the same assumptions as the building's. An operator's cap
 * rate replaces the regression.
 */
export function createCapitalization(sales: BuildingSales, operator: OperatorAssumptions) {
  const describe = createFeatures(sales);
  const buildings = Array.from({ length: sales.n }, (_, i) => incomeBuildingOfSale(sales, i));
  const rows = buildings.map(describe);
  const incomes = buildings.map((building) => netIncomeOf(sales, operator, building));
  const rates = incomes.map(({ logNetIncome }, i) => logNetIncome - sales.logPrice[i]);
  const clip = clipAround(rates);
  const target = rates.map(clip);
  const rateBy = (isTrained: (i: number) => boolean): ((row: readonly number[]) => number) => {
    const given = operator.capRate;
    if (given !== null) return () => Math.log(given.value);
    const trained = Array.from(rows.keys()).filter(isTrained);
    const predict = fitRidge(
      matrixOf(trained.map((i) => rows[i])),
      Float64Array.from(trained, (i) => target[i]),
    );
    // Clipped: a linear model has no limits beyond the sizes and ages of the sales.
    return (row) => clip(predict(matrixOf([row]))[0]);
  };
  const rate = rateBy(() => true);
  const rateWithout = Array.from({ length: MULTIFAMILY.folds }, (_, fold) =>
    rateBy((i) => foldOf(sales, i) !== fold),
  );
  return {
    at: (building: IncomeBuilding) => ({
      ...netIncomeOf(sales, operator, building),
      logCapRate: rate(describe(building)),
    }),
    /** The same for sale `i`, by a regression fitted without its fold. */
    outOfFold: (i: number) => ({ ...incomes[i], logCapRate: rateWithout[foldOf(sales, i)](rows[i]) }),
  };
}

/** Sales of one parcel share a fold. */
export function foldOf(sales: Pick<BuildingSales, 'parcel'>, i: number): number {
  return sales.parcel[i] % MULTIFAMILY.folds;
}

function netIncomeOf(
  { trainedOn }: Pick<BuildingSales, 'trainedOn'>,
  operator: OperatorAssumptions,
  { units, yearBuilt, logAnnualRent }: IncomeBuilding,
) {
  const age = Number.isNaN(yearBuilt) ? null : yearMonthOf(trainedOn).year - yearBuilt;
  const vacancy = vacancyOf(operator);
  const expenseRatio = expenseRatioOf(operator, units, age);
  return {
    vacancy,
    expenseRatio,
    logNetIncome: logAnnualRent + Math.log(netShareOf(vacancy, expenseRatio)),
  };
}

/** Features of a building; unknown values are the sales' medians. */
function createFeatures(sales: BuildingSales): (building: IncomeBuilding) => number[] {
  const known = (values: Float64Array): number[] =>
    Array.from(values).filter((value) => !Number.isNaN(value));
  const year = median(known(sales.yearBuilt));
  const condition = median(known(sales.condition));
  const bedrooms = median(known(sales.bedrooms.map((total, i) => total / sales.units[i])));
  const priceLevelAt = createPriceLevel(sales);
  const lat = median(Array.from(sales.lat));
  const lon = median(Array.from(sales.lon));
  const miles = milesPerDegree(lat);
  const or = (value: number, instead: number): number => (Number.isNaN(value) ? instead : value);
  return (building) => {
    const logUnits = Math.log(building.units);
    const decades = (or(building.yearBuilt, year) - year) / 10;
    const east = (building.lon - lon) * miles.lon;
    const north = (building.lat - lat) * miles.lat;
    return [
      logUnits,
      logUnits ** 2,
      decades,
      decades ** 2,
      or(building.condition, condition),
      or(building.bedrooms / building.units, bedrooms),
      building.logAnnualRent - logUnits,
      priceLevelAt(building),
      east,
      north,
      east * north,
      east ** 2,
      north ** 2,
    ];
  };
}

/** Mean ln price per unit of the nearest sales of other parcels; of all where none is near. */
function createPriceLevel(sales: BuildingSales): (building: BuildingPlace) => number {
  const index = buildPointIndex(sales.lat, sales.lon);
  const perUnit = sales.logPrice.map((log, i) => log - Math.log(sales.units[i]));
  const ofMarket = perUnit.reduce((sum, log) => sum + log, 0) / sales.n;
  return ({ lat, lon, parcel }) => {
    const isOther = (i: number): boolean => sales.parcel[i] !== parcel;
    const near = nearest(index, lat, lon, PRICE_LEVEL.sales, isOther, PRICE_LEVEL.maxMi);
    if (near.n === 0) return ofMarket;
    return near.rows.subarray(0, near.n).reduce((sum, i) => sum + perUnit[i], 0) / near.n;
  };
}

/** Clips ln ratios to a band around the sales' median. */
function clipAround(ratios: ArrayLike<number>): (log: number) => number {
  const center = median(ratios);
  const { ratioClip } = MULTIFAMILY;
  return (log) => Math.min(center + ratioClip, Math.max(center - ratioClip, log));
}

function matrixOf(rows: readonly (readonly number[])[]): Matrix {
  return { cells: Float64Array.from(rows.flat()), width: rows[0].length };
}
