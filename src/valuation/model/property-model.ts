import { createPredictor } from './create-predictor.ts';
import { fitModel, type FitSettings } from './fit-model.ts';
import { decodeModel, encodeModel } from './market-model.ts';
import type { ModelBuilder } from '../train-job.ts';

const STEPS = 100;

/** A model builder with other settings, for experiments and quick tests. */
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

/** The model builder of training and serving. */
export const propertyModel: ModelBuilder = propertyModelOf({});
