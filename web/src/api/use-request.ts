import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { asProblem, type Problem } from './problem.ts';

/** The state of a request: loading, failed or loaded. During a reload the earlier data stay. */
export interface Loaded<T> {
  readonly data: T | null;
  readonly problem: Problem | null;
  readonly isLoading: boolean;
  /** Requests it again. */
  readonly reload: () => void;
}

const LOADING = { data: null, problem: null, isLoading: true } as const;

/**
 * Sends a request when a component opens and whenever one of `inputs` changes, and aborts the one before.
 * With `pauseMs` it waits until the inputs stay the same for that time.
 * `const keys = useRequest(listKeys, [])`
 */
export function useRequest<T>(
  load: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[],
  pauseMs = 0,
): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, 'reload'>>(LOADING);
  const [times, setTimes] = useState(0);
  // Sent before the browser draws the change that caused it: an effect would wait for the next frame.
  useLayoutEffect(() => {
    const { signal, end } = abortable();
    const send = (): void => {
      load(signal).then(
        (data) => signal.aborted || setState({ data: data, problem: null, isLoading: false }),
        (error: unknown) =>
          signal.aborted || setState({ data: null, problem: asProblem(error), isLoading: false }),
      );
    };
    setState(({ data }) => ({ data: data, problem: null, isLoading: true }));
    const timer = pauseMs === 0 ? undefined : setTimeout(send, pauseMs);
    if (pauseMs === 0) send();
    return () => end(timer);
    // The caller lists what `load` uses.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [...inputs, times]);
  const reload = useCallback(() => setTimes((count) => count + 1), []);
  return { ...state, reload };
}

/** Requests at once, and again `waitMs(data)` after each response unless that is null. A hidden tab waits. */
export function usePolled<T>(
  load: (signal: AbortSignal) => Promise<T>,
  waitMs: (data: T | null) => number | null,
  inputs: readonly unknown[],
): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, 'reload'>>(LOADING);
  const [times, setTimes] = useState(0);
  useEffect(() => {
    const { signal, end } = abortable();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const again = (data: T | null): void => {
      const ms = waitMs(data);
      if (ms !== null) timer = setTimeout(() => void poll(data), ms);
    };
    const poll = async (before: T | null): Promise<void> => {
      if (document.hidden) return again(before);
      try {
        const data = await load(signal);
        if (signal.aborted) return;
        setState({ data: data, problem: null, isLoading: false });
        again(data);
      } catch (error) {
        if (signal.aborted) return;
        const problem = asProblem(error);
        setState(({ data }) => ({ data: data, problem, isLoading: false }));
        // A rejected request would be rejected again.
        if (problem.status < 400 || problem.status >= 500 || problem.status === 429) again(before);
      }
    };
    void poll(null);
    return () => end(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- the caller lists what `load` uses
  }, [...inputs, times]);
  return { ...state, reload: () => setTimes((count) => count + 1) };
}

function abortable() {
  const abort = new AbortController();
  return {
    signal: abort.signal,
    end: (timer: ReturnType<typeof setTimeout> | undefined): void => {
      clearTimeout(timer);
      abort.abort();
    },
  };
}

/** An action of a button: whether it is running, and why it failed the last time. */
export interface Action<A extends readonly unknown[] = []> {
  /** Resolves to whether it succeeded. */
  readonly run: (...values: A) => Promise<boolean>;
  readonly isBusy: boolean;
  readonly problem: Problem | null;
}

/** `const revoke = useAction(async (id: string) => { await revokeKey(id); keys.reload(); })` */
export function useAction<A extends readonly unknown[]>(act: (...values: A) => Promise<unknown>): Action<A> {
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
  return { run, isBusy, problem };
}
