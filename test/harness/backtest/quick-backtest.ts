import type { BacktestDeps } from '../../../src/operations/studies/backtest.ts';

/** Few resamples and a small GBM baseline: both took half the time of tests that check neither. */
export const QUICK_STUDY: BacktestDeps['effort'] = { resamples: 20, gbmBaseline: 30 };
