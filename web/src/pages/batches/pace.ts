/** How far a job was at one moment. */
export interface Sample {
  readonly atMs: number;
  readonly done: number;
  /** Nothing more was done since the first look: maybe the job is queued or starting, which says nothing about its pace. */
  readonly isStart?: true;
}

/** The pace is measured over this time: a shorter time jumps, a longer time lags behind. */
const WINDOW_MS = 15_000;
/** The first items of a job are slower: a sweep of Milwaukee began with 147 parcels per second and went on with 210. */
const LEAST_MS = 3000;

/** Adds a sample, and drops those that are too old and those before the job's first progress. */
export function withSample(samples: readonly Sample[], sample: Sample): Sample[] {
  const [first] = samples;
  if (!first) return [{ ...sample, isStart: true }];
  if (first.isStart) return [first.done === sample.done ? first : sample];
  return [...samples.filter(({ atMs }) => sample.atMs - atMs <= WINDOW_MS), sample];
}

/** Items per second; null for the first seconds of progress. */
export function paceOf(samples: readonly Sample[]): number | null {
  const [first] = samples;
  const last = samples.at(-1);
  if (first === undefined || last === undefined || last.done <= first.done) return null;
  if (last.atMs - first.atMs < LEAST_MS) return null;
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
