import { newId } from '../../../src/cli/configured-store.ts';
import { ensureMarket } from '../../../src/store/datasets.ts';
import { insertJob } from '../../../src/store/submit-job.ts';
import type { Store } from '../../../src/store/store.ts';
import { insertParcelValues, insertSweep } from '../../../src/store/sweeps.ts';
import { SWEEP_TASK } from '../../../src/store/tables/jobs.ts';
import type { ParcelValue } from '../../../src/store/tables/sweeps.ts';
import { inTransaction } from '../../../src/store/transaction.ts';

interface AddedSweep {
  readonly marketId?: string;
  readonly values?: readonly ParcelValue[];
  /** Null: it has not ended. */
  readonly endedAt?: number | null;
  /** The requests of its job. */
  readonly ranges?: number;
}

/** A sweep of market `m` with values that nobody computed. Returns its id. */
export async function addSweep(
  store: Store,
  accountId: string,
  { marketId = 'm', values = [], endedAt = null, ranges = 0 }: AddedSweep = {},
): Promise<string> {
  const jobId = newId();
  await ensureMarket(store, marketId);
  const job = { jobId, accountId, keyId: null, task: SWEEP_TASK, total: ranges, createdAt: 1 };
  const alone = { hasHold: false, notifyUrl: null, parentJobId: null };
  const counts = { parcelsDatasetId: 1, parcelCount: values.length };
  await inTransaction(store, async (transaction) => {
    const items = Array.from({ length: ranges }, (_, itemNo) => ({
      itemNo,
      propertyId: null,
      request: '{}',
    }));
    await insertJob(store, transaction, { ...job, ...alone }, items);
    await insertSweep(transaction, { jobId, marketId, asOf: 0, modelId: 'm', inputs: '{}', ...counts });
    await insertParcelValues(store, transaction, jobId, values);
    if (endedAt === null) return;
    const ended = { status: 'complete', finishedAt: endedAt } as const;
    await transaction.updateTable('jobs').set(ended).where('jobId', '=', jobId).execute();
  });
  return jobId;
}
