import { PlumblineError } from '../../../errors.ts';
import { homeOfSale } from '../../../valuation/columns/home-of-sale.ts';
import type { SaleColumns } from '../../../valuation/columns/sale-columns.ts';
import { NO_ASSUMPTIONS } from '../../../valuation/multifamily/assumptions.ts';
import { bindBuildings } from '../../../valuation/multifamily/bind-buildings.ts';
import { trainBuildings } from '../../../valuation/multifamily/building-sales.ts';
import { valueBuilding, type RentApproachModels } from '../../../valuation/multifamily/value-building.ts';
import type { ModelBuilder } from '../../../valuation/train-job.ts';
import type { BoundMarket } from '../../../valuation/train-market.ts';
import {
  collectValues,
  momentOf,
  trainers,
  trainForTask,
  type RunInThreads,
  type Trainer,
} from './served-values.ts';
import type { StudyMethod, StudyTask } from './study-method.ts';

/** Buildings by three approaches, and by the sales comparison alone as an alternative. */
export function approachesMethodOf(
  propertyBuilder: ModelBuilder,
  rentalBuilder: ModelBuilder,
  runInThreads: RunInThreads | null = null,
): StudyMethod {
  const property = trainers(propertyBuilder, runInThreads);
  const rental = trainers(rentalBuilder, runInThreads);
  return {
    async value({ columns, rents }, task, threads = 1) {
      if (rents === null) throw new Error('A study by three approaches needs listings.');
      const market = await trainForTask(property(threads), columns, task);
      const rentModels = await rentModelsOf(rental(threads), rents, market, task);
      const salesComparison = new Float64Array(task.rows.length).fill(NaN);
      const values = collectValues(task.rows.length, (i) => {
        const home = homeOfSale(columns, task.rows[i]);
        // The service requires the number of units.
        if (home.attributes.totalUnits === null) return null;
        const valued = valueBuilding(market, rentModels, home, {}, momentOf(columns, task, i));
        salesComparison[i] = valued.property.estimate.pointUsd;
        return valued;
      });
      return { ...values, alternatives: { sales_comparison: salesComparison } };
    },
  };
}

/** As in service: with too few listings, or too few buildings with rents, buildings are valued by sales alone. */
async function rentModelsOf(
  trainer: Trainer,
  rents: SaleColumns,
  market: BoundMarket,
  task: StudyTask,
): Promise<RentApproachModels> {
  try {
    // A fold withholds sales only: the rents of units nearby are known before a building is sold.
    const rental = await trainForTask(trainer, rents, { ...task, withheld: null }, market.predictor);
    const buildings = bindBuildings(trainBuildings(market, rental, task.trainedOn), NO_ASSUMPTIONS);
    return buildings === null ? { reason: 'Too few sales of buildings.' } : { rental, buildings };
  } catch (error) {
    if (error instanceof PlumblineError && error.code === 'insufficient_data')
      return { reason: error.message };
    throw error;
  }
}
