import type { HoldoutSales } from '../../../valuation/calibration/holdout-sales.ts';
import { joinHoldoutSales, pickHoldoutSales } from '../../../valuation/calibration/holdout-sales.ts';
import type { SaleColumns } from '../../../valuation/columns/sale-columns.ts';
import { isUsable } from '../../../valuation/columns/sale-columns.ts';
import type { PlannedStep } from './plan-jobs.ts';
import type { RunJobs } from './run-steps.ts';
import type { BaselineChoice } from './step-job.ts';
import type { HoldoutResult, StudyMethod } from './study-method.ts';
import type { TestedPart } from './tested-sales.ts';

/**
 * Frozen or walk-forward. Dear first: trainings and raw values, each for itself and on several threads; then, in
 * order of time, levels and intervals of each training from the holdout results that were known by its day.
 */
export async function testByDate(
  columns: SaleColumns,
  steps: readonly PlannedStep[],
  method: StudyMethod,
  baselines: BaselineChoice | null,
  runJobs: RunJobs,
  onFinished: (done: number, total: number) => void,
): Promise<TestedPart[]> {
  const results = await runJobs(
    steps.map(({ trainedOn, rows, knownBy, isTested }) => ({
      kind: 'holdout',
      task: { trainedOn, rows, knownBy },
      baselines: isTested ? baselines : null,
    })),
  );
  const valued = results.map((result): HoldoutResult => {
    if (result.kind !== 'holdout') throw new Error('A job of a date came back as one of a fold.');
    return result.valued;
  });
  const parts: TestedPart[] = [];
  for (const [i, step] of steps.entries()) {
    onFinished(i, steps.length);
    if (!step.isTested) continue;
    const earlier = steps
      .slice(0, i)
      .map((before, j) => holdoutKnownBy(columns, before, valued[j].holdout, step));
    const values = method.finish(step.trainedOn, joinHoldoutSales(earlier), valued[i]);
    parts.push({ rows: step.rows, values, baselines: results[i].baselines });
  }
  onFinished(steps.length, steps.length);
  return parts;
}

/** Of an earlier training's holdout results, those known and fit as evidence when the later one was trained. */
function holdoutKnownBy(
  columns: SaleColumns,
  earlier: PlannedStep,
  holdout: HoldoutSales,
  later: PlannedStep,
): HoldoutSales {
  const positions: number[] = [];
  for (const [position, row] of earlier.rows.entries()) {
    if (columns.availableOn[row] <= later.trainedOn && isUsable(columns, row, later.trainedOn))
      positions.push(position);
  }
  return pickHoldoutSales(holdout, Int32Array.from(positions));
}
