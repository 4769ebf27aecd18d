import { propertyModelOf } from '../../../src/valuation/model/property-model.ts';
import { testBuilder } from '../valuation/market.ts';
import { approachesMethodOf } from '../../../src/operations/studies/backtest/approaches-method-of.ts';

/**
 * Three approaches: sales by the synthetic model of the test market, rents by the real model with a fiftieth
 * of its trees.
 */
export const method = approachesMethodOf(testBuilder, propertyModelOf({ effort: 0.02 }));
