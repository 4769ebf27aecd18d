import { rentalModel } from '../../../valuation/rental/rental-model.ts';
import { studyMethodOf } from './market-method.ts';

/** What `backtest --kind rental` studies: units as listed, by the model of rents. */
export const method = studyMethodOf(rentalModel);
