import type { Warning } from '../../domain/warning.ts';
import { asOfEnd } from '../../valuation/columns/sale-columns.ts';
import { missingDetails, type MissingDetails } from '../../valuation/missing-details.ts';
import { valueHome } from '../../valuation/value-home.ts';
import type { DescribedSubject } from './describe-subject.ts';
import type { BoundActiveMarket } from '../markets.ts';
import { marketOfInputs, type InputsDeps } from '../valuation/market-of-inputs.ts';
import { comparableListOf, propertyValueOf } from './property-answer.ts';
import type { PropertyValuation, SearchParams } from './property-valuation.ts';
import { staleMarketWarnings } from '../valuation/stale-market.ts';

/** Everything a property valuation was computed from. */
export interface PropertyInputs {
  readonly modelId: string;
  readonly snapshotSha256: string;
  readonly salesDatasetId: number | null;
  readonly asOf: number;
  readonly search: SearchParams;
  readonly subject: DescribedSubject;
  readonly warnings: readonly Warning[];
}

export type ComputedProperty = Pick<PropertyValuation, 'valuation' | 'comparables'>;

/** @throws PlumblineError `gone` where the model or the data was pruned */
export async function propertyFromInputs(
  deps: InputsDeps,
  inputs: PropertyInputs,
  valuationId: string,
): Promise<ComputedProperty> {
  return computeProperty(await marketOfInputs(deps, inputs, inputs.salesDatasetId), inputs, valuationId);
}

/**
 * What each attribute that neighbours filled in costs the value of these inputs in range.
 *
 * @throws PlumblineError `gone` where the model or the data was pruned
 */
export async function missingDetailsFromInputs(
  deps: InputsDeps,
  inputs: PropertyInputs,
): Promise<MissingDetails> {
  const { asOf, subject } = inputs;
  const { bound } = await marketOfInputs(deps, inputs, inputs.salesDatasetId);
  return missingDetails(bound, subject.home, subject.sources, { asOf, knownBy: asOf });
}

/** The pure middle: same market bytes and same inputs, same answer. */
function computeProperty(
  market: BoundActiveMarket,
  inputs: PropertyInputs,
  valuationId: string,
): ComputedProperty {
  const { asOf, search, subject } = inputs;
  const valued = valueHome(market.bound, subject.home, subject.sources, { asOf, knownBy: asOf }, search);
  const dataSnapshot = market.snapshots.hashOfFirst(asOfEnd(market.columns, asOf));
  const warnings = [
    ...inputs.warnings,
    ...subject.warnings,
    ...staleMarketWarnings(market.bound.salesData, asOf),
  ];
  return {
    valuation: propertyValueOf(valuationId, market, subject, valued, asOf, dataSnapshot, warnings),
    comparables: comparableListOf(market, search, valued),
  };
}
