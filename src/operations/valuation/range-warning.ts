import type { Warning } from '../../domain/warning.ts';

/** The smallest and the largest value in training sales. */
export interface Range {
  readonly least: number;
  readonly most: number;
}

/** What a model could not learn about a value; null if it could. */
export function rangeWarning(value: number, range: Range | null | undefined): Omit<Warning, 'field'> | null {
  if (!range) {
    const message = 'No training sale has this detail, so it does not affect the value.';
    return { code: 'not_in_training_sales', message };
  }
  if (value >= range.least && value <= range.most) return null;
  if (range.least === range.most) {
    const message = 'All training sales have the same value here, so it does not affect the value.';
    return { code: 'not_in_training_sales', message };
  }
  const [than, of] = value > range.most ? ['more', range.most] : ['less', range.least];
  return {
    code: 'outside_training_range',
    message: `${value} is ${than} than in any training sale (${of}), so the value does not reflect the difference.`,
  };
}
