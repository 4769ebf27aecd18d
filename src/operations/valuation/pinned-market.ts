import { datasetById, type Dataset } from '../../store/datasets.ts';
import type { Store } from '../../store/store.ts';
import type { BoundActiveMarket, MarketPins, Markets } from '../markets.ts';

/** What it takes to find again what pins name. */
export interface PinDeps {
  readonly store: Store;
  readonly markets: Markets;
}

/**
 * The market that pins name, bound, with the dataset that comparables name as their source.
 *
 * @throws PlumblineError `gone` where the model or the data was pruned
 */
export async function pinnedMarket(
  deps: PinDeps,
  pins: MarketPins,
  evidenceId: number | null,
): Promise<BoundActiveMarket> {
  return { ...(await deps.markets.pinned(pins)), evidence: await datasetOf(deps, evidenceId) };
}

/** Mostly one in force. */
async function datasetOf({ store, markets }: PinDeps, datasetId: number | null): Promise<Dataset | null> {
  if (datasetId === null) return null;
  const inForce = (await markets.datasets()).find((dataset) => dataset.datasetId === datasetId);
  return inForce ?? datasetById(store, datasetId);
}
