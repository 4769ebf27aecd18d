import type { StoreSettings } from '../../store/open-store.ts';
import { openThread } from '../../threads/open-thread.ts';
import type { HoldoutCases } from '../../valuation/calibration/holdout-cases.ts';
import type { ReadHoldoutCases } from '../market/holdout-cases.ts';

/**
 * A thread that measures models for whoever looks at them: begun with the first question, so that a server that nobody asks has
 * none, and apart from those that compute values, which must not wait for it.
 */
export function openStudyThread(
  settings: Pick<StoreSettings, 'databaseUrl' | 'dataDir' | 'queryTimeoutMs'>,
): {
  readonly holdoutCases: ReadHoldoutCases;
  readonly close: () => Promise<void>;
} {
  const thread = openThread<string, HoldoutCases>(new URL('./study-worker.ts', import.meta.url), settings);
  return { holdoutCases: thread.ask, close: thread.close };
}
