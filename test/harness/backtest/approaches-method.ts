import { propertyModelOf } from '../../../src/valuation/model/property-model.ts';
import { testBuilder } from '../valuation/market.ts';
import { studyMethodOf } from '../../../src/operations/studies/backtest/study-method.ts';

/**
 * Three approaches: sales by the synthetic model of the test market, rents by the real model with a fiftieth
 * of its trees.
 */
export const method = studyMethodOf(testBuilder, null, propertyModelOf({ effort: 0.02 }));
