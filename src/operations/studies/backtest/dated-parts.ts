import type { BlindSales } from '../../../valuation/calibration/blind-sales.ts';
import { joinBlindSales, pickBlindSales } from '../../../valuation/calibration/blind-sales.ts';
import type { SaleColumns } from '../../../valuation/columns/sale-columns.ts';
import { isUsable } from '../../../valuation/columns/sale-columns.ts';
import type { PlannedStep } from './plan-jobs.ts';
import type { RunJobs } from './run-steps.ts';
import type { BaselineChoice } from './step-job.ts';
import type { BlindResult, StudyMethod } from './study-method.ts';
import type { TestedPart } from './tested-sales.ts';

/**
 * Frozen or walk-forward. Dear first: trainings and raw values, each for itself and on several threads; then, in
 * order of time, levels and intervals of each training from the blind results that were known by its day.
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
      kind: 'blind',
      task: { trainedOn, rows, knownBy },
      baselines: isTested ? baselines : null,
    })),
  );
  const valued = results.map((result): BlindResult => {
    if (result.kind !== 'blind') throw new Error('A job of a date came back as one of a fold.');
    return result.valued;
  });
  const parts: TestedPart[] = [];
  for (const [i, step] of steps.entries()) {
    onFinished(i, steps.length);
    if (!step.isTested) continue;
    const earlier = steps
      .slice(0, i)
      .map((before, j) => blindKnownBy(columns, before, valued[j].blind, step));
    const values = method.finish(step.trainedOn, joinBlindSales(earlier), valued[i]);
    parts.push({ rows: step.rows, values, baselines: results[i].baselines });
  }
  onFinished(steps.length, steps.length);
  return parts;
}

/** Of an earlier training's blind results, those known and fit as evidence when the later one was trained. */
function blindKnownBy(
  columns: SaleColumns,
  earlier: PlannedStep,
  blind: BlindSales,
  later: PlannedStep,
): BlindSales {
  const positions: number[] = [];
  for (const [position, row] of earlier.rows.entries()) {
    if (columns.knownOn[row] <= later.trainedOn && isUsable(columns, row, later.trainedOn))
      positions.push(position);
  }
  return pickBlindSales(blind, Int32Array.from(positions));
}
