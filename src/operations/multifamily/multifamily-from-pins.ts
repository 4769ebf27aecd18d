import { formatDay } from '../../domain/day.ts';
import type { Warning } from '../../domain/warning.ts';
import { poolEnd } from '../../valuation/columns/sale-columns.ts';
import type { OperatorAssumptions } from '../../valuation/multifamily/assumptions.ts';
import { MULTIFAMILY } from '../../valuation/multifamily/multifamily-constants.ts';
import {
  valueBuilding,
  type RentEvidence,
  type ValuedBuilding,
} from '../../valuation/multifamily/value-building.ts';
import type { BoundActiveMarket, MarketPins, PinnedBuildings } from '../markets.ts';
import { buildingComparablesOf, multifamilyValueOf } from './multifamily-answer.ts';
import type { MultifamilyValuation, RentModels } from './multifamily-valuation.ts';
import { pinnedMarket, type PinDeps } from '../valuation/pinned-market.ts';
import type { PropertyPins } from '../property/property-from-pins.ts';
import { staleMarketWarnings } from '../valuation/stale-market.ts';

/** The models behind the approaches by rent, and the operator's assumptions; or why there are none. */
export type RentPins =
  | { readonly reason: string }
  | {
      readonly rental: MarketPins;
      readonly buildingsModelId: string;
      readonly assumptions: OperatorAssumptions;
    };

/** Everything a valuation of a building was computed from. */
export interface MultifamilyPins extends PropertyPins {
  readonly rent: RentPins;
}

export type MultifamilyFromPins = Pick<MultifamilyValuation, 'valuation' | 'comparables'>;

/** @throws PlumblineError `gone` where a model or the data was pruned */
export async function multifamilyFromPins(
  deps: PinDeps,
  pins: MultifamilyPins,
  valuationId: string,
): Promise<MultifamilyFromPins> {
  const market = await pinnedMarket(deps, pins, pins.salesDatasetId);
  const { evidence, models } = await rentEvidenceOf(deps, pins.rent);
  const { asOf, search, subject } = pins;
  const moment = { asOf, knownBy: asOf };
  const valued = valueBuilding(market.bound, evidence, subject.home, subject.sources, moment, search);
  const warnings = warningsOf(market, pins, valued);
  return {
    valuation: multifamilyValueOf(valuationId, market, subject, valued, {
      asOf,
      dataSnapshot: market.snapshots.hashOfFirst(poolEnd(market.columns, asOf)),
      rentModels: models,
      warnings,
    }),
    comparables: buildingComparablesOf(market, search, valued),
  };
}

async function rentEvidenceOf(
  { markets }: PinDeps,
  pins: RentPins,
): Promise<{ readonly evidence: RentEvidence; readonly models: RentModels | null }> {
  if ('reason' in pins) return { evidence: pins, models: null };
  const rental = await markets.pinned(pins.rental);
  const buildings = await markets.pinnedBuildings(pins.buildingsModelId, pins.assumptions);
  if (buildings.bound === null) return { evidence: { reason: tooFew(buildings) }, models: null };
  return {
    evidence: { rental: rental.bound, buildings: buildings.bound },
    models: { rental: modelOf(rental), multifamily: modelOf(buildings) },
  };
}

function tooFew({ model, sold }: PinnedBuildings): string {
  return (
    `Market ${model.marketId} knew sales of ${sold} buildings with counted units on ${formatDay(model.trainedOn)}; ` +
    `a multiplier takes ${MULTIFAMILY.minBuildings}.`
  );
}

function modelOf({ model }: Pick<BoundActiveMarket, 'model'>): RentModels['rental'] {
  return { id: model.modelId, version: formatDay(model.trainedOn), sha256: model.sha256 };
}

function warningsOf(market: BoundActiveMarket, pins: MultifamilyPins, valued: ValuedBuilding): Warning[] {
  return [
    ...pins.warnings,
    ...pins.subject.warnings,
    ...staleMarketWarnings(market.bound.evidence, pins.asOf),
    ...(valued.isHeld ? [HELD] : []),
    ...(valued.dissent > 1 ? [DISSENT] : []),
  ];
}

const DISSENT: Warning = {
  code: 'approaches_disagree',
  field: null,
  message:
    'The approaches stand farther apart than they did on 95 of 100 sales of buildings of this size, so the interval was ' +
    'widened in proportion. The building may be like none that was sold here.',
};

const HELD: Warning = {
  code: 'held_to_property_value',
  field: null,
  message:
    'The approaches by rent stand farther from the value as property than they did on 95 of 100 sales of such buildings, ' +
    'so their weights were lowered until the two differ by that much.',
};
