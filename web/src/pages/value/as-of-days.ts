const DAY_MS = 86_400_000;
/** Steps of the slider: finer than a finger can point, coarser than a model changes. */
const MOST_STEPS = 60;
const STEPS = [1, 7, 14, 30.4375] as const;

/** Days from the first that a model answers to today, both included, evenly apart. Empty where today is before the first. */
export function asOfDays(first: string, today: string): string[] {
  const [from, to] = [dayNumber(first), dayNumber(today)];
  const span = to - from;
  if (!(span >= 0)) return [];
  const step = STEPS.find((days) => span / days <= MOST_STEPS) ?? span / MOST_STEPS;
  const days: number[] = [];
  // Counted back from today, so that today is one of them.
  for (let back = 0; back < span; back += step) days.push(Math.round(to - back));
  days.push(from);
  return [...new Set(days)].sort((a, b) => a - b).map(dayText);
}

/** The index of the day, or of the nearest to it. */
export function nearestDay(days: readonly string[], day: string): number {
  let best = 0;
  for (let i = 1; i < days.length; i++) {
    if (Math.abs(dayNumber(days[i]) - dayNumber(day)) < Math.abs(dayNumber(days[best]) - dayNumber(day)))
      best = i;
  }
  return best;
}

/** Today as the server counts days: in UTC. */
export function todayOf(now: Date): string {
  return now.toISOString().slice(0, 10);
}

function dayNumber(text: string): number {
  return Math.round(Date.parse(`${text}T00:00:00Z`) / DAY_MS);
}

function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
