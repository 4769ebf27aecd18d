import { PlumblineError } from '../errors.ts';
import { findValuation, type ValuationRecord } from '../store/valuations.ts';
import type { Caller, OperationDeps } from './deps.ts';
import { isValuedKind } from './compute-value.ts';
import type { InputsOf, ValuationOf, ValuedKind } from './valued-kinds.ts';

/** A past valuation, computed again from the same model, data and subject. */
export interface Replay {
  readonly valuationId: string;
  /** Whether the two responses have the same bytes. */
  readonly agrees: boolean;
  readonly original: ValuationOf<ValuedKind>;
  readonly replayed: ValuationOf<ValuedKind>;
}

/**
 * A past valuation as it was returned. Throws `not_found` if there is none or it belongs to another account.
 */
export async function readValuation(
  deps: OperationDeps,
  valuationId: string,
  caller: Caller,
): Promise<ValuationOf<ValuedKind>> {
  return responseOf(await recordedValuation(deps, valuationId, caller));
}

/** @throws PlumblineError `not_found`, or `gone` if its model or data was pruned */
export async function replayValuation(
  deps: OperationDeps,
  valuationId: string,
  caller: Caller,
): Promise<Replay> {
  const record = await recordedValuation(deps, valuationId, caller);
  const inputs: InputsOf<ValuedKind> = JSON.parse(record.inputs);
  const original = responseOf(record);
  const replayed = {
    addressInfo: original.addressInfo,
    ...(await deps.computeValue(kindOf(record), inputs, valuationId)),
  };
  return { valuationId, agrees: JSON.stringify(replayed) === record.response, original, replayed };
}

/** @throws PlumblineError `not_found`, also if it belongs to another account */
export async function recordedValuation(
  deps: OperationDeps,
  valuationId: string,
  caller: Pick<Caller, 'accountId'>,
): Promise<ValuationRecord> {
  const record = await findValuation(deps.store, caller.accountId, valuationId);
  if (record) return record;
  throw new PlumblineError('not_found', `There is no valuation ${valuationId}.`);
}

function kindOf({ kind, valuationId }: ValuationRecord): ValuedKind {
  if (isValuedKind(kind)) return kind;
  throw new Error(`valuation ${valuationId} is of kind ${kind}, which cannot be computed`);
}

/** Only `valueLocated` writes to the valuation log, so the types are known. */
function responseOf(record: ValuationRecord): ValuationOf<ValuedKind> {
  const response: ValuationOf<ValuedKind> = JSON.parse(record.response);
  return response;
}
