import type { JsonValue } from '../domain/json.ts';
import type { ModelRecord } from '../store/models.ts';
import type { StratumAccuracy } from '../valuation/calibration/holdout-accuracy.ts';

/** What a model measured of itself, in the form the store keeps. */
export function accuracyJson(accuracy: readonly StratumAccuracy[]): JsonValue {
  return accuracy.map((stratum) => ({ ...stratum }));
}

/** Back again: the whole market first, then its types. The store holds only what `accuracyJson` made. */
export function accuracyOfModel(model: ModelRecord): readonly StratumAccuracy[] {
  const accuracy: readonly StratumAccuracy[] = JSON.parse(JSON.stringify(model.accuracy));
  return accuracy;
}
