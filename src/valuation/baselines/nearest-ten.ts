import { medianInPlace, medianOf } from '../ratio-study/order.ts';
import type { BaselineColumns, Visibility } from './market-rows.ts';
import { eastScaleAt, nearestValues, placeRows, type PlacedRows } from './nearest-rows.ts';

/** Sales of one type in order of closing. */
interface TypeSales {
  readonly placed: PlacedRows;
  readonly price: Float64Array;
  readonly pricePerSqft: Float64Array;
}

/**
 * An appraiser's rule of thumb: the median price per square foot of the type's 10 nearest sales of
 * the last 24 months, times the subject's living area; their median price where the area is
 * unknown. NaN without such a sale. Distances are equirectangular at `latitude`. Ties are settled
 * as numpy does (partition.ts), so that published figures can be reproduced.
 */
export function nearestTen(
  columns: BaselineColumns,
  candidates: Int32Array,
  subjects: Int32Array,
  visibilityOf: (row: number) => Visibility,
  latitude: number,
): Float64Array {
  const eastScale = eastScaleAt(latitude);
  const area = columns.attributes.livingAreaSqft;
  const byType = new Map<number, TypeSales>();
  return Float64Array.from(subjects, (row) => {
    const type = columns.type[row];
    const sales = byType.get(type) ?? salesOfType(columns, candidates, type, eastScale);
    byType.set(type, sales);
    const hasArea = area[row] > 0;
    const subject = { row, x: columns.lon[row] * eastScale, y: columns.lat[row] };
    const source = hasArea ? sales.pricePerSqft : sales.price;
    const figures = nearestValues(sales.placed, source, subject, visibilityOf(row));
    return medianInPlace(figures, figures.length) * (hasArea ? area[row] : 1);
  });
}

/** The latitude of distances: the median of the rows. */
export function studyLatitude(columns: BaselineColumns, rows: Int32Array): number {
  return medianOf(Float64Array.from(rows, (row) => columns.lat[row]));
}

function salesOfType(
  columns: BaselineColumns,
  candidates: Int32Array,
  type: number,
  eastScale: number,
): TypeSales {
  const ofType = candidates.filter((row) => columns.type[row] === type);
  const placed = placeRows(columns, ofType, eastScale);
  const area = columns.attributes.livingAreaSqft;
  const price = Float64Array.from(placed.rows, (row) => columns.priceUsd[row]);
  return {
    placed,
    price,
    pricePerSqft: price.map((usd, i) => {
      const sqft = area[placed.rows[i]];
      return sqft > 0 ? usd / sqft : NaN;
    }),
  };
}
