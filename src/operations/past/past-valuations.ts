import { isFailure, PlumblineError } from '../../errors.ts';
import type { ComparableRecordsBody } from '../../schemas/challenges.ts';
import type { ResponseOf } from '../../schemas/member-names.ts';
import type { ActiveMarket } from '../market-data/markets.ts';
import { recordMembers, recordsOfComparables } from '../property/comparable-records.ts';
import { ownSales } from '../property/price-path.ts';
import { isValuationKind } from '../value.ts';
import type { Caller, OperationDeps } from '../deps.ts';
import type { ValuationKind } from '../../domain/valuation-kind.ts';
import type { InputsOf, PricePath, PropertyInputs, RentalInputs, ValuationOf } from '../valuation-types.ts';
import { findValuation } from '../../store/valuation-log.ts';
import type { MissingDetails } from '../../valuation/missing-details.ts';
import type { ValuationRecord } from '../../store/tables/accounts.ts';

/** A past valuation, computed again from the same model, data and subject. */
interface Replay {
  readonly valuationId: string;
  /** Whether the two responses have the same bytes. */
  readonly agrees: boolean;
  readonly original: ValuationOf<ValuationKind>;
  readonly replayed: ValuationOf<ValuationKind>;
}

/**
 * A past valuation as it was returned. Throws `not_found` if there is none or it belongs to another account.
 */
export async function readValuation(
  deps: OperationDeps,
  valuationId: string,
  caller: Caller,
): Promise<ValuationOf<ValuationKind>> {
  return recordedResponse(await recordedValuation(deps, valuationId, caller));
}

/** @throws PlumblineError `not_found`, or `gone` if its model or data was pruned */
export async function replayValuation(
  deps: OperationDeps,
  valuationId: string,
  caller: Caller,
): Promise<Replay> {
  const record = await recordedValuation(deps, valuationId, caller);
  const { kind } = record;
  if (!isValuationKind(kind)) {
    throw new Error(`valuation ${valuationId} is of kind ${kind}, which cannot be computed`);
  }
  const inputs: InputsOf<ValuationKind> = JSON.parse(record.inputs);
  const original = recordedResponse(record);
  const computed = await deps.computeValue(kind, inputs, valuationId);
  const replayed = { addressInfo: original.addressInfo, ...computed };
  return { valuationId, agrees: JSON.stringify(replayed) === record.response, original, replayed };
}

/**
 * How much each missing detail would narrow the range of a past valuation. This is free and not recorded,
 * because the valuation itself was charged. It is not offered for a place alone: that would give away a value
 * for free.
 *
 * @throws PlumblineError `not_found`, or `gone` if its model or data was pruned
 */
export async function propertyMissingDetails(
  deps: OperationDeps,
  valuationId: string,
  caller: Pick<Caller, 'accountId'>,
): Promise<MissingDetails> {
  const record = await recordedValuation(deps, valuationId, caller);
  if (record.kind !== 'property') {
    throw new PlumblineError('not_found', `Valuation ${valuationId} is not a home valuation.`);
  }
  return deps.computeMissingDetails(propertyInputsOf(record));
}

/** The parcel of a past valuation, and the newest sale of the home that was known on its date. */
interface ValuedParcel {
  readonly parcelId: string | null;
  /** Null for rents, and if the data of the valuation was pruned. */
  readonly lastSale: PricePath['sales'][number] | null;
}

/** @throws PlumblineError `not_found` */
export async function readValuedParcel(
  deps: OperationDeps,
  valuationId: string,
  caller: Pick<Caller, 'accountId'>,
): Promise<ValuedParcel> {
  const record = await recordedValuation(deps, valuationId, caller);
  if (record.kind === 'rental') {
    const { building }: RentalInputs = JSON.parse(record.inputs);
    return { parcelId: building.home.parcelId, lastSale: null };
  }
  const inputs = propertyInputsOf(record);
  return { parcelId: inputs.subject.home.parcelId, lastSale: await lastSaleOf(deps, inputs) };
}

async function lastSaleOf(deps: OperationDeps, inputs: PropertyInputs): Promise<ValuedParcel['lastSale']> {
  const market = await marketOf(deps, inputs);
  return market && (ownSales(market, inputs.subject.home, inputs.asOf).at(-1) ?? null);
}

/** Null if the model or the data was pruned. */
async function marketOf({ markets }: OperationDeps, inputs: PropertyInputs): Promise<ActiveMarket | null> {
  try {
    return await markets.columnsOf(inputs);
  } catch (error) {
    if (isFailure(error, 'gone')) return null;
    throw error;
  }
}

/**
 * What the data says of the comparables beyond the response. Empty for rents, and if the data was pruned.
 *
 * @throws PlumblineError `not_found`
 */
export async function readComparableRecords(
  deps: OperationDeps,
  valuationId: string,
  caller: Pick<Caller, 'accountId'>,
): Promise<ResponseOf<typeof ComparableRecordsBody>> {
  const record = await recordedValuation(deps, valuationId, caller);
  if (record.kind === 'rental') return { comparableRecords: [] };
  const inputs = propertyInputsOf(record);
  const market = await marketOf(deps, inputs);
  if (market === null) return { comparableRecords: [] };
  const { comparables }: ValuationOf<'property' | 'multifamily'> = JSON.parse(record.response);
  return { comparableRecords: recordMembers(recordsOfComparables(market, inputs, comparables.items)) };
}

/** @throws PlumblineError `not_found`, also if it belongs to another account */
export async function recordedValuation(
  deps: Pick<OperationDeps, 'store'>,
  valuationId: string,
  caller: Pick<Caller, 'accountId'>,
): Promise<ValuationRecord> {
  const record = await findValuation(deps.store, caller.accountId, valuationId);
  if (record) return record;
  throw new PlumblineError('not_found', `There is no valuation ${valuationId}.`);
}

/** `valueLocated` built every record of the valuation log, so the types are known. */
export function recordedResponse(record: ValuationRecord): ValuationOf<ValuationKind> {
  const response: ValuationOf<ValuationKind> = JSON.parse(record.response);
  return response;
}

/** The inputs of a valuation of a home or a building. */
export function propertyInputsOf(record: ValuationRecord): PropertyInputs {
  const inputs: PropertyInputs = JSON.parse(record.inputs);
  return inputs;
}
