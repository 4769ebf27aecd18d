import type { ValuationKind } from '../domain/valuation-kind.ts';
import { checkBlob } from '../store/blobs.ts';
import type { ModelRecord } from '../store/models.ts';
import type { Store } from '../store/store.ts';
import { remember } from './remembered-promises.ts';

/**
 * Models whose bytes were checked: the newest of each market and kind, and earlier ones if newer ones were
 * damaged.
 */
const CHECKS_KEPT = 256;

/** Receives a sentence for the operator about each damaged model. */
export type OnTrouble = (sentence: string) => void;

/**
 * Leaves out damaged models. Each process reads a model's bytes once before using it. If a model was damaged
 * in transit or on disk, the previous model stays active.
 */
export function createWholeModels(
  store: Store,
  onTrouble: OnTrouble,
): (models: readonly ModelRecord[]) => Promise<readonly ModelRecord[]> {
  const damageOf = remember(CHECKS_KEPT, async (sha256: string) => {
    const damage = await checkBlob(store, sha256);
    if (damage !== null) onTrouble(`${damage} Until then the model before it is used.`);
    return damage;
  });
  return async (models) => {
    const damaged = new Set<ModelRecord>();
    const settled = new Set<ValuationKind>();
    // Newest last.
    for (const model of models.toReversed()) {
      if (settled.has(model.kind)) continue;
      if ((await damageOf(model.sha256)) === null) settled.add(model.kind);
      else damaged.add(model);
    }
    return models.filter((model) => !damaged.has(model));
  };
}
