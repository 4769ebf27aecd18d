import { medianInPlace } from '../ratio-study/order.ts';
import type { BaselineColumns, Visibility } from './market-rows.ts';
import { eastScaleAt, isFull, nearestValues, placeRows, type PlacedRows } from './nearest-rows.ts';

/** Listings in order of their day, with their rents. */
interface PlacedRents {
  readonly placed: PlacedRows;
  readonly rent: Float64Array;
}

/**
 * A landlord's rule of thumb: the median rent of the 10 nearest listings of the last 24 months with
 * as many bedrooms. With fewer than 10 such, or bedrooms unknown, of the 10 nearest of any. NaN
 * without a listing.
 */
export function nearestTenSameBedrooms(
  columns: BaselineColumns,
  candidates: Int32Array,
  subjects: Int32Array,
  visibilityOf: (row: number) => Visibility,
  latitude: number,
): Float64Array {
  const eastScale = eastScaleAt(latitude);
  const { bedrooms } = columns.attributes;
  const all = placedRentsOf(columns, candidates, eastScale);
  const byBedrooms = new Map<number, PlacedRents>();
  for (const count of new Set(Array.from(candidates, (row) => bedrooms[row]))) {
    const alike = candidates.filter((row) => bedrooms[row] === count);
    byBedrooms.set(count, placedRentsOf(columns, alike, eastScale));
  }
  return Float64Array.from(subjects, (row) => {
    const subject = { row, x: columns.lon[row] * eastScale, y: columns.lat[row] };
    const rentsIn = ({ placed, rent }: PlacedRents): Float64Array =>
      nearestValues(placed, rent, subject, visibilityOf(row));
    const alike = byBedrooms.get(bedrooms[row]);
    const near = alike ? rentsIn(alike) : new Float64Array(0);
    const taken = isFull(near) ? near : rentsIn(all);
    return medianInPlace(taken, taken.length);
  });
}

function placedRentsOf(columns: BaselineColumns, rows: Int32Array, eastScale: number): PlacedRents {
  const placed = placeRows(columns, rows, eastScale);
  return { placed, rent: Float64Array.from(placed.rows, (row) => columns.priceUsd[row]) };
}
