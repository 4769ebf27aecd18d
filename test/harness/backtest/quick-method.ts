import { propertyModelOf } from '../../../src/valuation/model/property-model.ts';
import { studyMethodOf } from '../../../src/operations/studies/backtest/market-method.ts';

/** The real model with a fiftieth of its trees, for tests of what it may know rather than of how good it is. */
export const method = studyMethodOf(propertyModelOf({ effort: 0.02 }));
