import process from 'node:process';
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
