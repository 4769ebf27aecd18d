import type { Day } from '../../domain/day.ts';
import { homeOfSale } from '../columns/home-of-sale.ts';
import { asOfRows } from '../columns/sale-columns.ts';
import type { ColumnsOf } from '../typed-columns.ts';
import { typeCode } from '../comparables/sales-data.ts';
import { logPriceAtTraining } from '../model/predictor.ts';
import type { Home } from '../subject.ts';
import type { OnProgress } from '../train-job.ts';
import type { BoundMarket } from '../train-market.ts';
import { grossRentOf } from './gross-rent.ts';
import { MULTIFAMILY, SMALL_UNITS } from './multifamily-constants.ts';

/** Columns of building sales. Ln USD at the training day; NaN where unknown. */
export const BUILDING_COLUMNS = {
  /** Parcel codes of the property columns. */
  parcel: 'int32',
  lat: 'float64',
  lon: 'float64',
  units: 'float64',
  yearBuilt: 'float64',
  condition: 'float64',
  bedrooms: 'float64',
  logPrice: 'float64',
  /** The property model's out-of-fold value. */
  logSalesValue: 'float64',
  logAnnualRent: 'float64',
  /** Standard deviation of `logAnnualRent`. */
  rentLogSd: 'float64',
} as const;

/**
 * The market's own sales of buildings with two or more units, each with its price, its value by the
 * property model and its rent by the rental model. Neither model saw the price. Multipliers, cap
 * rates and weights are learned from these.
 */
export interface BuildingSales extends ColumnsOf<typeof BUILDING_COLUMNS> {
  readonly n: number;
  readonly trainedOn: Day;
}

/** Selects the building sales available on the training day and values each by both models. */
export function trainBuildings(
  property: BoundMarket,
  rental: BoundMarket,
  trainedOn: Day,
  onProgress?: OnProgress,
): BuildingSales {
  const { columns, salesData } = property;
  const moment = { asOf: trainedOn, knownBy: trainedOn };
  const rows = trainingRows(property, trainedOn);
  const rents = rows.map((row, i) => {
    onProgress?.('rents of buildings', i, rows.length);
    return grossRentOf(rental, homeOfSale(columns, row), moment);
  });
  const homes = rows.map((row) => homeOfSale(columns, row));
  const known = (attribute: keyof Home['attributes']) =>
    Float64Array.from(homes, (home) => home.attributes[attribute] ?? NaN);
  return {
    n: rows.length,
    trainedOn,
    parcel: Int32Array.from(rows, (row) => columns.parcel[row]),
    lat: Float64Array.from(homes, (home) => home.lat),
    lon: Float64Array.from(homes, (home) => home.lon),
    units: known('totalUnits'),
    yearBuilt: known('yearBuilt'),
    condition: known('condition'),
    bedrooms: known('bedrooms'),
    logPrice: Float64Array.from(rows, (row) => logPriceAtTraining(property.predictor, row)),
    logSalesValue: Float64Array.from(rows, (row) => salesData.logValueOfSale(row)),
    logAnnualRent: Float64Array.from(rents, (rent) => Math.log(rent.annualUsd)),
    rentLogSd: Float64Array.from(rents, (rent) => rent.logSd),
  };
}

/** Number of different buildings. Sales of one parcel are never compared with each other. */
export function countBuildings({ parcel }: Pick<BuildingSales, 'parcel'>): number {
  return new Set(parcel).size;
}

/** The newest usable arm's-length sales with known units, of small and of large buildings. */
function trainingRows({ columns }: BoundMarket, trainedOn: Day): number[] {
  const types: readonly number[] = [typeCode('small_multifamily'), typeCode('multifamily')];
  const unitsOf = columns.attributes.totalUnits;
  const rows = Array.from(asOfRows(columns, trainedOn)).filter(
    (row) => columns.armsLength[row] !== 0 && types.includes(columns.type[row]) && unitsOf[row] >= 2,
  );
  const isSmall = (row: number): boolean => unitsOf[row] <= SMALL_UNITS;
  const small = rows.filter(isSmall).slice(-MULTIFAMILY.maxSmall);
  const large = rows.filter((row) => !isSmall(row)).slice(-MULTIFAMILY.maxLarge);
  return [...small, ...large].sort((a, b) => a - b);
}
