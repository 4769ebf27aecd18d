import { PlumblineError } from '../../../errors.ts';

/** Work of an account that waits behind its other work. */
const WAITING_MAX = 4;

/** Runs the work of an account one piece at a time: reading 100,000 rows takes seconds of this process. */
export type AccountQueue = <T>(accountId: string, work: () => Promise<T>) => Promise<T>;

export function createAccountQueue(): AccountQueue {
  const queues = new Map<string, { last: Promise<unknown>; waiting: number }>();
  return async (accountId, work) => {
    const queue = queues.get(accountId) ?? { last: Promise.resolve(), waiting: 0 };
    if (queue.waiting > WAITING_MAX) {
      throw new PlumblineError(
        'rate_limited',
        'Other files of this account are being read. Try again in a moment.',
        {
          members: { retry_after: 2 },
        },
      );
    }
    queue.waiting++;
    queues.set(accountId, queue);
    const before = queue.last;
    const running = before.then(work, work);
    queue.last = running.catch(() => {});
    try {
      return await running;
    } finally {
      if (--queue.waiting === 0) queues.delete(accountId);
    }
  };
}
