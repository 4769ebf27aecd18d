import { datasetById, type Dataset } from '../../store/datasets.ts';
import type { Store } from '../../store/store.ts';
import type { BoundActiveMarket, MarketInputs, Markets } from '../markets.ts';

/** What is needed to find the model and data that inputs name. */
export interface InputsDeps {
  readonly store: Store;
  readonly markets: Markets;
}

/**
 * The bound market that the inputs name, with the dataset that is the source of the comparables.
 *
 * @throws PlumblineError `gone` if the model or the data was pruned
 */
export async function marketOfInputs(
  deps: InputsDeps,
  inputs: MarketInputs,
  datasetId: number | null,
): Promise<BoundActiveMarket> {
  return { ...(await deps.markets.ofInputs(inputs)), dataset: await datasetOf(deps, datasetId) };
}

/** Usually the current snapshot. */
async function datasetOf({ store, markets }: InputsDeps, datasetId: number | null): Promise<Dataset | null> {
  if (datasetId === null) return null;
  const inForce = (await markets.datasets()).find((dataset) => dataset.datasetId === datasetId);
  return inForce ?? datasetById(store, datasetId);
}
