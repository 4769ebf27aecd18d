import { formatDay } from '../../domain/day.ts';
import type { Located } from '../../locate/located.ts';
import { CREDITS } from '../credits.ts';
import type { Caller, OperationDeps } from '../deps.ts';
import { giveValuation } from '../valuation/give-valuation.ts';
import { locateHome } from '../locate-place.ts';
import { isUncovered, type ActiveMarket } from '../markets.ts';
import type { MultifamilyFromPins, MultifamilyPins, RentPins } from './multifamily-from-pins.ts';
import { describeMultifamily } from './multifamily-subject.ts';
import type { MultifamilyValuation, MultifamilyValuationRequest } from './multifamily-valuation.ts';
import type { SearchParams } from '../property/property-valuation.ts';
import { findRecord } from '../property/value-property.ts';

/** Most credits a request can come to: what a dry run answers. */
export function multifamilyCreditsMax(search: Pick<SearchParams, 'numComps'>): number {
  return CREDITS.multifamilyValuation + CREDITS.comparable * search.numComps;
}

/**
 * Values a building of 2 to 1,000 units as of a day, by three approaches. The answer is recorded, with what it takes to
 * compute it again, before this resolves.
 *
 * @throws PlumblineError `address_not_found`, `outside_coverage`, `insufficient_data`, `unavailable`
 */
export async function valueMultifamily(
  deps: OperationDeps,
  request: MultifamilyValuationRequest,
  caller: Caller,
): Promise<MultifamilyValuation & { readonly credits: number }> {
  return valueMultifamilyAt(deps, await locateHome(deps, request.location), request, caller);
}

/** The same where the building is located already. Sales must cover the place; rents are used where they do too. */
export async function valueMultifamilyAt(
  deps: OperationDeps,
  located: Located,
  request: MultifamilyValuationRequest,
  caller: Caller,
): Promise<MultifamilyValuation & { readonly credits: number }> {
  const market = await deps.markets.at('property', located.lat, located.lon, request.asOf);
  const record = await findRecord(deps, market, located, request.asOf);
  const pins: MultifamilyPins = {
    modelId: market.model.modelId,
    snapshotSha256: market.snapshotSha256,
    salesDatasetId: market.evidence?.datasetId ?? null,
    asOf: request.asOf,
    search: request.search,
    subject: describeMultifamily(request, record, located),
    warnings: [...request.warnings, ...located.warnings],
    rent: await rentPinsOf(deps, market, located, request.asOf),
  };
  const creditsOf = ({ comparables }: MultifamilyFromPins): number =>
    CREDITS.multifamilyValuation + CREDITS.comparable * comparables.count;
  return giveValuation(deps, 'multifamily', { located, request, pins, creditsOf }, caller);
}

/**
 * The models of the market's rents and of its buildings that serve on the day; or, in a sentence, what is missing. The
 * sentence is part of the answer, so it rests on nothing that was imported or listed later.
 */
async function rentPinsOf(
  { markets, assumptionsOf }: OperationDeps,
  { marketId }: ActiveMarket,
  place: Located,
  asOf: number,
): Promise<RentPins> {
  const entry = (await markets.list()).find((candidate) => candidate.marketId === marketId);
  const buildings = entry?.models.findLast(
    (model) => model.kind === 'multifamily' && model.trainedOn <= asOf,
  );
  if (!buildings) {
    return {
      reason:
        `Market ${marketId} has no model of buildings by their rents trained on or before ${formatDay(asOf)}. It takes ` +
        'rents of the market, imported and trained on.',
    };
  }
  try {
    const rental = await markets.at('rental', place.lat, place.lon, asOf);
    if (rental.marketId !== marketId) {
      return {
        reason: `The rents around this point are of market ${rental.marketId}, the sales of market ${marketId}; a multiplier takes both of one.`,
      };
    }
    return {
      rental: { modelId: rental.model.modelId, snapshotSha256: rental.snapshotSha256 },
      buildingsModelId: buildings.modelId,
      assumptions: assumptionsOf(marketId),
    };
  } catch (error) {
    if (!isUncovered(error)) throw error;
    return { reason: `Too few rents around this point were known on ${formatDay(asOf)} to value any by.` };
  }
}
