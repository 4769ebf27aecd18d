import type { StudyEffort } from '../../../src/operations/studies/backtest.ts';

/** Intervals and plain trees took half of the time of tests that look at neither. */
export const QUICK_STUDY: StudyEffort = { resamples: 20, gbmBaseline: 30 };
