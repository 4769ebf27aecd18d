import type { Located } from '../locate/located.ts';
import { addressInfoOf } from './address-info.ts';
import { CREDITS } from './credits.ts';
import type { Caller, OperationDeps, Priced } from './deps.ts';
import { locateHome } from './locate-place.ts';
import { gatherMultifamilyInputs } from './multifamily/gather-multifamily-inputs.ts';
import { gatherPropertyInputs } from './property/gather-property-inputs.ts';
import { gatherRentalInputs } from './rental/gather-rental-inputs.ts';
import type { InputsOf, RequestOf, ValuationOf, ValuedKind } from './valued-kinds.ts';

/** How the kinds differ before the computation: gathering the inputs, and the price. */
const KINDS: {
  readonly [Kind in ValuedKind]: {
    readonly gatherInputs: (
      deps: OperationDeps,
      located: Located,
      request: RequestOf<Kind>,
    ) => Promise<InputsOf<Kind>>;
    /** Credits without the comparables. */
    readonly credits: (request: RequestOf<Kind>) => number;
  };
} = {
  property: { gatherInputs: gatherPropertyInputs, credits: () => CREDITS.propertyValuation },
  rental: {
    gatherInputs: gatherRentalInputs,
    credits: ({ units }) => CREDITS.rentalValuation + CREDITS.furtherUnit * (units.length - 1),
  },
  multifamily: { gatherInputs: gatherMultifamilyInputs, credits: () => CREDITS.multifamilyValuation },
};

/** The most that a request can cost. A dry run returns this number. */
export function valuationCreditsMax<Kind extends ValuedKind>(kind: Kind, request: RequestOf<Kind>): number {
  return KINDS[kind].credits(request) + CREDITS.comparable * request.search.numComps;
}

/**
 * Values a home, the rents of units, or a building on a date. Before this resolves, the valuation is recorded
 * with everything needed to compute it again.
 *
 * @throws PlumblineError `address_not_found`, `outside_coverage`, `insufficient_data`, `unavailable`
 */
export async function value<Kind extends ValuedKind>(
  deps: OperationDeps,
  kind: Kind,
  request: RequestOf<Kind>,
  caller: Caller,
): Promise<Priced<ValuationOf<Kind>>> {
  return valueLocated(deps, kind, await locateHome(deps, request.location), request, caller);
}

/** The same for a subject that is already located. */
export async function valueLocated<Kind extends ValuedKind>(
  deps: OperationDeps,
  kind: Kind,
  located: Located,
  request: RequestOf<Kind>,
  caller: Caller,
): Promise<Priced<ValuationOf<Kind>>> {
  const inputs = await KINDS[kind].gatherInputs(deps, located, request);
  const valuationId = deps.newId();
  const stop = deps.metrics.valuationSeconds.startTimer({ kind });
  const computed = await deps.computeValue(kind, inputs, valuationId);
  stop();
  const response = { addressInfo: await addressInfoOf(deps.places, located), ...computed };
  const { count } = computed.comparables;
  if (request.search.numComps > 0) deps.metrics.compsFound.observe(count);
  const credits = KINDS[kind].credits(request) + CREDITS.comparable * count;
  const record = {
    valuationId,
    accountId: caller.accountId,
    keyId: caller.keyId,
    kind,
    createdAt: deps.clock().getTime(),
    // A geocoder's result is never stored, because the geocoder's terms forbid it.
    request: JSON.stringify({ ...request, location: { ...request.location, mapsPlace: null } }),
    inputs: JSON.stringify(inputs),
    response: JSON.stringify(response),
    credits,
  };
  await deps.valuationLog.append(record, caller.takeCharge?.(credits) ?? null);
  return { response, credits };
}
