import type { Day } from '../../domain/day.ts';
import { homeOfSale, asOfRows } from '../columns/sale-columns.ts';
import {
  archiveColumns,
  buildColumns,
  openModel,
  packModel,
  takeColumns,
  type ColumnsOf,
  type RowOf,
} from '../typed-columns.ts';
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
 * property model and its rent by the rental model. Neither model saw the price.
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
  const sales = rows.map((row, i): RowOf<typeof BUILDING_COLUMNS> => {
    onProgress?.('rents of buildings', i, rows.length);
    const home = homeOfSale(columns, row);
    const rent = grossRentOf(rental, home, moment);
    return {
      ...describedBuilding(home),
      parcel: columns.parcel[row],
      logPrice: logPriceAtTraining(property.predictor, row),
      logSalesValue: salesData.logValueOfSale(row),
      logAnnualRent: Math.log(rent.annualUsd),
      rentLogSd: rent.logSd,
    };
  });
  const built = buildColumns(BUILDING_COLUMNS, sales.length, (name, i) => sales[i][name]);
  return { n: sales.length, trainedOn, ...built };
}

/** The columns that describe a building itself. */
export function describedBuilding({ lat, lon, attributes }: Home) {
  const { totalUnits, yearBuilt, condition, bedrooms } = attributes;
  return {
    lat,
    lon,
    units: totalUnits ?? NaN,
    yearBuilt: yearBuilt ?? NaN,
    condition: condition ?? NaN,
    bedrooms: bedrooms ?? NaN,
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

const MODEL_ARCHIVE = { kind: 'building-sales', format: 2, name: 'model of buildings' } as const;

/** The sales as bytes. Equal sales give equal bytes: a model is named by their hash. */
export function encodeBuildings(sales: BuildingSales): Uint8Array {
  const { trainedOn } = sales;
  return packModel(MODEL_ARCHIVE, { trainedOn }, archiveColumns(BUILDING_COLUMNS, 'sale', sales));
}

/** @throws Error where the bytes are not building sales, or of another format */
export function decodeBuildings(bytes: Uint8Array): BuildingSales {
  const { meta, archive } = openModel<Pick<BuildingSales, 'trainedOn'>>(MODEL_ARCHIVE, bytes);
  const columns = takeColumns(BUILDING_COLUMNS, 'sale', archive);
  return { n: columns.parcel.length, trainedOn: meta.trainedOn, ...columns };
}
