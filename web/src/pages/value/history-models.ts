import type { HistoryPoint } from '../../api/valuations.ts';

type Point = Pick<HistoryPoint, 'date' | 'value' | 'model_id'>;

/** The dates from which another model values the home. */
export function modelChanges(history: readonly Point[]): string[] {
  const valued = history.filter(({ model_id: model }) => model !== null);
  return valued
    .filter(({ model_id: model }, i) => i > 0 && model !== valued[i - 1].model_id)
    .map(({ date }) => date);
}

/** With more changes, leaving out their months would leave out much of the year. */
const MOST_LEFT_OUT = 3;

/**
 * The change of the last 12 months, and the dates in them on which the model changed. A step to another model is not the market's: its
 * months are left out, unless models change so often that little would remain. Null if the history is shorter.
 */
export function pastYear(history: readonly Point[]): {
  readonly pct: number | null;
  readonly changes: readonly string[];
  readonly isMixed: boolean;
} {
  const year = history.slice(-13);
  const changes = modelChanges(year);
  const isMixed = changes.length > MOST_LEFT_OUT;
  if (year.length < 13) return { pct: null, changes, isMixed };
  const ratio = year.slice(1).reduce((product, { date, value }, i) => {
    const isLeftOut = !isMixed && changes.includes(date);
    return isLeftOut ? product : (product * value) / year[i].value;
  }, 1);
  return { pct: 100 * (ratio - 1), changes, isMixed };
}
