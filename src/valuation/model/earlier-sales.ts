import { SPATIAL_LAG } from './constants.ts';

/** Numbers written: residual of the home's last earlier sale, years since. */
export const EARLIER_LENGTH = 2;

/** Sales by position, as the surface has them. */
interface EarlierSales {
  readonly parcel: Int32Array;
  readonly soldOn: Float64Array;
  readonly residual: Float64Array;
}

/**
 * What a home's own last sale says of it that its attributes do not: how far that price stood from what the base
 * trees, which never saw the parcel, expected. Only sales closed well before the day count, in training as in
 * serving, so that no price ever explains itself. NaN where there is none.
 */
export function createEarlierSales(sales: EarlierSales) {
  const byParcel = new Map<number, number[]>();
  sales.parcel.forEach((parcel, i) => {
    const own = byParcel.get(parcel);
    if (own) own.push(i);
    else byParcel.set(parcel, [i]);
  });
  return (parcel: number, day: number, out: Float64Array, at: number): void => {
    let last = -1;
    for (const i of byParcel.get(parcel) ?? []) {
      const isEarlier = sales.soldOn[i] < day - SPATIAL_LAG.earlierSaleDays;
      if (isEarlier && (last < 0 || sales.soldOn[i] >= sales.soldOn[last])) last = i;
    }
    out[at] = last < 0 ? NaN : sales.residual[last];
    out[at + 1] = last < 0 ? NaN : (day - sales.soldOn[last]) / 365.25;
  };
}
