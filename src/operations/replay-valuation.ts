import { PlumblineError } from '../errors.ts';
import { findValuation, type ValuationRecord } from '../store/valuations.ts';
import type { Caller, OperationDeps } from './deps.ts';
import type { PropertyValuation } from './property-valuation.ts';
import type { ValuationPins } from './value-from-pins.ts';

/** A past valuation computed again from the model, the data and the subject it was made with. */
export interface Replay {
  readonly valuationId: string;
  /** Whether the two answers are the same bytes. */
  readonly agrees: boolean;
  readonly original: PropertyValuation;
  readonly replayed: PropertyValuation;
}

/** A past valuation as it was given. Throws `not_found`, also for another account's. */
export async function readValuation(
  deps: OperationDeps,
  valuationId: string,
  caller: Caller,
): Promise<PropertyValuation> {
  return answerOf(await recordedValuation(deps, valuationId, caller));
}

/** @throws PlumblineError `not_found`, or `gone` where its model or data was pruned */
export async function replayValuation(
  deps: OperationDeps,
  valuationId: string,
  caller: Caller,
): Promise<Replay> {
  const record = await recordedValuation(deps, valuationId, caller);
  const pins = pinsOf(record);
  const original = answerOf(record);
  const replayed = {
    addressInfo: original.addressInfo,
    ...(await deps.computeValue(pins, valuationId)),
  };
  return { valuationId, agrees: JSON.stringify(replayed) === record.response, original, replayed };
}

async function recordedValuation(
  deps: OperationDeps,
  valuationId: string,
  caller: Caller,
): Promise<ValuationRecord> {
  const record = await findValuation(deps.store, caller.accountId, valuationId);
  if (record) return record;
  throw new PlumblineError('not_found', `There is no valuation ${valuationId}.`);
}

/** The log holds what `valueProperty` wrote; nothing else writes it. */
function answerOf(record: ValuationRecord): PropertyValuation {
  const answer: PropertyValuation = JSON.parse(record.response);
  return answer;
}

function pinsOf(record: ValuationRecord): ValuationPins {
  const pins: ValuationPins = JSON.parse(record.pins);
  return pins;
}
