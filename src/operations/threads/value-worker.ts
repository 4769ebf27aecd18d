import { workerData } from 'node:worker_threads';
import { systemClock } from '../../clock.ts';
import { openStore, type StoreSettings } from '../../store/open-store.ts';
import { answerCalls } from '../../threads/answer-calls.ts';
import { openMarkets } from '../markets.ts';
import { valueFromPins, type PinnedValue } from '../value-from-pins.ts';
import type { ValueQuestion } from './value-threads.ts';

/** A thread of `openValueThreads`. */
const settings: StoreSettings = workerData;
const opened = openStore(settings).then((store) => ({ store, markets: openMarkets(store, systemClock) }));

answerCalls<ValueQuestion, PinnedValue | null>(async (question) => {
  const deps = await opened;
  if ('pins' in question) return valueFromPins(deps, question.pins, question.valuationId);
  await deps.markets.preloadModels();
  return null;
});
