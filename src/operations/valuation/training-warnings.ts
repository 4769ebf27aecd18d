import { PROPERTY_TYPES } from '../../domain/property.ts';
import type { Warning } from '../../domain/warning.ts';
import type { ImputedSubject } from '../../valuation/subject.ts';
import { trainingRangesOf } from '../../valuation/plausibility.ts';
import type { ActiveMarket } from '../market-data/markets.ts';
import type { DescribedSubject } from '../valuation-types.ts';

/** A row that a model was trained on, in messages. */
export const ROW_NAMES = { sales: 'training sale', rents: 'training listing' } as const;
export type RowName = (typeof ROW_NAMES)[keyof typeof ROW_NAMES];

/** The smallest and the largest value in training sales. */
interface Range {
  readonly least: number;
  readonly most: number;
}

/** What a model could not learn about a value; null if it could. */
export function rangeWarning(
  value: number,
  range: Range | null | undefined,
  row: RowName,
): Omit<Warning, 'field'> | null {
  if (!range) {
    const message = `No ${row} has this detail, so it does not affect the value.`;
    return { code: 'not_in_training_sales', message };
  }
  if (value >= range.least && value <= range.most) return null;
  if (range.least === range.most) {
    const message = `All ${row}s have the same value here, so it does not affect the value.`;
    return { code: 'not_in_training_sales', message };
  }
  const [than, of] = value > range.most ? ['more', range.most] : ['less', range.least];
  return {
    code: 'outside_training_range',
    message: `${value} is ${than} than in any ${row} (${of}), so the value does not reflect the difference.`,
  };
}

/** The rows of a market, and the day up to which its model learned from them. */
export type TrainedMarket = Pick<ActiveMarket, 'columns'> & {
  readonly model: Pick<ActiveMarket['model'], 'trainedOn'>;
};

/**
 * Warns about a type or details from the request that the model could not learn from its sales, each once.
 * The result depends only on the sales of the model's training day, so later sales do not change a response.
 */
export function trainingWarnings(
  { columns, model: { trainedOn } }: TrainedMarket,
  { home }: Pick<DescribedSubject, 'home'>,
  subjects: readonly Pick<ImputedSubject, 'inputs' | 'unused'>[],
  nameOf: (attribute: string) => string,
): Warning[] {
  const { rangeOf, hasType } = trainingRangesOf(columns, trainedOn);
  const row = ROW_NAMES[columns.kind];
  const warnings = new Map<string, Warning>();
  if (!hasType(PROPERTY_TYPES.indexOf(home.type))) {
    warnings.set('property_type', {
      code: 'type_not_in_training_sales',
      field: 'property_type',
      message: `No ${row} has this type, so the value is based on other types at this place and its range is wider.`,
    });
  }
  for (const { inputs, unused } of subjects) {
    for (const { attribute, value, source } of inputs) {
      if (source !== 'request' || value === null) continue;
      const field = nameOf(attribute);
      const warning = rangeWarning(value, rangeOf(attribute), row);
      // A value outside the range is implausible: the valuation widens its range and warns.
      if (warning?.code === 'not_in_training_sales') warnings.set(field, { ...warning, field });
      else if (unused.includes(attribute)) {
        const message = `Hardly any ${row} of this type has this detail, so it does not affect the value.`;
        warnings.set(field, { code: 'not_in_training_sales', field, message });
      }
    }
  }
  return [...warnings.values()];
}
