import { completeAddress as complete } from '../locate/complete-address.ts';
import { addressSources } from '../locate/locate-subject.ts';
import type { OperationDeps } from './deps.ts';

/** A loaded address and its location. */
export interface LoadedAddress {
  readonly formattedAddress: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly marketId: string;
}

/** Suggests loaded addresses that begin with the typed text, best first. */
export async function completeAddress(
  { store, markets }: Pick<OperationDeps, 'store' | 'markets'>,
  text: string,
  most: number,
): Promise<LoadedAddress[]> {
  const datasets = await markets.datasets();
  const sources = await addressSources({ store, listDatasets: async () => datasets });
  const marketOf = new Map(datasets.map(({ datasetId, marketId }) => [datasetId, marketId]));
  const shown = await complete(sources, text, most);
  return shown.map(({ row, formattedAddress }) => ({
    formattedAddress,
    latitude: row.lat,
    longitude: row.lon,
    marketId: marketOf.get(row.datasetId) ?? '',
  }));
}
