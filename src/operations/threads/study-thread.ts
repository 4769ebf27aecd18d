import type { StoreSettings } from '../../store/open-store.ts';
import { openThread } from '../../threads/open-thread.ts';
import type { HoldoutCases } from '../../valuation/calibration/holdout-cases.ts';
import type { ReadHoldoutCases, ReadRentListings, RentListings } from '../whole-blobs.ts';

export interface StudyCall {
  readonly read: 'holdout_cases' | 'rent_listings';
  readonly sha256: string;
}

export interface StudyResult {
  readonly holdoutCases?: HoldoutCases;
  readonly rentListings?: RentListings;
}

/**
 * A thread that decodes whole models and snapshots, which would block the HTTP thread. It starts with the
 * first call. It is separate from the threads that compute values, so that values never wait for it.
 */
export function openStudyThread(
  settings: Pick<StoreSettings, 'databaseUrl' | 'dataDir' | 'queryTimeoutMs'>,
): {
  readonly holdoutCases: ReadHoldoutCases;
  readonly rentListings: ReadRentListings;
  readonly close: () => Promise<void>;
} {
  const thread = openThread<StudyCall, StudyResult>(new URL('./study-worker.ts', import.meta.url), settings);
  return {
    async holdoutCases(sha256) {
      const { holdoutCases } = await thread.ask({ read: 'holdout_cases', sha256 });
      if (!holdoutCases) throw new Error('The study thread returned no holdout cases.');
      return holdoutCases;
    },
    async rentListings(sha256) {
      const { rentListings } = await thread.ask({ read: 'rent_listings', sha256 });
      if (!rentListings) throw new Error('The study thread returned no listings.');
      return rentListings;
    },
    close: thread.close,
  };
}
