import type { Day } from '../domain/day.ts';
import type { StratumAccuracy } from './calibration/holdout-accuracy.ts';
import type { HoldoutSales } from './calibration/holdout-sales.ts';
import type { Blend } from './calibration/blend.ts';
import type { Calibration } from './calibration/calibration.ts';
import type { LocationAdjustments } from './rental/location-adjustments.ts';

/** All that valuing a market needs but its sales. */
export interface TrainedMarket {
  readonly trainedOn: Day;
  /** The encoded model. */
  readonly model: Uint8Array;
  readonly blend: Blend;
  readonly calibration: Calibration;
  /** Measured on the holdout months; the market as a whole first, then types. Empty without holdout sales. */
  readonly accuracy: readonly StratumAccuracy[];
  readonly holdout: HoldoutSales;
  /** What sales told of the places of listings; null where listings tell enough, and of sales. */
  readonly locationAdjustments: LocationAdjustments | null;
}
