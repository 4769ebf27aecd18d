import { yearMonthOf, type Day } from '../../domain/day.ts';
import { buildParcels, type SampleParcel } from './homes.ts';
import { lotsOf, type Lot } from './lots.ts';
import { drawRents, drawSales, type SampleRent, type SampleSale } from './sales-and-rents.ts';

export interface SampleCounty {
  readonly seed: number;
  readonly asOf: Day;
  readonly lots: readonly Lot[];
  readonly parcels: readonly SampleParcel[];
  /** Of the five years before `asOf`, recorded by then, in order of recording. */
  readonly sales: readonly SampleSale[];
  /** Of the three years before `asOf`, in order of listing. */
  readonly rents: readonly SampleRent[];
}

export const SAMPLE_SEED = 20_240_101;

/**
 * Plumb Falls, a generated town of about 6,000 homes with known true values. The seed determines the town and
 * the past and future of every home; the as-of date, how much of it has been recorded.
 */
export function generateSampleCounty(seed: number, asOf: Day): SampleCounty {
  const lots = lotsOf(seed);
  const { year } = yearMonthOf(asOf);
  const parcels = buildParcels(seed, lots).filter(({ attributes }) => (attributes.yearBuilt ?? 0) <= year);
  return {
    seed,
    asOf,
    lots,
    parcels,
    sales: drawSales(seed, parcels, asOf),
    rents: drawRents(seed, parcels, asOf),
  };
}
