import type { LatestValue } from '../../domain/portfolio.ts';
import { PlumblineError } from '../../errors.ts';
import type { NewHome } from '../portfolios.ts';
import { findModel, readCatalog, type MarketEntry } from '../../operations/market-data/market-catalog.ts';
import { MAX_ITEMS } from '../../schemas/batch.ts';
import type { Store } from '../../store/store.ts';
import type { SheetRow } from '../../tables/read-sheet.ts';
import { itemsOf, type ReadItems } from './check-rows.ts';
import type { Result } from './result-columns.ts';
import { submittedPlan, submittedReading, type SubmittedUpload } from './submission.ts';
import { parseResult, resultsOfRows, type FileResults } from './file-results.ts';

/**
 * The valued homes of a file, with their requests, values and loan balances.
 *
 * @throws PlumblineError `conflict` for a file of rents or buildings
 */
export async function homesOfFile(
  { store, readItems }: { readonly store: Store; readonly readItems: ReadItems },
  submitted: SubmittedUpload,
  file: FileResults,
): Promise<NewHome[]> {
  const { submission } = submitted;
  if (submission.kind !== 'property') {
    throw new PlumblineError('conflict', 'Only files of homes can be watched yet.');
  }
  const plan = submittedPlan(submitted);
  const reading = submittedReading(submission);
  const { entries } = await readCatalog(store);
  const homes: NewHome[] = [];
  let waiting: { readonly row: SheetRow; readonly result: Result }[] = [];
  const add = async (): Promise<void> => {
    const items = itemsOf(
      waiting.map(({ row }) => row),
      plan,
    );
    const read = await readItems('property', items, reading);
    for (const [i, { row, result }] of waiting.entries()) {
      homes.push({
        ...read[i],
        balanceUsd: file.readBalance?.(row).balance ?? null,
        latest: latestOf(result, entries),
      });
    }
    waiting = [];
  };
  for await (const { row, result } of resultsOfRows(file, parseResult)) {
    if (result !== null) waiting.push({ row, result });
    if (waiting.length === MAX_ITEMS) await add();
  }
  if (waiting.length > 0) await add();
  return homes;
}

function latestOf(
  { data, error, error_code: errorCode }: Result,
  entries: readonly MarketEntry[],
): LatestValue {
  const location = data?.address_info;
  const value = data?.valuation;
  const modelId = value && 'model' in value ? value.model.id : null;
  return {
    valuationId: value?.valuation_id ?? null,
    marketId: (modelId && findModel(entries, modelId)?.entry.marketId) ?? null,
    address: location?.formatted_address ?? null,
    lat: location?.latitude ?? null,
    lon: location?.longitude ?? null,
    valueUsd: value?.estimated_value ?? null,
    lowUsd: value?.estimated_value_low ?? null,
    highUsd: value?.estimated_value_high ?? null,
    fsd: value?.fsd ?? null,
    errorCode,
    error,
  };
}
