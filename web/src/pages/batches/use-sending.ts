import { useEffect, useState } from 'preact/hooks';
import { sendUpload } from '../../api/batches.ts';
import { asProblem } from '../../api/problem.ts';
import { pause } from '../../api/request.ts';

/** Progress of creating the batches of an uploaded file. */
export interface Sending {
  readonly done: number | null;
  /** The next batch was rejected for now: why, and for how long. */
  readonly waiting: { readonly seconds: number; readonly message: string } | null;
  /** Why no further batch is created. */
  readonly problem: string | null;
  /** Number of batches that already existed and were not created again. */
  readonly replays: number;
}

const BEGIN: Sending = { done: null, waiting: null, problem: null, replays: 0 };
/** Delay before the next try if the server cannot be reached. */
const RETRY_SECONDS = 3;

/** Tells the server to create the batches of a file while the page is open. Opening it again continues. */
export function useSending(id: string, isUnsent: boolean): Sending & { readonly again: () => void } {
  const [state, setState] = useState<Sending>(BEGIN);
  const [times, setTimes] = useState(0);
  useEffect(() => {
    if (!isUnsent) return;
    const abort = new AbortController();
    setState(BEGIN);
    sendAll(id, abort.signal, (change) => setState((before) => ({ ...before, ...change(before) }))).catch(
      (error: unknown) => {
        if (!abort.signal.aborted) setState({ ...BEGIN, problem: asProblem(error).message });
      },
    );
    return () => abort.abort();
  }, [id, isUnsent, times]);
  return { ...state, again: () => setTimes(times + 1) };
}

type Change = (before: Sending) => Partial<Sending>;

async function sendAll(id: string, signal: AbortSignal, onChange: (change: Change) => void): Promise<void> {
  for (;;) {
    const { done, total, replays, message, retry_after } = await send(id, signal);
    signal.throwIfAborted();
    onChange((before) => ({ done: done ?? before.done, replays: before.replays + replays, waiting: null }));
    if (done === total) return;
    if (message === null) continue;
    if (retry_after === null) {
      onChange(() => ({ problem: message }));
      return;
    }
    onChange(() => ({ waiting: { seconds: retry_after, message } }));
    await pause(retry_after, signal);
  }
}

/** Retries after a rate limit, an unavailable service or a lost connection. */
async function send(id: string, signal: AbortSignal) {
  try {
    return await sendUpload(id, signal);
  } catch (error) {
    signal.throwIfAborted();
    const { status, message, retryAfterSeconds } = asProblem(error);
    if (status !== 0 && status !== 429 && status !== 503) throw error;
    const retryAfter = Math.max(1, retryAfterSeconds ?? RETRY_SECONDS);
    return { done: null, total: Infinity, replays: 0, message, retry_after: retryAfter };
  }
}
