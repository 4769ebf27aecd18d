import { getBlob } from '../../store/blobs.ts';
import type { Store } from '../../store/store.ts';
import { holdoutCasesOf, type HoldoutCases } from '../../valuation/calibration/holdout-cases.ts';
import { decodeTrained } from '../../valuation/trained-codec.ts';

/** The holdout sales of a trained model, by model hash. Predicting 4,000 of them takes half a second. */
export type ReadHoldoutCases = (sha256: string) => Promise<HoldoutCases>;

export async function readHoldoutCases(store: Store, sha256: string): Promise<HoldoutCases> {
  return holdoutCasesOf(decodeTrained(await getBlob(store, sha256)));
}
