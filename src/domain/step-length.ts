import { addMonths, type Day } from './day.ts';

/** The time between two trainings. */
export interface StepLength {
  readonly unit: 'days' | 'months';
  readonly count: number;
}

/** `14d`, `1mo`, `3mo`; null for anything else. */
export function parseStepLength(text: string): StepLength | null {
  const match = /^([1-9]\d{0,2})(d|mo)$/.exec(text.trim());
  return match && { unit: match[2] === 'd' ? 'days' : 'months', count: Number(match[1]) };
}

/** `14d`, `1mo`: the inverse of parseStepLength. */
export function stepLengthText({ unit, count }: StepLength): string {
  return `${count}${unit === 'days' ? 'd' : 'mo'}`;
}

/** The day that is `steps` steps after another. */
export function stepsAfter(day: Day, { unit, count }: StepLength, steps = 1): Day {
  return unit === 'days' ? day + steps * count : addMonths(day, steps * count);
}
