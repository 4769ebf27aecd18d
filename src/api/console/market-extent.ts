import { boundsAround, type Bounds } from '../../geo/bounds.ts';
import type { MarketEntry } from '../../operations/markets.ts';
import type { Dataset } from '../../store/datasets.ts';

/** Around what values are made of; where there is none of it, around what is known of places. */
export function extentOf({ sales, rents, parcels, addresses, layers }: MarketEntry): Bounds | null {
  return around([sales, rents, parcels, addresses]) ?? around(layers);
}

function around(datasets: readonly (Dataset | null)[]): Bounds | null {
  return boundsAround(datasets.flatMap((dataset) => dataset?.bounds ?? []));
}
