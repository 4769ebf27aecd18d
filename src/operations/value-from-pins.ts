import type { Warning } from '../domain/warning.ts';
import { datasetById, type Dataset } from '../store/datasets.ts';
import type { Store } from '../store/store.ts';
import { poolEnd } from '../valuation/columns/sale-columns.ts';
import { valueHome } from '../valuation/value-home.ts';
import type { DescribedSubject } from './describe-subject.ts';
import type { BoundActiveMarket, Markets } from './markets.ts';
import { comparableListOf, propertyValueOf } from './property-answer.ts';
import type { PropertyValuation, SearchParams } from './property-valuation.ts';
import { staleMarketWarnings } from './stale-market.ts';

/** Everything a valuation was computed from. Kept with it, and all that a replay reads. */
export interface ValuationPins {
  readonly modelId: string;
  readonly snapshotSha256: string;
  readonly salesDatasetId: number | null;
  readonly asOf: number;
  readonly search: SearchParams;
  readonly subject: DescribedSubject;
  readonly warnings: readonly Warning[];
}

/** What pins say of the subject's worth: all of an answer but where the subject is. */
export type PinnedValue = Pick<PropertyValuation, 'valuation' | 'comparables'>;

/** Computes what pins pin down, here or in a thread. */
export type ComputeValue = (pins: ValuationPins, valuationId: string) => Promise<PinnedValue>;

/**
 * A value from nothing but its pins: of a new valuation and of one that is replayed, in whichever thread.
 *
 * @throws PlumblineError `gone` where the model or the data was pruned
 */
export async function valueFromPins(
  deps: { readonly store: Store; readonly markets: Markets },
  pins: ValuationPins,
  valuationId: string,
): Promise<PinnedValue> {
  const active = await deps.markets.pinned(pins);
  return computePropertyValue({ ...active, evidence: await salesOf(deps, pins) }, pins, valuationId);
}

/** The dataset that comparables name as their source; mostly one in force. */
async function salesOf(
  { store, markets }: { readonly store: Store; readonly markets: Markets },
  { salesDatasetId }: ValuationPins,
): Promise<Dataset | null> {
  if (salesDatasetId === null) return null;
  const inForce = (await markets.datasets()).find((dataset) => dataset.datasetId === salesDatasetId);
  return inForce ?? datasetById(store, salesDatasetId);
}

/** The pure middle: same market bytes and same pins, same answer. */
function computePropertyValue(
  market: BoundActiveMarket,
  pins: ValuationPins,
  valuationId: string,
): PinnedValue {
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
