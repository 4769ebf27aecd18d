import { homeOfSale } from '../../../valuation/columns/home-of-sale.ts';
import type { ModelBuilder } from '../../../valuation/train-job.ts';
import { valueHome } from '../../../valuation/value-home.ts';
import { collectValues, momentOf, trainers, trainForTask, type RunInThreads } from './served-values.ts';
import type { StudyMethod } from './study-method.ts';

/** Homes, or units to rent, by a market's own model. */
export function studyMethodOf(builder: ModelBuilder, runInThreads: RunInThreads | null = null): StudyMethod {
  const trainer = trainers(builder, runInThreads);
  return {
    async value({ columns }, task, threads = 1) {
      const market = await trainForTask(trainer(threads), columns, task);
      const values = collectValues(task.rows.length, (i) => {
        const home = homeOfSale(columns, task.rows[i]);
        const { estimate, distribution } = valueHome(market, home, {}, momentOf(columns, task, i));
        return { pointUsd: estimate.pointUsd, distribution };
      });
      return { ...values, alternatives: {} };
    },
  };
}
