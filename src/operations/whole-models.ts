import type { ValuationKind } from '../domain/valuation-kind.ts';
import { checkBlob } from '../store/blobs.ts';
import type { ModelRecord } from '../store/models.ts';
import type { Store } from '../store/store.ts';
import { remember } from './remembered-promises.ts';

/** Models whose bytes were checked: of each market and kind the newest, and those before it that were found damaged. */
const CHECKS_KEPT = 256;

/** Told in a sentence what an operator should see to. */
export type OnTrouble = (sentence: string) => void;

/**
 * Leaves out what must not become the model in force: its bytes are read once, in each process, before anybody is valued by it, so that
 * a model that was damaged on its way or on its disk leaves the one before it in force.
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
