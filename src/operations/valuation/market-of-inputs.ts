import { datasetById, type Dataset } from '../../store/datasets.ts';
import type { Store } from '../../store/store.ts';
import type { BoundActiveMarket, MarketInputs, Markets } from '../markets.ts';

/** What it takes to find again what inputs name. */
export interface InputsDeps {
  readonly store: Store;
  readonly markets: Markets;
}

/**
 * The market that inputs name, bound, with the dataset that comparables name as their source.
 *
 * @throws PlumblineError `gone` where the model or the data was pruned
 */
export async function marketOfInputs(
  deps: InputsDeps,
  inputs: MarketInputs,
  datasetId: number | null,
): Promise<BoundActiveMarket> {
  return { ...(await deps.markets.ofInputs(inputs)), dataset: await datasetOf(deps, datasetId) };
}

/** Mostly one in force. */
async function datasetOf({ store, markets }: InputsDeps, datasetId: number | null): Promise<Dataset | null> {
  if (datasetId === null) return null;
  const inForce = (await markets.datasets()).find((dataset) => dataset.datasetId === datasetId);
  return inForce ?? datasetById(store, datasetId);
}
