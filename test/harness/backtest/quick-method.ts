import { propertyModelOf } from '../../../src/valuation/model/property-model.ts';
import { studyMethodOf } from '../../../src/operations/studies/backtest/study-method.ts';

/**
 * The real model with a fiftieth of its trees, for tests of which data it sees rather than of its accuracy.
 */
export const method = studyMethodOf(propertyModelOf({ effort: 0.02 }));
