import type { Day } from '../../../domain/day.ts';
import { addMonths, formatDay } from '../../../domain/day.ts';
import { PlumblineError } from '../../../errors.ts';
import { WINDOW } from '../../../valuation/model/constants.ts';
import { CALIBRATION } from '../../../valuation/comparables/comparables-constants.ts';
import type { SaleColumns } from '../../../valuation/columns/sale-columns.ts';
import { asOfEnd, asOfRows } from '../../../valuation/columns/sale-columns.ts';
import { holdoutRows } from '../../../valuation/train-job.ts';
import type { DatedProtocol, Step } from './protocol.ts';

/** A training with the rows it values: tested ones, or earlier months valued only to learn levels and widths from. */
export interface PlannedStep extends Step {
  readonly rows: Int32Array;
  readonly isTested: boolean;
  readonly knownBy: Day | null;
}

/** The tested steps that have sales, after the months before them whose holdout results the first of them calibrates on. */
export function planWithWarmUp(
  columns: SaleColumns,
  studied: Int32Array,
  protocol: DatedProtocol,
  steps: readonly Step[],
): PlannedStep[] {
  const rowsOf = (start: Day, end: Day): Int32Array =>
    studied.filter((row) => columns.soldOn[row] >= start && columns.soldOn[row] < end);
  const tested = steps
    .map((step) => ({
      ...step,
      rows: rowsOf(step.start, step.end),
      isTested: true,
      knownBy: protocol.kind === 'frozen' ? step.trainedOn : null,
    }))
    .filter((step) => step.rows.length > 0);
  if (tested.length === 0) return [];
  requireSample(columns, tested[0]);
  return [...warmUpSteps(columns, tested[0]), ...tested];
}

/** Too little to train on is told before hours of training, not after. */
function requireSample(columns: SaleColumns, first: Step): void {
  const known = asOfRows(columns, first.trainedOn).length;
  if (known >= WINDOW.minUsable) return;
  throw new PlumblineError(
    'insufficient_data',
    `Only ${known} usable ${columns.kind} were known before ${formatDay(first.start)}, the first day tested; a model needs at least ${WINDOW.minUsable}. Begin later.`,
  );
}

/**
 * Whole months up to the first tested day (or to the newest sale, where the market had fallen silent), going back until they hold enough sales that were known when it was
 * trained (valuation.md: 300 over 3 to 6 months), as `train` itself does.
 */
function warmUpSteps(columns: SaleColumns, first: Step): PlannedStep[] {
  const steps: PlannedStep[] = [];
  const latest = Math.min(first.start, newestSale(columns, first.trainedOn) + columns.recordingLagDays + 1);
  let known = 0;
  for (let month = 1; month <= CALIBRATION.maxHoldoutMonths; month++) {
    if (month > CALIBRATION.minHoldoutMonths && known >= CALIBRATION.holdoutSalesWanted) break;
    const start = addMonths(latest, -month);
    const end = addMonths(latest, 1 - month);
    if (asOfRows(columns, start - 1).length < CALIBRATION.minTrainingSales) break;
    const rows = holdoutRows(columns, first.trainedOn, start, end - 1);
    known += rows.length;
    if (rows.length > 0)
      steps.unshift({ start, end, trainedOn: start - 1, rows, isTested: false, knownBy: null });
  }
  return steps;
}

function newestSale(columns: SaleColumns, knownBy: Day): Day {
  const known = columns.soldOn.subarray(0, asOfEnd(columns, knownBy));
  return known.reduce((newest, day) => Math.max(newest, day), -Infinity);
}
