import type { SaleColumns } from '../../valuation/columns/sale-columns.ts';
import { dealFolds } from './deal-folds.ts';
import type { FoldProtocol } from './protocol.ts';
import type { RunJobs } from './run-steps.ts';
import type { BaselineChoice } from './step-job.ts';
import type { TestedPart } from './tested-sales.ts';

/**
 * Every study row valued by a model trained on the newest day without its fold: flagged rows of the fold are withheld
 * with it, as a repeat of a tested listing would give its rent away. Levels and intervals too are the training's own.
 */
export async function testByFold(
  columns: SaleColumns,
  studied: Int32Array,
  protocol: FoldProtocol,
  baselines: BaselineChoice | null,
  runJobs: RunJobs,
): Promise<TestedPart[]> {
  const folds = dealFolds(columns, protocol.unit, protocol.count);
  const trainedOn = columns.knownOn.reduce((newest, day) => Math.max(newest, day), -Infinity);
  const tasks = Array.from({ length: protocol.count }, (_, fold) => ({
    trainedOn,
    rows: studied.filter((row) => folds[row] === fold),
    withheld: Int32Array.from(columns.soldOn.keys()).filter((row) => folds[row] === fold),
  })).filter(({ rows }) => rows.length > 0);
  const results = await runJobs(tasks.map((task) => ({ kind: 'withheld', task, baselines })));
  return results.map((result, i): TestedPart => {
    if (result.kind !== 'withheld') throw new Error('A job of a fold came back as one of a date.');
    return { rows: tasks[i].rows, values: result.valued, baselines: result.baselines };
  });
}
