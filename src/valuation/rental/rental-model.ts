import { propertyModelOf } from '../model/property-model.ts';
import type { ModelMaker } from '../train-job.ts';

/** The model of rents by the unit, as training and serving use it: the one engine, on columns of listings. */
export const rentalModel: ModelMaker = propertyModelOf({});
