import { PlumblineError } from '../errors.ts';
import { CREDITS } from '../operations/deps.ts';
import { valueParcels, withoutValue, type SweepInputs } from '../operations/sweep/value-parcels.ts';
import type { MarketInputs } from '../operations/market-data/market-catalog.ts';
import type { ClaimedItem } from '../store/job-queue.ts';
import { failedItem, type ItemOutcome } from '../store/job-results.ts';
import { parseJsonText } from '../store/json-text.ts';
import { readParcelsBetween } from '../store/property-records.ts';
import { sweepOfJob, type ParcelRange, type SweepRow } from '../store/sweeps.ts';
import type { StoredJob } from '../store/tables/jobs.ts';
import type { ParcelValue } from '../store/tables/sweeps.ts';
import type { ItemDeps, ItemEnd } from './item-end.ts';

/** How many parcels of a range have a value, and how many have each error. */
export interface RangeCounts {
  readonly valued: number;
  readonly errors: Readonly<Record<string, number>>;
}

function inputsOfSweep({ marketId, asOf, inputs, parcelsDatasetId }: SweepRow): SweepInputs {
  return { marketId, asOf, parcelsDatasetId, inputs: parseJsonText<MarketInputs>(inputs) };
}

/**
 * Values the parcels of one item of a sweep. Its outcome contains the values, which are written with it.
 *
 * @param failure why the range is given up: then each of its parcels has this error
 */
export async function valueRange(
  { operations, log }: ItemDeps,
  { jobId }: StoredJob,
  { itemNo, request }: Pick<ClaimedItem, 'itemNo' | 'request'>,
  failure: { readonly code: string } | null,
): Promise<ItemEnd> {
  try {
    const sweep = await sweepOfJob(operations.store.db, jobId);
    // An error that is thrown here would return the item to the queue, again and again.
    if (sweep === null) return { outcome: gone(itemNo, 'The market of the sweep was deleted.') };
    const { first, last, count } = parseJsonText<ParcelRange>(request);
    const parcels = await readParcelsBetween(operations.store, sweep.parcelsDatasetId, first, last);
    if (parcels.length < count) return { outcome: gone(itemNo, PARCELS_GONE) };
    const values =
      failure === null
        ? await valueParcels(operations, inputsOfSweep(sweep), parcels, (error, parcelId) =>
            log.error({ err: error, jobId, parcelId }, 'a parcel of a sweep could not be valued'),
          )
        : parcels.map(({ parcelId }) => withoutValue(parcelId, failure.code));
    return { outcome: outcomeOf(itemNo, values) };
  } catch (error) {
    if (error instanceof PlumblineError && error.status >= 500) return { unavailable: error };
    throw error;
  }
}

/** Rows of a version are deleted some time after a newer one was imported. */
const PARCELS_GONE = 'The parcels were imported again and these are no longer kept. Start a new sweep.';

function gone(itemNo: number, sentence: string): ItemOutcome {
  return failedItem(itemNo, { code: 'gone', sentence });
}

function outcomeOf(itemNo: number, parcelValues: readonly ParcelValue[]): ItemOutcome {
  const errors: Record<string, number> = {};
  let valued = 0;
  for (const { errorCode } of parcelValues) {
    if (errorCode === null) valued++;
    else errors[errorCode] = (errors[errorCode] ?? 0) + 1;
  }
  const counts: RangeCounts = { valued, errors };
  const credits = valued * CREDITS.sweptParcel;
  return { itemNo, data: JSON.stringify(counts), error: null, valuation: null, credits, parcelValues };
}
