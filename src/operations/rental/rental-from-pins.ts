import type { Warning } from '../../domain/warning.ts';
import { poolEnd } from '../../valuation/columns/sale-columns.ts';
import { valueUnits } from '../../valuation/rental/value-units.ts';
import { rentalFromCensus, type CensusRentalPins } from './census-rent-answer.ts';
import type { BoundActiveMarket } from '../markets.ts';
import { pinnedMarket, type PinDeps } from '../valuation/pinned-market.ts';
import type { SearchParams } from '../property/property-valuation.ts';
import { rentalValueOf } from './rental-answer.ts';
import { rentComparablesOf } from './rental-comparables.ts';
import type { DescribedBuilding } from './rental-subject.ts';
import type { RentalValuation } from './rental-valuation.ts';
import { staleMarketWarnings } from '../valuation/stale-market.ts';

/** Everything a valuation of rents was computed from, where listings told them. */
export interface ListedRentalPins {
  readonly modelId: string;
  readonly snapshotSha256: string;
  readonly rentsDatasetId: number | null;
  readonly asOf: number;
  readonly search: SearchParams;
  readonly building: DescribedBuilding;
  readonly warnings: readonly Warning[];
}

export type RentalPins = ListedRentalPins | CensusRentalPins;

export type RentalFromPins = Pick<RentalValuation, 'valuation' | 'comparables'>;

/** @throws PlumblineError `gone` where the model or the data was pruned */
export async function rentalFromPins(
  deps: PinDeps,
  pins: RentalPins,
  valuationId: string,
): Promise<RentalFromPins> {
  if ('census' in pins) return rentalFromCensus(pins, valuationId);
  return computeRental(await pinnedMarket(deps, pins, pins.rentsDatasetId), pins, valuationId);
}

/** The pure middle: same market bytes and same pins, same answer. */
function computeRental(
  market: BoundActiveMarket,
  pins: ListedRentalPins,
  valuationId: string,
): RentalFromPins {
  const { asOf, search, building } = pins;
  const moment = { asOf, knownBy: asOf };
  const { home, units, sources } = building;
  const valued = valueUnits(market.bound, home, units, sources, moment, search);
  const dataSnapshot = market.snapshots.hashOfFirst(poolEnd(market.columns, asOf));
  const warnings = [
    ...pins.warnings,
    ...building.warnings,
    ...staleMarketWarnings(market.bound.evidence, asOf),
  ];
  return {
    valuation: rentalValueOf(valuationId, market, building, valued, asOf, dataSnapshot, warnings),
    comparables: rentComparablesOf(market, search, valued, asOf),
  };
}
