import { useEffect, useState } from 'preact/hooks';
import type { Problem } from '../../api/problem.ts';
import { asProblem } from '../../api/request.ts';

export interface Polled<T> {
  readonly answer: T | null;
  /** Of the last request. The answer before it stays. */
  readonly problem: Problem | null;
}

/** Asks at once, and again `everyMs` after each answer until it is final. A tab in the background waits. */
export function usePolled<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  hasEnded: (answer: T) => boolean,
  everyMs: number,
  inputs: readonly unknown[],
): Polled<T> {
  const [state, setState] = useState<Polled<T>>({ answer: null, problem: null });
  useEffect(() => {
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const poll = async (): Promise<void> => {
      if (document.hidden) return again();
      try {
        const answer = await ask(abort.signal);
        if (abort.signal.aborted) return;
        setState({ answer, problem: null });
        if (!hasEnded(answer)) again();
      } catch (error) {
        if (abort.signal.aborted) return;
        const problem = asProblem(error);
        setState(({ answer }) => ({ answer, problem }));
        // A rejected request would be rejected again.
        if (problem.status < 400 || problem.status >= 500 || problem.status === 429) again();
      }
    };
    const again = (): void => {
      timer = setTimeout(() => void poll(), everyMs);
    };
    void poll();
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
    // oxlint-disable-next-line react/exhaustive-deps -- what `ask` closes over is what the caller lists
  }, inputs);
  return state;
}
