import { propertyModel } from '../../../valuation/model/property-model.ts';
import { fitInThreads } from '../../training/fit-pool.ts';
import { studyMethodOf } from './study-method.ts';

/** What `backtest` studies. A module of its own, because threads load it by URL. */
export const method = studyMethodOf(propertyModel, fitInThreads);
