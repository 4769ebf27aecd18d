import { homeOfSale } from '../../../valuation/columns/home-of-sale.ts';
import type { ModelBuilder } from '../../../valuation/train-job.ts';
import { valueHome } from '../../../valuation/value-home.ts';
import { collectValues, momentOf, trainForTask } from './served-values.ts';
import type { StudyMethod } from './study-method.ts';

/** Homes, or units to rent, by a market's own model. */
export function studyMethodOf(builder: ModelBuilder): StudyMethod {
  return {
    async value({ columns }, task) {
      const market = await trainForTask(builder, columns, task);
      const values = collectValues(task.rows.length, (i) => {
        const home = homeOfSale(columns, task.rows[i]);
        const { estimate, distribution } = valueHome(market, home, {}, momentOf(columns, task, i));
        return { pointUsd: estimate.pointUsd, distribution };
      });
      return { ...values, alternatives: {} };
    },
  };
}
