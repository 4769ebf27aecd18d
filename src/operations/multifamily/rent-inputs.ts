import { formatDay, type Day } from '../../domain/day.ts';
import type { OperationDeps } from '../deps.ts';
import { isUncovered, type Markets } from '../markets.ts';
import type { RentInputs } from './compute-multifamily.ts';

interface RentPinDeps extends Pick<OperationDeps, 'assumptionsOf'> {
  readonly markets: Pick<Markets, 'at' | 'list'>;
}

/**
 * The models of the market's rents and of its buildings that serve on the day; or, in a sentence, what is missing. The
 * sentence is part of the answer, so it rests on nothing that was imported or listed later.
 *
 * @throws what the markets throw but for a place or a day that rents do not cover
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
    // The very model whose rents the multipliers were taught with, though rents were trained alone since: what it gets
    // wrong of the sales and of the building cancels, what another gets wrong does not.
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
    return { reason: `Too few rents around this point were known on ${formatDay(asOf)} to value any by.` };
  }
}
