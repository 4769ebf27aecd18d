import { workerData } from 'node:worker_threads';
import { systemClock } from '../../clock.ts';
import { openStore, type StoreSettings } from '../../store/open-store.ts';
import { answerCalls } from '../../threads/answer-calls.ts';
import { openMarkets } from '../markets.ts';
import { computeMissingDetails } from '../property/compute-property.ts';
import { computeFromInputs } from '../value.ts';
import type { ComputedOf, InputsOf, ValuedKind } from '../valued-kinds.ts';
import type { ValueAnswer, ValueCall } from './value-threads.ts';

/** A thread of `openValueThreads`. */
const settings: StoreSettings = workerData;
const opened = openStore(settings).then((store) => ({ store, markets: openMarkets(store, systemClock) }));

answerCalls<ValueCall, ValueAnswer>(async (question) => {
  if ('inputs' in question) return answerOf(question.kind, question.inputs, question.valuationId);
  if ('missingDetailsOf' in question) {
    return { missingDetails: await computeMissingDetails(await opened, question.missingDetailsOf) };
  }
  await (await opened).markets.preloadModels();
  return {};
});

async function answerOf<Kind extends ValuedKind>(
  kind: Kind,
  inputs: InputsOf<Kind>,
  valuationId: string,
): Promise<ValueAnswer> {
  const answer: { [K in Kind]?: ComputedOf<K> } = {};
  answer[kind] = await computeFromInputs(await opened, kind, inputs, valuationId);
  return answer;
}
