import type { Day } from '../../domain/day.ts';
import type { FeaturePlan } from './features.ts';
import type { MedianFills } from './spatial-lag.ts';
import type { PriceIndex } from '../price-index/price-index.ts';
import type { Forest } from '../trees/forest.ts';

/** A fitted model as plain data. Rows index the columns it was fitted on. */
export interface MarketModel {
  readonly trainedOn: Day;
  readonly seed: number;
  readonly plan: FeaturePlan;
  readonly medians: MedianFills;
  readonly index: PriceIndex;
  /** Training sales, ascending. */
  readonly rows: Int32Array;
  /** Fold that each training sale was left out with; member k of each stage never saw fold k. */
  readonly fold: Uint8Array;
  /** Log price moved to the training day less the base trees' out-of-fold prediction. */
  readonly residual: Float64Array;
  /** Out-of-fold prediction of the whole model, at the training day. */
  readonly outOfFold: Float64Array;
  readonly base: readonly Forest[];
  readonly final: readonly Forest[];
  /** Log price per unit of buildings with several units; empty where there are too few. */
  readonly perUnit: readonly Forest[];
  /** By ATTRIBUTES: ln USD of a typical difference between two homes of the sample. */
  readonly attributeScales: Float64Array;
}
