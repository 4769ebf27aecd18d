import type { Warning } from '../../domain/warning.ts';
import { asOfEnd } from '../../valuation/columns/sale-columns.ts';
import { valueUnits } from '../../valuation/rental/value-units.ts';
import { rentalFromCensus, type CensusRentalInputs } from './census-rent-answer.ts';
import type { BoundActiveMarket } from '../markets.ts';
import { marketOfInputs, type InputsDeps } from '../valuation/market-of-inputs.ts';
import type { SearchParams } from '../property/property-valuation.ts';
import { rentalValueOf } from './rental-answer.ts';
import { rentComparablesOf } from './rental-comparables.ts';
import type { DescribedBuilding } from './rental-subject.ts';
import type { RentalValuation } from './rental-valuation.ts';
import { staleMarketWarnings } from '../valuation/stale-market.ts';

/** Everything a valuation of rents was computed from, where listings told them. */
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

export type ComputedRental = Pick<RentalValuation, 'valuation' | 'comparables'>;

/** @throws PlumblineError `gone` where the model or the data was pruned */
export async function rentalFromInputs(
  deps: InputsDeps,
  inputs: RentalInputs,
  valuationId: string,
): Promise<ComputedRental> {
  if ('census' in inputs) return rentalFromCensus(inputs, valuationId);
  return computeRental(await marketOfInputs(deps, inputs, inputs.rentsDatasetId), inputs, valuationId);
}

/** The pure middle: same market bytes and same inputs, same answer. */
function computeRental(
  market: BoundActiveMarket,
  inputs: ListedRentalInputs,
  valuationId: string,
): ComputedRental {
  const { asOf, search, building } = inputs;
  const moment = { asOf, knownBy: asOf };
  const { home, units, sources } = building;
  const valued = valueUnits(market.bound, home, units, sources, moment, search);
  const dataSnapshot = market.snapshots.hashOfFirst(asOfEnd(market.columns, asOf));
  const warnings = [
    ...inputs.warnings,
    ...building.warnings,
    ...staleMarketWarnings(market.bound.salesData, asOf),
  ];
  return {
    valuation: rentalValueOf(valuationId, market, building, valued, asOf, dataSnapshot, warnings),
    comparables: rentComparablesOf(market, search, valued, asOf),
  };
}
