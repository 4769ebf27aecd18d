import type { Usage } from '../../api/account.ts';
import { formatCount, formatMany } from '../../parts/format.ts';

const DAY_MS = 86_400_000;
/** More steps would be too fine for a finger. */
const MAX_STEPS = 60;
const STEP_DAYS = [1, 7, 14, 30.4375] as const;

/** Evenly spaced days from the first date that a model serves to today. Empty if today is before the first. */
export function asOfDays(first: string, today: string): string[] {
  const [from, to] = [dayNumber(first), dayNumber(today)];
  const span = to - from;
  if (!(span >= 0)) return [];
  const step = STEP_DAYS.find((days) => span / days <= MAX_STEPS) ?? span / MAX_STEPS;
  const days: number[] = [];
  // Counted back from today, so that today is one of them.
  for (let back = 0; back < span; back += step) days.push(Math.round(to - back));
  days.push(from);
  return [...new Set(days)].sort((a, b) => a - b).map(dayText);
}

/** The index of the day nearest to `day`. */
export function nearestDay(days: readonly string[], day: string): number {
  const distances = days.map((each) => Math.abs(dayNumber(each) - dayNumber(day)));
  return Math.max(0, distances.indexOf(Math.min(...distances)));
}

/** Today in UTC, as on the server. */
export function todayOf(now: Date): string {
  return now.toISOString().slice(0, 10);
}

function dayNumber(text: string): number {
  return Math.round(Date.parse(`${text}T00:00:00Z`) / DAY_MS);
}

function dayText(day: number): string {
  return todayOf(new Date(day * DAY_MS));
}

/**
 * The earliest date that an error message says is served, if it is after the rejected date. Other dates in the
 * message do not help, because the same request would be rejected again.
 */
export function earliestDateIn(message: string, rejectedDay: string): string | null {
  const found = /\b(?:earliest|first)\b[^.;]*?\b(\d{4}-\d{2}-\d{2})\b/.exec(message);
  return found && found[1] > rejectedDay ? found[1] : null;
}

/** The market that an error message says has no model as of the date; null for another reason. */
export function untrainedMarketIn(message: string): string | null {
  return /^Market (\S+) has no \w+ model trained on or before/.exec(message)?.[1] ?? null;
}

/** The cost of more days; null if the plan has no limit or no days are left. */
export function daysCostSentence(
  days: number,
  each: number,
  usage: Pick<Usage, 'credits_limit' | 'credits_remaining'>,
): string | null {
  if (usage.credits_limit === null || days === 0) return null;
  const left = usage.credits_remaining ?? usage.credits_limit;
  return (
    `${formatMany(days, 'date')} at ${each} credits each (without comparables): ` +
    `${formatCount(days * each)} of the ${formatCount(left)} credits left this month.`
  );
}
