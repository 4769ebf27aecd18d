import { yearMonthOf, type Day } from '../../domain/day.ts';
import { layOutBlocks, lotsOf } from './town/lots.ts';
import { buildParcels } from './parcels.ts';
import { drawRents } from './rents.ts';
import type { SampleCounty } from './sample-county.ts';
import { drawSales } from './sales.ts';

/**
 * Plumb Falls, a generated town of about 6,000 homes whose true values are known. The seed alone decides the town
 * and the past of every home; the day decides how much of that past has happened and been recorded.
 */
export function generateSampleCounty(seed: number, asOf: Day): SampleCounty {
  const blocks = layOutBlocks(seed);
  const { year } = yearMonthOf(asOf);
  const parcels = buildParcels(seed, lotsOf(seed, blocks)).filter(
    ({ attributes }) => (attributes.yearBuilt ?? 0) <= year,
  );
  return {
    seed,
    asOf,
    blocks,
    parcels,
    sales: drawSales(seed, parcels, asOf),
    rents: drawRents(seed, parcels, asOf),
  };
}

export const SAMPLE_SEED = 20_240_101;
