import { percentileUsd, type Distribution } from '../../../valuation/calibration/distribution.ts';
import type { SaleColumns } from '../../../valuation/columns/sale-columns.ts';
import { withholdRows } from '../../../valuation/columns/withhold-rows.ts';
import type { Moment } from '../../../valuation/subject.ts';
import type { ModelMaker } from '../../../valuation/train-job.ts';
import { bindTrained, trainMarket, type BoundMarket } from '../../../valuation/train-market.ts';
import { STUDY_PERCENTILES, type ServedTask, type StudyValues } from './study-method.ts';

/** A market trained for a task as `train` does: with the holdout months, or held-out rows, of its own. */
export async function trainServed(
  maker: ModelMaker,
  columns: SaleColumns,
  { trainedOn, withheld }: Pick<ServedTask, 'trainedOn' | 'withheld'>,
): Promise<BoundMarket> {
  const seen = withheld === null ? columns : withholdRows(columns, withheld);
  return bindTrained(await trainMarket(seen, trainedOn, { maker }), seen, maker);
}

/**
 * When row i of a task is valued: as of its own day. Where dates tell nothing that is the training day for all;
 * elsewhere a value of another day than the price's would measure the market's movement.
 */
export function momentOf(columns: SaleColumns, { rows, knownBy }: ServedTask, i: number): Moment {
  const asOf = columns.soldOn[rows[i]];
  return { asOf, knownBy: knownBy ?? asOf - 1 };
}

/** Values one by one as columns; null where there is none, which counts as a miss. */
export function collectValues(
  n: number,
  valueAt: (i: number) => { readonly pointUsd: number; readonly distribution: Distribution } | null,
): StudyValues {
  const column = () => new Float64Array(n).fill(NaN);
  const values = { valueUsd: column(), percentilesUsd: STUDY_PERCENTILES.map(column), fsd: column() };
  for (let i = 0; i < n; i++) {
    const value = valueAt(i);
    if (value === null) continue;
    values.valueUsd[i] = value.pointUsd;
    for (const [p, level] of STUDY_PERCENTILES.entries()) {
      values.percentilesUsd[p][i] = percentileUsd(value.distribution, level);
    }
    values.fsd[i] = value.distribution.fsd;
  }
  return values;
}
