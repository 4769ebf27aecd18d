/** How far a job was at one moment. */
export interface Sample {
  readonly atMs: number;
  readonly done: number;
}

/** The pace is measured over this time: a shorter time jumps, a longer time lags behind. */
const WINDOW_MS = 15_000;

/** Adds a sample, and drops those that are too old. */
export function withSample(samples: readonly Sample[], sample: Sample): Sample[] {
  return [...samples.filter(({ atMs }) => sample.atMs - atMs <= WINDOW_MS), sample];
}

/** Items per second; null until there are two different samples. */
export function paceOf(samples: readonly Sample[]): number | null {
  const [first] = samples;
  const last = samples.at(-1);
  if (first === undefined || last === undefined || last.done <= first.done) return null;
  return ((last.done - first.done) * 1000) / (last.atMs - first.atMs);
}

/** `about 40 s`, `about 3 min`: rounded, because it is an estimate. */
export function timeLeft(left: number, pace: number | null): string | null {
  if (pace === null || left <= 0) return null;
  const seconds = left / pace;
  if (seconds < 5) return 'a few seconds';
  if (seconds < 90) return `about ${Math.ceil(seconds / 10) * 10} s`;
  if (seconds < 5400) return `about ${Math.round(seconds / 60)} min`;
  return `about ${Math.round(seconds / 3600)} h`;
}
