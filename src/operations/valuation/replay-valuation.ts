import { PlumblineError } from '../../errors.ts';
import { findValuation, type ValuationRecord } from '../../store/valuations.ts';
import type { Caller, OperationDeps } from '../deps.ts';
import { isValuedKind } from './value-from-inputs.ts';
import type { AnswerOf, InputsOf, ValuedKind } from './valued-kinds.ts';

/** A past valuation, as it was given. */
export interface PastValuation<Kind extends ValuedKind = ValuedKind> {
  readonly kind: Kind;
  readonly answer: AnswerOf<Kind>;
}

/** A past valuation computed again from the model, the data and the subject it was made with. */
export interface Replay<Kind extends ValuedKind = ValuedKind> {
  readonly valuationId: string;
  readonly kind: Kind;
  /** Whether the two answers are the same bytes. */
  readonly agrees: boolean;
  readonly original: AnswerOf<Kind>;
  readonly replayed: AnswerOf<Kind>;
}

/** A past valuation as it was given. Throws `not_found`, also for another account's. */
export async function readValuation(
  deps: OperationDeps,
  valuationId: string,
  caller: Caller,
): Promise<PastValuation> {
  const record = await recordedValuation(deps, valuationId, caller);
  return { kind: kindOf(record), answer: answerOf(record) };
}

/** @throws PlumblineError `not_found`, or `gone` where its model or data was pruned */
export async function replayValuation(
  deps: OperationDeps,
  valuationId: string,
  caller: Caller,
): Promise<Replay> {
  const record = await recordedValuation(deps, valuationId, caller);
  const kind = kindOf(record);
  const inputs: InputsOf<ValuedKind> = JSON.parse(record.inputs);
  const original = answerOf(record);
  const replayed = {
    addressInfo: original.addressInfo,
    ...(await deps.computeValue(kind, inputs, valuationId)),
  };
  return { valuationId, kind, agrees: JSON.stringify(replayed) === record.response, original, replayed };
}

/** @throws PlumblineError `not_found`, also for another account's */
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
  throw new Error(`valuation ${valuationId} is of kind ${kind}, which nothing computes`);
}

/** The log holds what `giveValuation` wrote; nothing else writes it. */
function answerOf(record: ValuationRecord): AnswerOf<ValuedKind> {
  const answer: AnswerOf<ValuedKind> = JSON.parse(record.response);
  return answer;
}
