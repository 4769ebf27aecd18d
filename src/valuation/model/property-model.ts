import { createPredictor } from './create-predictor.ts';
import { fitModel } from './fit-model.ts';
import type { FitSettings } from './fit-settings.ts';
import { decodeModel, encodeModel } from './model-codec.ts';
import type { ModelBuilder } from '../train-job.ts';

/** Steps of a fit are told in hundredths. */
const STEPS = 100;

/** Models of single properties under settings of one's own: experiments, and tests that need one quickly. */
export function propertyModelOf(settings: Partial<FitSettings>): ModelBuilder {
  return {
    fit(columns, trainedOn, onProgress) {
      const model = fitModel(columns, trainedOn, settings, (done, step) =>
        onProgress?.(step, Math.round(STEPS * done), STEPS),
      );
      return encodeModel(model);
    },
    bind: (model, columns) => createPredictor(decodeModel(model), columns),
  };
}

/** The model of single properties, as training and serving use it. */
export const propertyModel: ModelBuilder = propertyModelOf({});
