import type { OperationDeps } from '../operations/deps.ts';
import { readValuation, replayValuation } from '../operations/replay-valuation.ts';
import { propertyCreditsMax, valueProperty } from '../operations/value-property.ts';
import type { Operations } from './deps.ts';

/** The operations that routes call, holding their deps. */
export function bindOperations(deps: OperationDeps): Operations {
  return {
    propertyCreditsMax,
    valueProperty: (request, caller) => valueProperty(deps, request, caller),
    readValuation: (id, caller) => readValuation(deps, id, caller),
    replayValuation: (id, caller) => replayValuation(deps, id, caller),
    listMarkets: () => deps.markets.list(),
  };
}
