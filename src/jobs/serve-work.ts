import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { WorkNews } from './work-chunk.ts';
import type { ThreadNews, WorkOrder } from './work-threads.ts';
import type { Working } from './working.ts';

/** What is done in the thread, and what closes it. */
export interface OpenedWork {
  readonly working: Working;
  readonly close: () => Promise<void>;
}

/** The side of `openWorkThreads` in the thread: works until it is told to stop, and then ends. */
export async function serveWork(open: (news: WorkNews) => Promise<OpenedWork>): Promise<void> {
  giveWay();
  const port = parentPort;
  if (port === null) throw new Error('this module is for a thread');
  const isStopped = Promise.withResolvers<void>();
  let wake = (): void => {};
  port.on('message', (order: WorkOrder) => {
    if (order === 'stop') isStopped.resolve();
    else wake();
  });
  const tell = (news: ThreadNews): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    port.postMessage(news);
  };
  const { working, close } = await open({
    onItem: (item, seconds) => tell({ item, seconds }),
    onBusy: (isBusy) => tell({ isBusy }),
    onLost: (lost) => tell({ lost }),
    onJobDone: () => tell({ isJobDone: true }),
  });
  wake = working.wake;
  working.start();
  await isStopped.promise;
  await working.close();
  await close();
  port.close();
}

/** Whoever waits for an answer goes first. On Linux alone a thread has a priority of its own (setpriority(2), notes). */
function giveWay(): void {
  if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);
}
