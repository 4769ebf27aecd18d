import { workerData } from 'node:worker_threads';
import { systemClock } from '../../clock.ts';
import { openStore, type StoreSettings } from '../../store/open-store.ts';
import { answerCalls } from '../../threads/answer-calls.ts';
import { openMarkets } from '../markets.ts';
import { rangeCostsFromPins } from '../property/property-from-pins.ts';
import { valueFromPins } from '../valuation/value-from-pins.ts';
import type { PinnedOf, PinsOf, ValuedKind } from '../valuation/valued-kinds.ts';
import type { ValueAnswer, ValueQuestion } from './value-threads.ts';

/** A thread of `openValueThreads`. */
const settings: StoreSettings = workerData;
const opened = openStore(settings).then((store) => ({ store, markets: openMarkets(store, systemClock) }));

answerCalls<ValueQuestion, ValueAnswer>(async (question) => {
  if ('pins' in question) return answerOf(question.kind, question.pins, question.valuationId);
  if ('rangeCostsOf' in question) {
    return { rangeCosts: await rangeCostsFromPins(await opened, question.rangeCostsOf) };
  }
  await (await opened).markets.preloadModels();
  return {};
});

async function answerOf<Kind extends ValuedKind>(
  kind: Kind,
  pins: PinsOf<Kind>,
  valuationId: string,
): Promise<ValueAnswer> {
  const answer: { [K in Kind]?: PinnedOf<K> } = {};
  answer[kind] = await valueFromPins(await opened, kind, pins, valuationId);
  return answer;
}
