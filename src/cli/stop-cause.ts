import process from 'node:process';
import { PlumblineError } from '../errors.ts';
import type { Log } from '../log.ts';

/** Why a server stops: it was asked to, or something went wrong that nothing caught. */
export interface StopCause {
  readonly reason: 'SIGTERM' | 'SIGINT' | 'error';
}

/**
 * Resolves when the process should stop. The first signal stops in good order, a second one at once. After an error that nothing
 * caught no state can be relied on, but what is committed is, and callers are owed their answers: so that stops in good order,
 * too, and whoever runs the process starts it anew.
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
        log.fatal({ err: error, event }, 'an error that nothing caught: the process stops');
        resolve({ reason: 'error' });
      });
    }
  });
}

/** After the draining: an answer takes at most 10 s, and items of batches less. Then deliveries are left to their leases. */
export const FINISH_MS = 10_500;

/** Whoever asked a process to stop ends it by force after 15 s or more; it had better say why itself. */
const STOP_MS = 14_500;

/** What is left when all that matters has ended: a call to a receiver that hangs, which is made again when its lease ends. */
const REST_MS = 500;

/**
 * Once stopping has begun: ends the process where that does not come to its end. To be called back when it has; what then
 * still keeps the process alive is not waited for.
 */
export function endByForce(log: Log): () => void {
  const end = (): void => {
    log.fatal(`not everything ended within ${STOP_MS / 1000} s: the process ends without it`);
    process.exit(1);
  };
  const timer = setTimeout(end, STOP_MS).unref();
  return () => {
    clearTimeout(timer);
    setTimeout(() => process.exit(), REST_MS).unref();
  };
}

/** At the end of stopping: an error is no good end, however orderly. */
export function throwIfFailed({ reason }: StopCause): void {
  if (reason !== 'error') return;
  throw new PlumblineError(
    'internal_error',
    'The process stopped because of an error that nothing caught. It stands in the log as "fatal"; please report it.',
  );
}
