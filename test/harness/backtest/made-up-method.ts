import { testBuilder } from '../valuation/market.ts';
import { studyMethodOf } from '../../../src/operations/studies/backtest/study-method.ts';

/** The synthetic model of the test market, for backtest tests. It trains in milliseconds. */
export const method = studyMethodOf(testBuilder);
