import { formatDay } from '../../domain/day.ts';
import type { Warning } from '../../domain/warning.ts';
import type { OperatorAssumptions } from '../../valuation/multifamily/assumptions.ts';
import { MULTIFAMILY } from '../../valuation/multifamily/multifamily-constants.ts';
import {
  valueBuilding,
  type RentApproachModels,
  type ValuedBuilding,
} from '../../valuation/multifamily/value-building.ts';
import type { BoundActiveMarket, MarketInputs, BuildingsMarket } from '../markets.ts';
import { marketOfInputs, type InputsDeps } from '../valuation/market-of-inputs.ts';
import type { PropertyInputs } from '../property/compute-property.ts';
import type { Computed, MultifamilyValuation, MultifamilyValue } from '../valuation/responses.ts';
import { staleMarketWarnings } from '../valuation/stale-market.ts';
import { buildingComparablesOf, multifamilyValueOf } from './multifamily-response.ts';

type RentModels = NonNullable<MultifamilyValue['rentModels']>;

/**
 * The models behind the two rent approaches and the operator's assumptions, or the reason why they are
 * missing.
 */
export type RentInputs =
  | { readonly reason: string }
  | {
      readonly rental: MarketInputs;
      readonly buildingsModelId: string;
      readonly assumptions: OperatorAssumptions;
    };

/** Everything that a building valuation was computed from. */
export interface MultifamilyInputs extends PropertyInputs {
  readonly rent: RentInputs;
}

/** @throws PlumblineError `gone` if the model or the data was pruned */
export async function computeMultifamily(
  deps: InputsDeps,
  inputs: MultifamilyInputs,
  valuationId: string,
): Promise<Computed<MultifamilyValuation>> {
  const market = await marketOfInputs(deps, inputs, inputs.salesDatasetId);
  const { approaches, rentModels } = await rentModelsOf(deps, inputs.rent);
  const { asOf, search, subject } = inputs;
  const moment = { asOf, knownBy: asOf };
  const valued = valueBuilding(market.bound, approaches, subject.home, subject.sources, moment, search);
  const warnings = warningsOf(market, inputs, valued);
  return {
    valuation: multifamilyValueOf(valuationId, market, inputs, valued, { rentModels, warnings }),
    comparables: buildingComparablesOf(market, search, valued),
  };
}

async function rentModelsOf(
  { markets }: InputsDeps,
  inputs: RentInputs,
): Promise<{ readonly approaches: RentApproachModels; readonly rentModels: RentModels | null }> {
  if ('reason' in inputs) return { approaches: inputs, rentModels: null };
  const rental = await markets.ofInputs(inputs.rental);
  const buildings = await markets.buildingsOf(inputs.buildingsModelId, inputs.assumptions);
  if (buildings.bound === null) return { approaches: { reason: tooFew(buildings) }, rentModels: null };
  return {
    approaches: { rental: rental.bound, buildings: buildings.bound },
    rentModels: { rental: modelOf(rental), multifamily: modelOf(buildings) },
  };
}

function tooFew({ model, sold }: BuildingsMarket): string {
  return (
    `Market ${model.marketId} had sales of ${sold} buildings with known unit counts on ${formatDay(model.trainedOn)}; ` +
    `a multiplier needs ${MULTIFAMILY.minBuildings}.`
  );
}

function modelOf({ model }: Pick<BoundActiveMarket, 'model'>): RentModels['rental'] {
  return { id: model.modelId, version: formatDay(model.trainedOn), sha256: model.sha256 };
}

function warningsOf(market: BoundActiveMarket, inputs: MultifamilyInputs, valued: ValuedBuilding): Warning[] {
  return [
    ...inputs.warnings,
    ...inputs.subject.warnings,
    ...staleMarketWarnings(market.bound.salesData, inputs.asOf),
    ...(valued.isLimitedToSales ? [HELD] : []),
    ...(valued.disagreement > 1 ? [DISSENT] : []),
  ];
}

const DISSENT: Warning = {
  code: 'approaches_disagree',
  field: null,
  message:
    'The approaches differ more than in 95% of sales of buildings of this size, so the interval was ' +
    'widened in proportion. The building may be unlike any that was sold here.',
};

const HELD: Warning = {
  code: 'held_to_property_value',
  field: null,
  message:
    'The rent approaches differ from the property value by more than in 95% of sales of such buildings, ' +
    'so their weights were reduced to that limit.',
};
