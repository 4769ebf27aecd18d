import type { ValuationInput, ValuationWarning } from '../../api/valuations.ts';
import { formatCount } from '../../parts/format.ts';
import { labelOf, wordOf } from './fields.ts';

type Input = Pick<ValuationInput, 'field' | 'value'>;
type Told = (field: string) => string;

/**
 * Warnings whose sentence names members of a request, for people who fill in a form. Others read the same everywhere; a code that
 * is not known here keeps the server's words.
 */
const WORDS: Readonly<Record<string, (told: Told, field: string | null) => string>> = {
  property_type_assumed: (told) =>
    `No record tells what type of property this is. It was valued as: ${told('property_type')}. Say the type if it is another.`,
  property_type_mismatch: (told) =>
    `The type that was said does not go with so many units. It was valued as: ${told('property_type')}.`,
  units_unknown: () =>
    'No record tells how many units this building has, so the buildings around it were asked. Valued as a building, the number can be said.',
  units_assumed: (told) =>
    `No record tells how many units the building has: ${told('total_units')} were assumed. Say the number if it is another.`,
  units_exceed_building: (told) =>
    `More units are to be valued than the building has as far as is known (${told('total_units')}).`,
  record_of_another_building: (told) =>
    `The record here is of another building, not of one with ${told('total_units')} units, so nothing was taken from it.`,
  zero_taken_as_unknown: (_, field) =>
    `${field === null ? 'A figure' : labelOf(field)} is 0, which was taken to mean that nobody knows it.`,
};

/** Their sentences say "this", of the field that they are about. */
const OF_A_FIELD: ReadonlySet<string> = new Set(['not_in_training_sales', 'outside_training_range']);

/** A warning in the words of the page. `inputs` are those that the value was computed with. */
export function warningWords(
  { code, field, message }: Pick<ValuationWarning, 'code' | 'field' | 'message'>,
  inputs: readonly Input[],
): string {
  const told: Told = (name) => {
    const value = inputs.find((input) => input.field === name)?.value ?? null;
    return typeof value === 'number' ? formatCount(value) : wordOf(name, value);
  };
  const words = WORDS[code]?.(told, field);
  if (words !== undefined) return words;
  return field !== null && OF_A_FIELD.has(code) ? `${labelOf(field)}: ${message}` : message;
}
