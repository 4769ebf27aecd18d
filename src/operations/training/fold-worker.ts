import { workerData, type MessagePort } from 'node:worker_threads';
import { growFold } from '../../valuation/model/cross-fit.ts';
import { REPORTED, TAKEN, type FoldReport, type FoldWork } from './fold-threads.ts';

const port = workerData as MessagePort;

function reportOf({ sales, target, settings }: FoldWork, k: number): FoldReport {
  try {
    return { k, grown: growFold(sales, target, k, settings[k]) };
  } catch (error) {
    return { k, failure: String(error) };
  }
}

port.on('message', (work: FoldWork) => {
  const { settings, counts } = work;
  for (let k = Atomics.add(counts, TAKEN, 1); k < settings.length; k = Atomics.add(counts, TAKEN, 1)) {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    port.postMessage(reportOf(work, k));
    Atomics.add(counts, REPORTED, 1);
    Atomics.notify(counts, REPORTED);
  }
});
