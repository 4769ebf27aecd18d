import type { Static } from 'typebox';
import type { PastValuation, Replay } from '../../operations/valuation/replay-valuation.ts';
import type { AnswerOf, ValuedKind } from '../../operations/valuation/valued-kinds.ts';
import type { ReplayBody, ValuationBody } from '../../schemas/past-valuation.ts';
import { presentMultifamilyValuation } from './multifamily.ts';
import { presentPropertyValuation } from './property.ts';
import { presentRentalValuation } from './rental.ts';

const PRESENT: {
  readonly [Kind in ValuedKind]: (answer: AnswerOf<Kind>) => Static<typeof ValuationBody>;
} = {
  property: presentPropertyValuation,
  multifamily: presentMultifamilyValuation,
  rental: presentRentalValuation,
};

/** A valuation of any kind, in the form its own operation gives. */
export function presentValuation<Kind extends ValuedKind>({
  kind,
  answer,
}: PastValuation<Kind>): Static<typeof ValuationBody> {
  return PRESENT[kind](answer);
}

export function presentReplay<Kind extends ValuedKind>(replay: Replay<Kind>): Static<typeof ReplayBody> {
  const { kind, valuationId, agrees, original, replayed } = replay;
  return {
    valuation_id: valuationId,
    agrees,
    original: presentValuation({ kind, answer: original }),
    replayed: presentValuation({ kind, answer: replayed }),
  };
}
