import { checkMutations, checkSignatures } from '../harness/webhooks/signatures.ts';
import type { FaultRun } from './fault-run.ts';

/** Each mutation case changes four bytes, one at a time. */
const CHANGES_A_MUTATION = 4;

export const webhookSignatures: FaultRun = {
  name: 'webhook-signatures',
  guarantee: 'the standardwebhooks library accepts every signature and rejects every changed byte',
  counts: { of: 'signatures', small: 2000, full: 10_000 },
  async run({ count, seed, onProgress }) {
    let done = 0;
    const onCase = (): void => onProgress(++done / 2);
    await checkSignatures({ numRuns: count, seed, onCase });
    await checkMutations({ numRuns: count, seed, onCase });
    return { accepted: count, 'changed bytes rejected': CHANGES_A_MUTATION * count };
  },
};
