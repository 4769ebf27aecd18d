import { addMonths, formatDay, parseDay } from '../../../../src/domain/day.ts';

/** Data that end so many months before the as-of date leave most of the charts to the forecast. */
const OLD_MONTHS = 3;

/**
 * The last day of the newest month with figures, if that is long before the as-of date and the model was trained by then,
 * so that the page can show that day instead; null otherwise.
 *
 * @param lastMonth `2022-12`
 */
export function endOfData(lastMonth: string, asOf: string, trainedOn: string): string | null {
  const first = parseDay(`${lastMonth}-01`);
  const shown = parseDay(asOf);
  if (first === null || shown === null) return null;
  const end = addMonths(first, 1) - 1;
  return addMonths(end, OLD_MONTHS) < shown && trainedOn <= formatDay(end) ? formatDay(end) : null;
}
