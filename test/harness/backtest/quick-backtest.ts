import type { StudyEffort } from '../../../src/operations/studies/backtest.ts';

/** Few resamples and a small GBM baseline: both took half the time of tests that check neither. */
export const QUICK_STUDY: StudyEffort = { resamples: 20, gbmBaseline: 30 };
