import { propertyModelOf } from '../../../valuation/model/property-model.ts';
import { testMaker } from '../../../valuation/test-market.ts';
import { approachesMethodOf } from './approaches-method-of.ts';

/** Three approaches: sales by the made-up model of the test market, rents by the real one with a fiftieth of its trees. */
export const method = approachesMethodOf(testMaker, propertyModelOf({ effort: 0.02 }));
