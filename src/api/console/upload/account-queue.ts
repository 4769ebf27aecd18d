import { PlumblineError } from '../../../errors.ts';

/** Tasks of an account that may wait behind its running one. */
const MAX_WAITING = 4;

const queues = new Map<string, { last: Promise<unknown>; tasks: number }>();

/** Runs the tasks of an account one at a time: reading 100,000 rows takes seconds of this process. */
export async function inTurn<T>(accountId: string, task: () => Promise<T>): Promise<T> {
  const queue = queues.get(accountId) ?? { last: Promise.resolve(), tasks: 0 };
  if (queue.tasks > MAX_WAITING) {
    const members = { retry_after: 2 };
    const message = 'Other files of this account are being read. Try again in a moment.';
    throw new PlumblineError('rate_limited', message, { members });
  }
  queue.tasks++;
  queues.set(accountId, queue);
  const running = queue.last.then(task);
  queue.last = running.catch(() => {});
  try {
    return await running;
  } finally {
    if (--queue.tasks === 0) queues.delete(accountId);
  }
}
