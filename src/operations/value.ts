import { PlumblineError } from '../errors.ts';
import type { Located } from '../locate/located.ts';
import { type Caller, CREDITS, type OperationDeps, type Priced } from './deps.ts';
import { addressInfoOf, locate } from './locate-place.ts';
import { computeMultifamily } from './multifamily/compute-multifamily.ts';
import { gatherMultifamilyInputs } from './multifamily/gather-multifamily-inputs.ts';
import { computeProperty } from './property/compute-property.ts';
import { gatherInputsWithChanges } from './property/gather-changes.ts';
import { computeRental } from './rental/compute-rental.ts';
import { gatherRentalInputs } from './rental/gather-rental-inputs.ts';
import type { ValuationKind } from '../domain/valuation-kind.ts';
import type { ComputedOf, InputsOf, RequestOf, ValuationOf } from './valuation-types.ts';
import { freeNextChanges, isFreeChange, wouldBeFree } from './free-changes.ts';

/** The three steps of a valuation that differ by kind. */
const KINDS: {
  readonly [Kind in ValuationKind]: {
    readonly gatherInputs: (
      deps: OperationDeps,
      located: Located,
      request: RequestOf<Kind>,
    ) => Promise<InputsOf<Kind>>;
    readonly compute: (
      deps: Pick<OperationDeps, 'markets'>,
      inputs: InputsOf<Kind>,
      valuationId: string,
    ) => Promise<ComputedOf<Kind>>;
    /** Credits without the comparables. */
    readonly credits: (request: RequestOf<Kind>) => number;
  };
} = {
  property: {
    gatherInputs: gatherInputsWithChanges,
    compute: computeProperty,
    credits: () => CREDITS.propertyValuation,
  },
  rental: {
    gatherInputs: gatherRentalInputs,
    compute: computeRental,
    credits: ({ units }) => CREDITS.rentalValuation + CREDITS.furtherUnit * (units.length - 1),
  },
  multifamily: {
    gatherInputs: gatherMultifamilyInputs,
    compute: computeMultifamily,
    credits: () => CREDITS.multifamilyValuation,
  },
};

/** Whether this service can compute valuations of a kind named in the valuation log. */
export function isValuationKind(kind: string): kind is ValuationKind {
  return kind in KINDS;
}

/**
 * Computes a value from its inputs alone; the same inputs always give the same bytes. `deps.computeValue` of new
 * valuations and of replays calls this: a server's in another thread (threads/serving-worker.ts).
 *
 * @throws PlumblineError `gone` if the model or the data was pruned
 */
export function computeFromInputs<Kind extends ValuationKind>(
  deps: Pick<OperationDeps, 'markets'>,
  kind: Kind,
  inputs: InputsOf<Kind>,
  valuationId: string,
): Promise<ComputedOf<Kind>> {
  return KINDS[kind].compute(deps, inputs, valuationId);
}

/** The most that a request can cost a program. */
export function valuationCreditsMax<K extends ValuationKind>(kind: K, request: RequestOf<K>): number {
  return KINDS[kind].credits(request) + CREDITS.comparable * request.search.numComps;
}

/**
 * The most that a request can cost a caller: 0 for a free change in the console, so that it needs no credits. A dry run
 * returns this number.
 */
export async function callerCreditsMax<K extends ValuationKind>(
  deps: OperationDeps,
  kind: K,
  request: RequestOf<K>,
  caller: Caller,
): Promise<number> {
  const { asOf, location } = request;
  const readValued = async () => ({ kind, asOf, located: await locate(deps, location, 'home', asOf) });
  return (await wouldBeFree(deps, caller, readValued)) ? 0 : valuationCreditsMax(kind, request);
}

/**
 * Values a home, the rents of units, or a building on a date. Before this resolves, the valuation is recorded
 * with everything needed to compute it again.
 *
 * @throws PlumblineError `address_not_found`, `outside_coverage`, `insufficient_data`, `unavailable`
 */
export async function value<Kind extends ValuationKind>(
  deps: OperationDeps,
  kind: Kind,
  request: RequestOf<Kind>,
  caller: Caller,
): Promise<Priced<ValuationOf<Kind>>> {
  const located = await deps.tracing.step('locate', () =>
    locate(deps, request.location, 'home', request.asOf),
  );
  return valueLocated(deps, kind, located, request, caller);
}

/** The same for a subject that is already located. */
export async function valueLocated<Kind extends ValuationKind>(
  deps: OperationDeps,
  kind: Kind,
  located: Located,
  request: RequestOf<Kind>,
  caller: Caller,
): Promise<Priced<ValuationOf<Kind>>> {
  const { step } = deps.tracing;
  const inputs = await step('gather inputs', () => KINDS[kind].gatherInputs(deps, located, request));
  const valuationId = deps.newId();
  const stop = deps.metrics.valuationSeconds.startTimer({ kind });
  const computed = await step('compute value', () => deps.computeValue(kind, inputs, valuationId));
  stop();
  for (const { code } of computed.valuation.warnings) deps.metrics.valuationWarnings.inc({ code });
  const response = { addressInfo: await addressInfoOf(deps.places, located), ...computed };
  const { count } = computed.comparables;
  if (request.search.numComps > 0) deps.metrics.compsFound.observe(count);
  const valued = { kind, asOf: request.asOf, located };
  const isFree = await isFreeChange(deps, caller, valued);
  const credits = isFree ? 0 : KINDS[kind].credits(request) + CREDITS.comparable * count;
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
  await step('commit', () => deps.valuationLog.append(record, caller.takeCharge?.(credits) ?? null));
  if (!isFree) await freeNextChanges(deps, caller, valued);
  return { response, credits };
}

/**
 * Why a request would have no value: the errors of `value`, but for those of the computation itself. Null if it would
 * have one. Nothing is computed, recorded or charged.
 */
export async function findObstacle<Kind extends ValuationKind>(
  deps: OperationDeps,
  kind: Kind,
  request: RequestOf<Kind>,
): Promise<PlumblineError | null> {
  try {
    const located = await locate(deps, request.location, 'home', request.asOf);
    await KINDS[kind].gatherInputs(deps, located, request);
    return null;
  } catch (error) {
    if (error instanceof PlumblineError && error.status < 500) return error;
    throw error;
  }
}
