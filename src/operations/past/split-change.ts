import { isFailure } from '../../errors.ts';
import { findValuation } from '../../store/valuation-log.ts';
import type { ValuationRecord } from '../../store/tables/accounts.ts';
import type { OperationDeps } from '../deps.ts';
import { findModel, readCatalog, type MarketEntry } from '../market-data/market-catalog.ts';
import { propertyInputsOf } from './past-valuations.ts';
import type { DescribedSubject, PropertyInputs, ValuationOf } from '../valuation-types.ts';

/** Why the value of a home differs from an earlier one, in whole dollars: after = before + the sum of these. */
export interface SplitChange {
  readonly market: number;
  readonly comparables: number;
  readonly facts: number;
  readonly model: number;
}

export type SplitDeps = Pick<
  OperationDeps,
  'store' | 'markets' | 'computeValueAside' | 'computePricePath' | 'newId'
>;

/**
 * Splits the change between two home valuations of an account, in this order: the price index at the home, on the earlier
 * date as known then against the later date as known now (market); the rest of what the model of then changes with the later date
 * and the newer data (comparables); with the newer details of the home (facts); the rest is the model.
 *
 * @returns null if one of them is missing or no home, if they are of different markets, or if the model or the data of
 *   then were deleted
 */
export async function splitChange(
  deps: SplitDeps,
  accountId: string,
  beforeId: string,
  afterId: string,
): Promise<SplitChange | null> {
  const [before, after] = await Promise.all(
    [beforeId, afterId].map((id) => findValuation(deps.store, accountId, id)),
  );
  if (before?.kind !== 'property' || after?.kind !== 'property') return null;
  const [then, now] = [propertyInputsOf(before), propertyInputsOf(after)];
  if (!(await areOfOneMarket(deps, then, now))) return null;
  const { modelId, layerIds } = then;
  const subject = withFeaturesOf(then.subject, now.subject);
  const later = { ...now, subject, modelId, layerIds, search: { ...now.search, numComps: 0 } };
  const pointOf = async (inputs: PropertyInputs): Promise<number> =>
    (await deps.computeValueAside('property', inputs, deps.newId())).valuation.pointValue;
  try {
    const asThen = { ...later, subject: then.subject };
    const moved = await pointOf(asThen);
    const described = await pointOf(later);
    const [indexThen, indexNow] = await Promise.all(
      [then, asThen].map((inputs) => deps.computePricePath({ inputs, days: [] })),
    );
    const earlier = storedPoint(before);
    const moves = Math.exp(indexNow.sinceTraining - indexThen.sinceTraining);
    const market = Math.round(earlier * moves) - earlier;
    return {
      market,
      comparables: moved - earlier - market,
      facts: described - moved,
      model: storedPoint(after) - described,
    };
  } catch (error) {
    if (isFailure(error, 'gone')) return null;
    throw error;
  }
}

/**
 * The later description of a home. Features that the model of now does not use were not looked up: they stay as they were, or
 * their loss would count as another fact.
 */
function withFeaturesOf(then: DescribedSubject, now: DescribedSubject): DescribedSubject {
  return { ...now, home: { ...now.home, features: { ...then.home.features, ...now.home.features } } };
}

/** Another thread may have valued by a model that this thread's cached catalog lacks. */
async function areOfOneMarket(
  { store, markets }: Pick<OperationDeps, 'store' | 'markets'>,
  ...inputs: readonly PropertyInputs[]
): Promise<boolean> {
  const areIn = (entries: readonly MarketEntry[]): boolean => {
    const [market, ...others] = inputs.map(({ modelId }) => findModel(entries, modelId)?.entry.marketId);
    return market !== undefined && others.every((other) => other === market);
  };
  return areIn(await markets.list()) || areIn((await readCatalog(store)).entries);
}

function storedPoint({ response }: ValuationRecord): number {
  const recorded: ValuationOf<'property'> = JSON.parse(response);
  return recorded.valuation.pointValue;
}
