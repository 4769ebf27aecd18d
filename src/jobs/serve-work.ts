import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { WorkEvents } from './work-chunk.ts';
import type { ThreadEvent, WorkOrder } from './work-threads.ts';
import type { BatchLoop } from './batch-loop.ts';

/** The worker of the thread, and the function that closes what it uses. */
interface OpenedWork {
  readonly batchLoop: BatchLoop;
  readonly close: () => Promise<void>;
}

/** The worker-thread side of `openWorkThreads`: works on batches until it receives `stop`, then ends. */
export async function serveWork(open: (events: WorkEvents) => Promise<OpenedWork>): Promise<void> {
  lowerThreadPriority();
  const port = parentPort;
  if (port === null) throw new Error('this module is for a thread');
  const isStopped = Promise.withResolvers<void>();
  let wake = (): void => {};
  port.on('message', (order: WorkOrder) => {
    if (order === 'stop') isStopped.resolve();
    else wake();
  });
  const send = (event: ThreadEvent): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    port.postMessage(event);
  };
  const { batchLoop, close } = await open({
    onItem: (item, seconds) => send({ item, seconds }),
    onBusy: (isBusy) => send({ isBusy }),
    onLost: (lost) => send({ lost }),
    onJobDone: () => send({ isJobDone: true }),
  });
  wake = batchLoop.wake;
  batchLoop.start();
  await isStopped.promise;
  await batchLoop.close();
  await close();
  port.close();
}

/**
 * Lowers the priority of this thread, so that interactive requests run first. Only Linux has a priority per
 * thread (see the notes in the man page of setpriority(2)).
 */
function lowerThreadPriority(): void {
  if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);
}
