import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Problem } from './problem.ts';
import { asProblem } from './request.ts';

/** What was asked for: under way, refused, or there. While it is asked for again, the earlier answer stays. */
export interface Asked<T> {
  readonly answer: T | null;
  readonly problem: Problem | null;
  readonly isLoading: boolean;
  /** Asks again. */
  readonly reload: () => void;
}

/**
 * Asks when a page opens and whenever one of `inputs` changes, and gives up what is no longer wanted.
 * `const keys = useAnswer((signal) => listKeys(signal), [])`
 */
export function useAnswer<T>(ask: (signal: AbortSignal) => Promise<T>, inputs: readonly unknown[]): Asked<T> {
  const [state, setState] = useState<Omit<Asked<T>, 'reload'>>({
    answer: null,
    problem: null,
    isLoading: true,
  });
  const [times, setTimes] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    setState(({ answer }) => ({ answer, problem: null, isLoading: true }));
    ask(abort.signal).then(
      (answer) => {
        if (!abort.signal.aborted) setState({ answer, problem: null, isLoading: false });
      },
      (error: unknown) => {
        if (!abort.signal.aborted) setState({ answer: null, problem: asProblem(error), isLoading: false });
      },
    );
    return () => abort.abort();
    // What `ask` closes over is what the caller lists.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [...inputs, times]);
  const reload = useCallback(() => setTimes((count) => count + 1), []);
  return { ...state, reload };
}

/** Something that a button does: whether it is under way, and why it was refused the last time. */
export interface Doing<A extends readonly unknown[]> {
  /** Does it; resolves to whether it was done. */
  readonly run: (...values: A) => Promise<boolean>;
  readonly isBusy: boolean;
  readonly problem: Problem | null;
  readonly forget: () => void;
}

/** `const revoke = useAction(async (id: string) => { await revokeKey(id); keys.reload(); })` */
export function useAction<A extends readonly unknown[]>(act: (...values: A) => Promise<void>): Doing<A> {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const latest = useRef(act);
  latest.current = act;
  const run = useCallback(async (...values: A): Promise<boolean> => {
    setBusy(true);
    setProblem(null);
    try {
      await latest.current(...values);
      return true;
    } catch (error) {
      setProblem(asProblem(error));
      return false;
    } finally {
      setBusy(false);
    }
  }, []);
  const forget = useCallback(() => setProblem(null), []);
  return { run, isBusy, problem, forget };
}
