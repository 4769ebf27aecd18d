import type { Located, LocationRequest } from '../../locate/located.ts';
import { addressInfoOf } from '../address-info.ts';
import type { Caller, OperationDeps } from '../deps.ts';
import type { SearchParams } from '../property/property-valuation.ts';
import type { AnswerOf, ComputedOf, InputsOf, ValuedKind } from './valued-kinds.ts';

/** A valuation that is ready to be computed: all but its arithmetic is done. */
export interface ReadyValuation<Kind extends ValuedKind> {
  readonly located: Located;
  /** As validated; kept beside the answer. */
  readonly request: { readonly location: LocationRequest; readonly search: SearchParams };
  readonly inputs: InputsOf<Kind>;
  readonly creditsOf: (computed: ComputedOf<Kind>) => number;
}

/**
 * Computes a valuation and records it, with what it takes to compute it again, before this resolves.
 *
 * @throws PlumblineError `unavailable` where it could not be recorded
 */
export async function giveValuation<Kind extends ValuedKind>(
  deps: OperationDeps,
  kind: Kind,
  { located, request, inputs, creditsOf }: ReadyValuation<Kind>,
  caller: Caller,
): Promise<AnswerOf<Kind> & { readonly credits: number }> {
  const valuationId = deps.newId();
  const stop = deps.metrics.valuationSeconds.startTimer({ kind });
  const computed = await deps.computeValue(kind, inputs, valuationId);
  stop();
  const answer = { addressInfo: await addressInfoOf(deps.places, located), ...computed };
  const credits = creditsOf(computed);
  if (request.search.numComps > 0) deps.metrics.compsFound.observe(computed.comparables.count);
  const record = {
    valuationId,
    accountId: caller.accountId,
    keyId: caller.keyId,
    kind,
    createdAt: deps.clock().getTime(),
    // A geocoder's answer is read, never kept (contract §1).
    request: JSON.stringify({ ...request, location: { ...request.location, mapsPlace: null } }),
    inputs: JSON.stringify(inputs),
    response: JSON.stringify(answer),
    credits,
  };
  await deps.valuationLog.append(record, caller.takeCharge?.(credits) ?? null);
  return { ...answer, credits };
}
