import { testMaker } from '../../../valuation/test-market.ts';
import { studyMethodOf } from './market-method.ts';

/** The made-up model of the test market, for tests of studies: trains in milliseconds. */
export const method = studyMethodOf(testMaker);
