import type { Day } from '../../domain/day.ts';
import { currentDataset } from '../../store/datasets.ts';
import type { Store } from '../../store/store.ts';
import { firstTrainableDay } from '../../valuation/model/fit-model.ts';
import { DATASET_OF, MARKET_KINDS, type MarketKind } from '../market-data/market-catalog.ts';
import { readReviewed } from './train.ts';

/** The first day as of which a market can be trained, on its sales or its rents; null if it has too few of all. */
export async function earliestTraining(
  store: Store,
  marketId: string,
  kinds: readonly MarketKind[] = MARKET_KINDS,
): Promise<Day | null> {
  let earliest: Day | null = null;
  for (const kind of kinds) {
    const dataset = await currentDataset(store, marketId, DATASET_OF[kind]);
    if (!dataset?.snapshotSha256) continue;
    const { columns } = await readReviewed(store, dataset, dataset.snapshotSha256);
    const day = firstTrainableDay(columns);
    if (day !== null && (earliest === null || day < earliest)) earliest = day;
  }
  return earliest;
}
