import type { Day } from '../domain/day.ts';
import type { StratumAccuracy } from './calibration/blind-accuracy.ts';
import type { BlindSales } from './calibration/blind-sales.ts';
import type { Blend } from './calibration/blend.ts';
import type { Calibration } from './calibration/calibration.ts';
import type { PlaceOffsets } from './rental/place-offsets.ts';

/** All that valuing a market needs but its sales. */
export interface TrainedMarket {
  readonly trainedOn: Day;
  /** The encoded model. */
  readonly model: Uint8Array;
  readonly blend: Blend;
  readonly calibration: Calibration;
  /** Measured on the blind months; the market as a whole first, then types. Empty without blind sales. */
  readonly accuracy: readonly StratumAccuracy[];
  readonly blind: BlindSales;
  /** What sales told of the places of listings; null where listings tell enough, and of sales. */
  readonly placeOffsets: PlaceOffsets | null;
}
