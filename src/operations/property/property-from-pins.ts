import type { Warning } from '../../domain/warning.ts';
import { poolEnd } from '../../valuation/columns/sale-columns.ts';
import { rangeCosts, type RangeCosts } from '../../valuation/range-costs.ts';
import { valueHome } from '../../valuation/value-home.ts';
import type { DescribedSubject } from './describe-subject.ts';
import type { BoundActiveMarket } from '../markets.ts';
import { pinnedMarket, type PinDeps } from '../valuation/pinned-market.ts';
import { comparableListOf, propertyValueOf } from './property-answer.ts';
import type { PropertyValuation, SearchParams } from './property-valuation.ts';
import { staleMarketWarnings } from '../valuation/stale-market.ts';

/** Everything a property valuation was computed from. */
export interface PropertyPins {
  readonly modelId: string;
  readonly snapshotSha256: string;
  readonly salesDatasetId: number | null;
  readonly asOf: number;
  readonly search: SearchParams;
  readonly subject: DescribedSubject;
  readonly warnings: readonly Warning[];
}

export type PropertyFromPins = Pick<PropertyValuation, 'valuation' | 'comparables'>;

/** @throws PlumblineError `gone` where the model or the data was pruned */
export async function propertyFromPins(
  deps: PinDeps,
  pins: PropertyPins,
  valuationId: string,
): Promise<PropertyFromPins> {
  return computeProperty(await pinnedMarket(deps, pins, pins.salesDatasetId), pins, valuationId);
}

/**
 * What each attribute that neighbours filled in costs the value of these pins in range.
 *
 * @throws PlumblineError `gone` where the model or the data was pruned
 */
export async function rangeCostsFromPins(deps: PinDeps, pins: PropertyPins): Promise<RangeCosts> {
  const { asOf, subject } = pins;
  const { bound } = await pinnedMarket(deps, pins, pins.salesDatasetId);
  return rangeCosts(bound, subject.home, subject.sources, { asOf, knownBy: asOf });
}

/** The pure middle: same market bytes and same pins, same answer. */
function computeProperty(
  market: BoundActiveMarket,
  pins: PropertyPins,
  valuationId: string,
): PropertyFromPins {
  const { asOf, search, subject } = pins;
  const valued = valueHome(market.bound, subject.home, subject.sources, { asOf, knownBy: asOf }, search);
  const dataSnapshot = market.snapshots.hashOfFirst(poolEnd(market.columns, asOf));
  const warnings = [
    ...pins.warnings,
    ...subject.warnings,
    ...staleMarketWarnings(market.bound.evidence, asOf),
  ];
  return {
    valuation: propertyValueOf(valuationId, market, subject, valued, asOf, dataSnapshot, warnings),
    comparables: comparableListOf(market, search, valued),
  };
}
