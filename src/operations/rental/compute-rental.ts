import type { Warning } from '../../domain/warning.ts';
import { asOfEnd } from '../../valuation/columns/sale-columns.ts';
import { valueUnits } from '../../valuation/rental/value-units.ts';
import { marketOfInputs, type InputsDeps } from '../valuation/market-of-inputs.ts';
import type { SearchParams } from '../valuation/requests.ts';
import type { Computed, RentalValuation } from '../valuation/responses.ts';
import { staleMarketWarnings } from '../valuation/stale-market.ts';
import { accuracyOf, modelMembers } from '../valuation/value-figures.ts';
import { rentsOfCensus, type CensusRentalInputs } from './census-rent-answer.ts';
import { rentComparablesOf } from './rental-comparables.ts';
import { rentalInputsOf } from './rental-input-list.ts';
import { rentalMembers, totalEstimators } from './rental-response.ts';
import type { DescribedBuilding } from './rental-subject.ts';

/** Everything that a rental valuation by listings was computed from. */
export interface ListedRentalInputs {
  readonly modelId: string;
  readonly snapshotSha256: string;
  readonly rentsDatasetId: number | null;
  readonly asOf: number;
  readonly search: SearchParams;
  readonly building: DescribedBuilding;
  readonly warnings: readonly Warning[];
}

export type RentalInputs = ListedRentalInputs | CensusRentalInputs;

/** @throws PlumblineError `gone` if the model or the data was pruned */
export async function computeRental(
  deps: InputsDeps,
  inputs: RentalInputs,
  valuationId: string,
): Promise<Computed<RentalValuation>> {
  if ('census' in inputs) return rentsOfCensus(inputs, valuationId);
  const market = await marketOfInputs(deps, inputs, inputs.rentsDatasetId);
  const { asOf, search, building } = inputs;
  const { home, units, sources } = building;
  const valued = valueUnits(market.bound, home, units, sources, { asOf, knownBy: asOf }, search);
  const estimates = valued.units.map(({ valued: { estimate, distribution } }) => ({
    pointUsd: estimate.pointUsd,
    distribution,
  }));
  const warnings = [
    ...inputs.warnings,
    ...building.warnings,
    ...staleMarketWarnings(market.bound.salesData, asOf),
  ];
  return {
    valuation: {
      ...rentalMembers(valuationId, building, asOf, { ...valued, units: estimates }),
      estimators: totalEstimators(valued.units),
      inputs: rentalInputsOf(building, valued.units),
      accuracy: accuracyOf(market, home.type),
      model: modelMembers(market, market.snapshots.hashOfFirst(asOfEnd(market.columns, asOf))),
      warnings,
    },
    comparables: rentComparablesOf(market, search, valued, asOf),
  };
}
