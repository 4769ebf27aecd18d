import type { ImportState } from '../../api/imports.ts';
import { MODEL_NAMES } from '../markets/words.ts';

type Trained = NonNullable<ImportState['training']>['models'][number];

/** Whether a training changed what values the market: a model that is worse than the one before is held back. */
export function trainingTitle(models: readonly Pick<Trained, 'kind' | 'is_active'>[]): string {
  if (models.length === 0) return 'The market was not trained';
  const held = models.filter(({ is_active: isActive }) => !isActive);
  if (held.length === 0) return 'The market is trained';
  const names = held.map(({ kind }) => MODEL_NAMES[kind].toLowerCase()).join(', ');
  return held.length < models.length
    ? `The market is trained, but the new model of ${names} is held back`
    : `The market keeps its earlier model: the new model of ${names} is held back`;
}
