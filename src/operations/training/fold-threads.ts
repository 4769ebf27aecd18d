import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads';
import type { FoldSales, GrowFolds, GrownFold } from '../../valuation/model/cross-fit.ts';
import type { GrowSettings } from '../../valuation/trees/grow-tree.ts';

/** Folds to grow. Each thread takes the next fold that no other has taken. */
export interface FoldWork {
  readonly sales: FoldSales;
  readonly target: Float64Array;
  readonly settings: readonly GrowSettings[];
  /** Shared: the number of folds taken, and of folds reported. */
  readonly counts: Int32Array;
}

export const TAKEN = 0;
export const REPORTED = 1;

/** What a thread reports about a fold: its trees, or why there are none. */
export type FoldReport =
  { readonly k: number; readonly grown: GrownFold } | { readonly k: number; readonly failure: string };

/** Growing a fold of 50,000 sales takes two seconds. A thread that reports nothing for this long has died. */
const STALL_MS = 600_000;

/**
 * Grows the folds of a fit on several threads. A fit is synchronous, so this thread waits for them: call it in a thread
 * of its own. Results do not depend on the number of threads.
 */
export function growFoldsOnThreads(threads: number): GrowFolds {
  const ports = Array.from({ length: threads }, openFoldThread);
  return (sales, target, settings) => {
    const counts = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
    const work: FoldWork = { sales, target, settings, counts };
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    for (const port of ports) port.postMessage(work);
    for (let reported = 0; reported < settings.length; reported = Atomics.load(counts, REPORTED)) {
      if (Atomics.wait(counts, REPORTED, reported, STALL_MS) === 'timed-out') {
        throw new Error('A thread that grows trees has died, perhaps for lack of memory.');
      }
    }
    return grownIn(ports.flatMap(readReports));
  };
}

function openFoldThread(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  const worker = new Worker(new URL('./fold-worker.ts', import.meta.url), {
    workerData: port2,
    transferList: [port2],
  });
  worker.unref();
  return port1;
}

function readReports(port: MessagePort): FoldReport[] {
  const reports: FoldReport[] = [];
  for (;;) {
    const received: { message: FoldReport } | undefined = receiveMessageOnPort(port);
    if (received === undefined) return reports;
    reports.push(received.message);
  }
}

function grownIn(reports: readonly FoldReport[]): GrownFold[] {
  return reports
    .toSorted((a, b) => a.k - b.k)
    .map((report) => {
      if ('failure' in report) throw new Error(report.failure);
      return report.grown;
    });
}
