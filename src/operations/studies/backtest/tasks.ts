import type { Day } from '../../../domain/day.ts';
import { formatDay } from '../../../domain/day.ts';
import { PlumblineError } from '../../../errors.ts';
import type { SaleColumns } from '../../../valuation/columns/sale-columns.ts';
import { asOfRows } from '../../../valuation/columns/sale-columns.ts';
import { WINDOW } from '../../../valuation/model/constants.ts';
import { assignFolds } from './assign-folds.ts';
import type { DatedProtocol, FoldProtocol, Step } from './protocol.ts';
import type { StudyTask } from './study-method.ts';

/** The steps of a protocol of dates that have testable rows, with these rows. */
export function datedTasks(
  columns: SaleColumns,
  isTestable: Uint8Array,
  protocol: DatedProtocol,
  steps: readonly Step[],
): StudyTask[] {
  const testable = Int32Array.from(isTestable.keys()).filter((row) => isTestable[row] === 1);
  const tested = steps
    .map((step) => ({
      ...step,
      rows: testable.filter((row) => columns.soldOn[row] >= step.start && columns.soldOn[row] < step.end),
    }))
    .filter(({ rows }) => rows.length > 0);
  if (tested.length > 0) requireSample(columns, tested[0]);
  return tested.map(({ trainedOn, rows }) => ({
    trainedOn,
    rows,
    knownBy: protocol.kind === 'frozen' ? trainedOn : null,
    withheld: null,
    isMonthly: isMonthly(protocol),
  }));
}

function isMonthly(protocol: DatedProtocol): boolean {
  return protocol.kind === 'walk_forward' && protocol.every.unit === 'months' && protocol.every.count === 1;
}

/** A sample too small to train on is rejected before hours of training, not after. */
function requireSample(columns: SaleColumns, first: Step): void {
  const known = asOfRows(columns, first.trainedOn).length;
  if (known >= WINDOW.minUsable) return;
  throw new PlumblineError(
    'insufficient_data',
    `Only ${known} usable ${columns.kind} were known before ${formatDay(first.start)}, the first day tested; a model needs at least ${WINDOW.minUsable}. Begin later.`,
  );
}

/**
 * Every testable row by a model trained on the newest day without its fold. Flagged rows of the fold are withheld with
 * it: a repeat of a tested listing would reveal its rent.
 */
export function foldTasks(columns: SaleColumns, isTestable: Uint8Array, protocol: FoldProtocol): StudyTask[] {
  const folds = assignFolds(columns, protocol.unit, protocol.count);
  const trainedOn = columns.availableOn.reduce<Day>((newest, day) => Math.max(newest, day), -Infinity);
  return Array.from({ length: protocol.count }, (_, fold) => {
    const withheld = Int32Array.from(folds.keys()).filter((row) => folds[row] === fold);
    const rows = withheld.filter((row) => isTestable[row] === 1);
    return { trainedOn, rows, knownBy: trainedOn, withheld, isMonthly: false };
  }).filter(({ rows }) => rows.length > 0);
}
