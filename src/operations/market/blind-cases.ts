import { getBlob } from '../../store/blobs.ts';
import type { Store } from '../../store/store.ts';
import { blindCasesOf, type BlindCases } from '../../valuation/calibration/blind-cases.ts';
import { decodeTrained } from '../../valuation/train-market.ts';

/** The blind sales of a trained model, by the hash of its bytes: half a second of arithmetic for 4,000. */
export type ReadBlindCases = (sha256: string) => Promise<BlindCases>;

export async function readBlindCases(store: Store, sha256: string): Promise<BlindCases> {
  return blindCasesOf(decodeTrained(await getBlob(store, sha256)));
}
