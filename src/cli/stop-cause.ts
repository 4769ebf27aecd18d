import process from 'node:process';
import { PlumblineError } from '../errors.ts';
import type { Log } from '../log.ts';

/** Why a server stops: a signal, or an uncaught error. */
export interface StopCause {
  readonly reason: 'SIGTERM' | 'SIGINT' | 'error';
}

/**
 * Resolves when the process should stop. The first signal starts an orderly stop; a second signal ends the
 * process at once. An uncaught error also starts an orderly stop: memory can no longer be trusted, but committed
 * data can, and callers still get their responses. The process manager is expected to restart the process.
 */
export function untilStopped(log: Log): Promise<StopCause> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(1));
        resolve({ reason: signal });
      });
    }
    for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
      process.on(event, (error: unknown) => {
        log.fatal({ err: error, event }, 'uncaught error: the process stops');
        resolve({ reason: 'error' });
      });
    }
  });
}

/**
 * Time after draining: a response takes at most 10 s, and batch items less. Deliveries not finished by then
 * are retried after their leases expire.
 */
export const FINISH_MS = 10_500;

/** Process managers kill a process after 15 s or more. Ending earlier lets the process log the reason. */
const STOP_MS = 14_500;

/**
 * How long open connections may delay the exit, such as a call to a webhook receiver that hangs. The delivery
 * is retried after its lease expires.
 */
const LINGER_MS = 500;

/**
 * Waits until the process should stop, then closes. Ends the process by force if closing takes too long, and shortly
 * after it is closed, whatever still keeps it alive. Throws if an error caused the stop.
 */
export async function closeWhenStopped(log: Log, close: (cause: StopCause) => Promise<void>): Promise<void> {
  const cause = await untilStopped(log);
  log.info({ reason: cause.reason }, 'stopping');
  const end = (): void => {
    log.fatal(`shutdown did not finish within ${STOP_MS / 1000} s; the process exits now`);
    process.exit(1);
  };
  const timer = setTimeout(end, STOP_MS).unref();
  await close(cause);
  log.info('stopped');
  clearTimeout(timer);
  setTimeout(() => process.exit(), LINGER_MS).unref();
  throwIfFailed(cause);
}

/** Called at the end of an orderly stop: throws if an error caused the stop. */
export function throwIfFailed({ reason }: StopCause): void {
  if (reason !== 'error') return;
  throw new PlumblineError(
    'internal_error',
    'The process stopped because of an uncaught error. The log has it as "fatal"; please report it.',
  );
}
