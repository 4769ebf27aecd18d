import { useRef } from 'preact/hooks';
import { paceOf, timeLeft, withSample, type Sample } from './pace.ts';

export interface ProgressWords {
  readonly pace: string | null;
  readonly left: string | null;
}

/** How fast something progresses and how long it may take, from its progress so far. */
export function useProgressWords(done: number, total: number): ProgressWords {
  const samples = useRef<readonly Sample[]>([]);
  const last = samples.current.at(-1);
  if (last === undefined || last.done !== done || performance.now() - last.atMs > 1000) {
    samples.current = withSample(samples.current, { atMs: performance.now(), done });
  }
  const pace = paceOf(samples.current);
  return {
    pace: pace === null ? null : `${pace >= 10 ? Math.round(pace) : Math.round(pace * 10) / 10} per second`,
    left: timeLeft(total - done, pace),
  };
}
