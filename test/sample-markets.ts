import { dayOf } from '../src/domain/day.ts';
import { rentsAsImported, salesAsImported } from '../src/load/sample-county/as-imported.ts';
import { generateSampleCounty, SAMPLE_SEED } from '../src/load/sample-county/generate-sample-county.ts';
import { buildSaleColumns } from '../src/valuation/columns/build-columns.ts';
import { buildRentColumns } from '../src/valuation/columns/build-rent-columns.ts';
import type { SaleColumns } from '../src/valuation/columns/sale-columns.ts';
import { propertyModel } from '../src/valuation/model/property-model.ts';
import { bindTrained, trainMarket, type BoundMarket } from '../src/valuation/train-market.ts';
import { cachedJobs } from './cached-jobs.ts';

/** The sample county whose values are held to the truth. */
export const county = generateSampleCounty(SAMPLE_SEED, dayOf(2026, 3, 31));

/** Its homes: the last three of five years of sales are enough here, and train in two thirds of the time. */
export async function trainHomes(): Promise<BoundMarket> {
  const sales = salesAsImported(county).filter((sale) => sale.soldOn > county.asOf - 3 * 365);
  return trainFully(buildSaleColumns(sales, { recordingLagDays: 14 }));
}

/** Its units to let. */
export async function trainRents(): Promise<BoundMarket> {
  return trainFully(buildRentColumns(rentsAsImported(county)));
}

async function trainFully(columns: SaleColumns): Promise<BoundMarket> {
  const jobs = cachedJobs(propertyModel, 'whole');
  return bindTrained(await trainMarket(columns, county.asOf, {}, undefined, jobs), columns);
}
