import { formatDay, type Day } from '../../domain/day.ts';
import type { OperationDeps } from '../deps.ts';
import { isUncovered, type Markets } from '../markets.ts';
import type { RentInputs } from './compute-multifamily.ts';

interface RentPinDeps extends Pick<OperationDeps, 'assumptionsOf'> {
  readonly markets: Pick<Markets, 'at' | 'list'>;
}

/**
 * The rental and multifamily models of the market that are active on the day, or a sentence that names what
 * is missing. The sentence is part of the response, so it depends on nothing imported or listed later.
 *
 * @throws errors of the markets, except those for a place or day that rents do not cover
 */
export async function rentInputsAt(
  { markets, assumptionsOf }: RentPinDeps,
  marketId: string,
  place: { readonly lat: number; readonly lon: number },
  asOf: Day,
): Promise<RentInputs> {
  const entry = (await markets.list()).find((candidate) => candidate.marketId === marketId);
  const buildings = entry?.models.findLast(
    (model) => model.kind === 'multifamily' && model.trainedOn <= asOf,
  );
  if (!buildings) {
    return {
      reason:
        `Market ${marketId} has no multifamily model trained on or before ${formatDay(asOf)}. It needs ` +
        'imported rents of the market and a training.',
    };
  }
  try {
    const rental = await markets.at('rental', place.lat, place.lon, asOf);
    if (rental.marketId !== marketId) {
      return {
        reason: `The rents around this point are in market ${rental.marketId} and the sales in market ${marketId}; a multiplier needs both in one market.`,
      };
    }
    // Uses the rental model that the multipliers were trained with, even if a newer rental model exists. An
    // error of that model affects the training sales and this building alike, so it cancels out. An error of
    // another model does not.
    const taughtBy = entry?.models.findLast(
      (model) => model.kind === 'rental' && model.trainedOn === buildings.trainedOn,
    );
    const { modelId } = taughtBy ?? rental.model;
    return {
      rental: { modelId, snapshotSha256: rental.snapshotSha256 },
      buildingsModelId: buildings.modelId,
      assumptions: assumptionsOf(marketId),
    };
  } catch (error) {
    if (!isUncovered(error)) throw error;
    return { reason: `Too few rents around this point were known on ${formatDay(asOf)} to estimate rents.` };
  }
}
