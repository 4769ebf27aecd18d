import { PlumblineError } from '../errors.ts';
import { value } from '../operations/value.ts';
import type { ValuationKind } from '../domain/valuation-kind.ts';
import type { RequestOf } from '../operations/valuation-types.ts';
import type { ClaimedItem } from '../store/job-queue.ts';
import { failedItem, type ItemOutcome } from '../store/job-results.ts';
import type { ValuationLog } from '../store/valuation-log.ts';
import { kindOfJob } from './item-kinds.ts';
import { SWEEP_TASK, type StoredJob } from '../store/tables/jobs.ts';
import type { ItemDeps, ItemEnd } from './item-end.ts';
import { valueRange } from './value-range.ts';
import type { ValuationRecord } from '../store/tables/accounts.ts';

/** After this many claims an item is not retried, because each claim ended with the death of a process or thread. */
const MAX_ATTEMPTS = 5;

const POISON = {
  code: 'poison',
  sentence: 'Valuing this item ended its worker five times. Please report it. Other items are not affected.',
} as const;

const INTERNAL_ERROR = {
  code: 'internal_error',
  sentence:
    'The service failed to value this item. Report the job and the index to the operator of the service.',
} as const;

/** Values one item exactly as a single valuation would. Its log record is written later, with the chunk. */
export async function valueItem(deps: ItemDeps, job: StoredJob, item: ClaimedItem): Promise<ItemEnd> {
  const { itemNo } = item;
  const isGivenUp = item.attempts > MAX_ATTEMPTS;
  if (job.task === SWEEP_TASK) return valueRange(deps, job, item, isGivenUp ? POISON : null);
  if (isGivenUp) return { outcome: failedItem(itemNo, POISON) };
  const logged: ValuationRecord[] = [];
  const operations = { ...deps.operations, valuationLog: keepIn(logged) };
  const kind = kindOfJob(job);
  try {
    const request: RequestOf<ValuationKind> = JSON.parse(item.request);
    const caller = { accountId: job.accountId, keyId: job.keyId };
    const { credits } = await value(operations, kind, request, caller);
    const [valuation] = logged;
    return { outcome: { itemNo, data: null, error: null, valuation, credits } };
  } catch (error) {
    if (error instanceof PlumblineError && error.status < 500) {
      return { outcome: failedItem(itemNo, { code: error.code, sentence: error.message }) };
    }
    if (error instanceof PlumblineError && error.code !== 'internal_error') return { unavailable: error };
    deps.log.error({ err: error, jobId: job.jobId, itemNo }, 'an item of a batch could not be valued');
    return { outcome: asInternalError(itemNo) };
  }
}

export function asInternalError(itemNo: number): ItemOutcome {
  return failedItem(itemNo, INTERNAL_ERROR);
}

/**
 * A log that only collects. The result, charge and log record of an item are committed together when its
 * chunk ends.
 */
function keepIn(records: ValuationRecord[]): ValuationLog {
  return {
    append: async (record) => {
      records.push(record);
    },
    charge: async () => {
      throw new Error('items are charged with their results');
    },
    close: async () => {},
  };
}
