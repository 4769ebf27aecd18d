import { milesPerDegree } from '../../geo/distance.ts';
import { buildPointIndex, nearest } from '../../geo/point-index.ts';
import { yearMonthOf } from '../../domain/day.ts';
import { fitRidge, type Matrix } from '../baselines/ridge.ts';
import { median } from '../medians.ts';
import {
  expenseRatioOf,
  netShareOf,
  vacancyOf,
  type Assumption,
  type OperatorAssumptions,
} from './assumptions.ts';
import type { BuildingSales } from './building-sales.ts';
import { MULTIFAMILY, PRICE_LEVEL } from './multifamily-constants.ts';
import { placeOfSale, type BuildingPlace } from './multiplier.ts';

/** What a cap rate depends on. NaN = unknown. */
export interface IncomeBuilding extends BuildingPlace {
  readonly condition: number;
  readonly bedrooms: number;
  readonly logAnnualRent: number;
}

/** Net income of a building, and its cap rate. */
export interface Capitalized {
  readonly vacancy: Assumption;
  readonly expenseRatio: Assumption;
  readonly logNetIncome: number;
  readonly logCapRate: number;
}

export interface Capitalization {
  at(building: IncomeBuilding): Capitalized;
  /** The same for sale `i`, by a regression fitted without its fold. */
  outOfFold(i: number): Capitalized;
}

export function incomeBuildingOfSale(sales: BuildingSales, i: number): IncomeBuilding {
  return {
    ...placeOfSale(sales, i),
    condition: sales.condition[i],
    bedrooms: sales.bedrooms[i],
    logAnnualRent: sales.logAnnualRent[i],
  };
}

/**
 * Direct capitalization: net income / cap rate. Cap rates are extracted from the same sales as
 * multipliers, by ridge regression on the buildings' attributes, rent per unit and price level of
 * the place. The sales' net incomes use the same assumptions as the building's. An operator's cap
 * rate replaces the regression.
 */
export function createCapitalization(sales: BuildingSales, operator: OperatorAssumptions): Capitalization {
  const describe = createFeatures(sales);
  const buildings = Array.from({ length: sales.n }, (_, i) => incomeBuildingOfSale(sales, i));
  const rows = buildings.map(describe);
  const incomes = buildings.map((building) => netIncomeOf(sales, operator, building));
  const clip = clipAround(incomes.map(({ logNetIncome }, i) => logNetIncome - sales.logPrice[i]));
  const target = incomes.map(({ logNetIncome }, i) => clip(logNetIncome - sales.logPrice[i]));
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
    at: (building) => ({
      ...netIncomeOf(sales, operator, building),
      logCapRate: rate(describe(building)),
    }),
    outOfFold: (i) => ({ ...incomes[i], logCapRate: rateWithout[foldOf(sales, i)](rows[i]) }),
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
): Omit<Capitalized, 'logCapRate'> {
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

/** Clips ln cap rates to a band around the sales' median. */
function clipAround(rates: readonly number[]): (logRate: number) => number {
  const center = median(rates);
  const { ratioClip } = MULTIFAMILY;
  return (log) => Math.min(center + ratioClip, Math.max(center - ratioClip, log));
}

function matrixOf(rows: readonly (readonly number[])[]): Matrix {
  return { cells: Float64Array.from(rows.flat()), width: rows[0].length };
}
