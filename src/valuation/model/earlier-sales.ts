import { SPATIAL_LAG } from './constants.ts';

/** Numbers written: residual of the home's last earlier sale, years since. */
export const EARLIER_LENGTH = 2;

/** Sales by position. */
interface EarlierSales {
  readonly parcel: Int32Array;
  readonly soldOn: Float64Array;
  readonly residual: Float64Array;
}

/**
 * Features of a home's own last sale: how far its price was from the prediction of the base trees,
 * which never saw the parcel. Only sales closed well before the day count, in training as in
 * serving, so that no price explains itself. NaN without such a sale.
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
