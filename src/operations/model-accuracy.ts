import type { JsonValue } from '../domain/json.ts';
import type { ModelRecord } from '../store/models.ts';
import type { StratumAccuracy } from '../valuation/calibration/holdout-accuracy.ts';

/** Measured accuracy of a model, in the form that the store keeps. */
export function accuracyJson(accuracy: readonly StratumAccuracy[]): JsonValue {
  return accuracy.map((stratum) => ({ ...stratum }));
}

/**
 * The inverse: the whole market first, then its types. The store holds only values that `accuracyJson` wrote.
 */
export function accuracyOfModel(model: ModelRecord): readonly StratumAccuracy[] {
  const accuracy: readonly StratumAccuracy[] = JSON.parse(JSON.stringify(model.accuracy));
  return accuracy;
}
