import type { Day } from '../../domain/day.ts';
import { homeOfSale } from '../columns/home-of-sale.ts';
import { asOfRows } from '../columns/sale-columns.ts';
import { typeCode } from '../comparables/sales-data.ts';
import type { Home } from '../subject.ts';
import type { OnProgress } from '../train-job.ts';
import type { BoundMarket } from '../train-market.ts';
import { grossRentOf } from './gross-rent.ts';
import { MULTIFAMILY, SMALL_UNITS } from './multifamily-constants.ts';

/**
 * The market's own sales of buildings with two units and more, each with its price and with what the two models that
 * never saw its price say of it: all that multipliers, cap rates and weights are learned from. Ln USD at the training
 * day; NaN where unknown.
 */
export interface BuildingSales {
  readonly n: number;
  readonly trainedOn: Day;
  /** Parcel codes of the property columns. */
  readonly parcel: Int32Array;
  readonly lat: Float64Array;
  readonly lon: Float64Array;
  readonly units: Float64Array;
  readonly yearBuilt: Float64Array;
  readonly condition: Float64Array;
  readonly bedrooms: Float64Array;
  readonly logPrice: Float64Array;
  /** The property model's out-of-fold value. */
  readonly logSalesValue: Float64Array;
  readonly logAnnualRent: Float64Array;
  readonly rentLogSd: Float64Array;
}

/** Tells the sales that a training day knows apart from the rest and asks both models what they say of each. */
export function trainBuildings(
  property: BoundMarket,
  rental: BoundMarket,
  trainedOn: Day,
  onProgress?: OnProgress,
): BuildingSales {
  const { columns, salesData } = property;
  const moment = { asOf: trainedOn, knownBy: trainedOn };
  const rows = teachingRows(property, trainedOn);
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
    logPrice: Float64Array.from(rows, (row, i) => {
      const moved = property.predictor.indexChange(homes[i], columns.soldOn[row], trainedOn);
      return Math.log(columns.priceUsd[row]) + moved;
    }),
    logSalesValue: Float64Array.from(rows, (row) => salesData.logValueOfSale(row)),
    logAnnualRent: Float64Array.from(rents, (rent) => Math.log(rent.annualUsd)),
    rentLogSd: Float64Array.from(rents, (rent) => rent.logSd),
  };
}

/** How many buildings were sold: sales of one parcel never speak of each other, so only these teach. */
export function buildingsSold({ parcel }: Pick<BuildingSales, 'parcel'>): number {
  return new Set(parcel).size;
}

/** Known, usable, arm's-length sales of buildings whose units are counted; the newest of small and of large ones. */
function teachingRows({ columns }: BoundMarket, trainedOn: Day): number[] {
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
