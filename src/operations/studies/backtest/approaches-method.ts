import { propertyModel } from '../../../valuation/model/property-model.ts';
import { fitInThreads } from '../../training/fit-pool.ts';
import { approachesMethodOf } from './approaches-method-of.ts';

/** What `backtest --kind multifamily` studies where the market has rents; a module of its own, because threads load it by URL. */
export const method = approachesMethodOf(propertyModel, propertyModel, fitInThreads);
