import type { Day } from '../domain/day.ts';
import type { StratumAccuracy } from './calibration/holdout-accuracy.ts';
import type { HoldoutSales } from './calibration/holdout-sales.ts';
import type { Blend } from './calibration/blend.ts';
import type { Calibration } from './calibration/calibration.ts';
import type { LocationAdjustments } from './rental/location-adjustments.ts';

/** Everything that valuing a market needs except its sales. */
export interface TrainedMarket {
  readonly trainedOn: Day;
  /** The encoded model. */
  readonly model: Uint8Array;
  readonly blend: Blend;
  readonly calibration: Calibration;
  /** Measured on the holdout sales: the whole market, then its types. Empty without any. */
  readonly accuracy: readonly StratumAccuracy[];
  readonly holdout: HoldoutSales;
  /** Location adjustments from sales; null for sales, and where listings are many. */
  readonly locationAdjustments: LocationAdjustments | null;
}
