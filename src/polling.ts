import type { Log } from './log.ts';

/** Looks for work in the database: at intervals, and at once when work was added in this process. */
export type Polling = ReturnType<typeof createPolling>;

interface PollingOptions {
  readonly everyMs: number;
  readonly log: Log;
  /** Logged when a poll fails; the next one tries again. */
  readonly failure: string;
  /** Does all the work that is due. Ends early when the signal is aborted by `close`. */
  readonly poll: (stopping: AbortSignal) => Promise<void>;
}

export function createPolling({ everyMs, log, failure, poll }: PollingOptions) {
  const stopping = new AbortController();
  const state = { isRunning: false, isRequested: false };
  let running = Promise.resolve();
  let timer: NodeJS.Timeout | null = null;

  async function run(): Promise<void> {
    state.isRunning = true;
    try {
      while (state.isRequested && !stopping.signal.aborted) {
        state.isRequested = false;
        await poll(stopping.signal);
      }
    } catch (error) {
      log.warn({ err: error }, failure);
    } finally {
      state.isRunning = false;
    }
  }
  /** Polls now. If a poll is running, another one follows it. */
  const wake = (): void => {
    state.isRequested = true;
    if (!state.isRunning) running = run();
  };
  /** Resolves when no poll is running. */
  const settled = async (): Promise<void> => {
    while (state.isRunning) await running;
  };
  return {
    wake,
    settled,
    isRunning: (): boolean => state.isRunning,
    /** Polls now. Resolves when nothing is due and no poll is running. */
    idle: (): Promise<void> => {
      wake();
      return settled();
    },
    /** Polls now, and at every interval from now on. */
    start: (): void => {
      timer ??= setInterval(wake, everyMs);
      wake();
    },
    /** Starts no more polls. Resolves when the running one has ended. */
    close: async (): Promise<void> => {
      stopping.abort();
      if (timer !== null) clearInterval(timer);
      await settled();
    },
  };
}
