import { getBlob } from '../../store/blobs.ts';
import type { Store } from '../../store/store.ts';
import { holdoutCasesOf, type HoldoutCases } from '../../valuation/calibration/holdout-cases.ts';
import { decodeTrained } from '../../valuation/trained-codec.ts';

/** The holdout sales of a trained model, by the hash of its bytes: half a second of arithmetic for 4,000. */
export type ReadHoldoutCases = (sha256: string) => Promise<HoldoutCases>;

export async function readHoldoutCases(store: Store, sha256: string): Promise<HoldoutCases> {
  return holdoutCasesOf(decodeTrained(await getBlob(store, sha256)));
}
