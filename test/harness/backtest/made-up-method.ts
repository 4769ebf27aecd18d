import { testBuilder } from '../valuation/market.ts';
import { studyMethodOf } from '../../../src/operations/studies/backtest/market-method.ts';

/** The made-up model of the test market, for tests of studies: trains in milliseconds. */
export const method = studyMethodOf(testBuilder);
