import type { PlaceDeps } from '../../places/deps.ts';
import type { OperationDeps } from '../deps.ts';
import type { Markets } from '../market-data/markets.ts';
import { createAreaGroups } from './area-groups.ts';
import { createMarketAreas } from './market-areas.ts';
import { createMarketIndex } from './market-index.ts';

/** Computes indexes from models and data. One per thread. */
export function openMarketTrends(deps: {
  readonly markets: Markets;
  readonly places: PlaceDeps;
}): Pick<OperationDeps, 'computeMarketIndex' | 'computeMarketAreas'> {
  const groups = createAreaGroups(deps);
  return {
    computeMarketIndex: createMarketIndex(deps.markets, groups),
    computeMarketAreas: createMarketAreas(deps, groups),
  };
}
