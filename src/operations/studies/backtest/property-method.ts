import { propertyModel } from '../../../valuation/model/property-model.ts';
import { studyMethodOf } from './market-method.ts';

/** What `backtest` studies of homes and of rents, by the one engine; a module of its own because threads load it by name. */
export const method = studyMethodOf(propertyModel);
