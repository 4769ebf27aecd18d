import type { SaleColumns } from '../../../valuation/columns/sale-columns.ts';
import { assignFolds } from './assign-folds.ts';
import type { PlannedStep } from './plan-jobs.ts';
import type { FoldProtocol } from './protocol.ts';
import type { RunJobs } from './run-steps.ts';
import type { BaselineChoice } from './step-job.ts';
import type { ServedTask } from './study-method.ts';
import type { TestedPart } from './tested-sales.ts';

/** Each task trained and asked as a service is; levels and intervals are the training's own. */
export async function testAsServed(
  tasks: readonly ServedTask[],
  baselines: BaselineChoice | null,
  runJobs: RunJobs,
): Promise<TestedPart[]> {
  const results = await runJobs(tasks.map((task) => ({ kind: 'served', task, baselines })));
  return results.map((result, i): TestedPart => {
    if (result.kind !== 'served') throw new Error('A job to be served came back in halves.');
    const { alternatives, ...values } = result.valued;
    return { rows: tasks[i].rows, values, baselines: { ...alternatives, ...result.baselines } };
  });
}

/** The tested steps of a protocol of dates. */
export function datedTasks(steps: readonly PlannedStep[], isTestable: Uint8Array): ServedTask[] {
  return steps
    .filter((step) => step.isTested)
    .map(({ trainedOn, knownBy, rows }) => ({
      trainedOn,
      rows: rows.filter((row) => isTestable[row] === 1),
      knownBy,
      withheld: null,
    }))
    .filter(({ rows }) => rows.length > 0);
}

/**
 * Every testable row by a model trained on the newest day without its fold: flagged rows of the fold are withheld with
 * it, as a repeat of a tested listing would give its rent away.
 */
export function foldTasks(
  columns: SaleColumns,
  isTestable: Uint8Array,
  protocol: FoldProtocol,
): ServedTask[] {
  const folds = assignFolds(columns, protocol.unit, protocol.count);
  const trainedOn = columns.availableOn.reduce((newest, day) => Math.max(newest, day), -Infinity);
  return Array.from({ length: protocol.count }, (_, fold) => {
    const withheld = Int32Array.from(folds.keys()).filter((row) => folds[row] === fold);
    const rows = withheld.filter((row) => isTestable[row] === 1);
    return { trainedOn, rows, knownBy: trainedOn, withheld };
  }).filter(({ rows }) => rows.length > 0);
}
