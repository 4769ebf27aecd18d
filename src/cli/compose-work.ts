import type { Config } from '../config.ts';
import { openModelJobRunner } from '../jobs/run-model-jobs.ts';
import { openWorkThreads } from '../jobs/work-threads.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Store } from '../store/store.ts';
import type { AssumptionFile } from '../valuation/multifamily/assumptions.ts';
import { runModelCommand } from './run-model-command.ts';

/** The start data of a batch worker thread. */
export interface WorkStart extends Pick<Config, 'databaseUrl' | 'dataDir' | 'geocoder' | 'logLevel'> {
  readonly assumptions: AssumptionFile;
  readonly leaseMs: number;
}

/** The part of the job queue that this process works on. Close it before the store. */
export interface Work {
  readonly start: () => void;
  /** Announces a batch submitted to this process. */
  readonly wake: () => void;
  /** Resolves when started items are written or returned to the queue. */
  readonly close: () => Promise<void>;
}

/**
 * Starts the batch threads, and a runner for one training or backtest at a time. With 0 threads, neither
 * runs.
 */
export function openWork(
  store: Store,
  config: Config,
  assumptions: AssumptionFile,
  notify: { readonly log: Log; readonly metrics: Metrics; readonly onJobDone: () => void },
): Work {
  const { databaseUrl, dataDir, geocoder, logLevel, jobThreads } = config;
  const leaseMs = 1000 * config.jobLeaseSeconds;
  const start: WorkStart = { databaseUrl, dataDir, geocoder, logLevel, assumptions, leaseMs };
  const module = new URL('./work-thread.ts', import.meta.url);
  const threads = openWorkThreads({ ...notify, module, start, count: jobThreads });
  const modelJobs = openModelJobRunner({
    store,
    clock: store.clock,
    log: notify.log,
    leaseMs,
    runCommand: runModelCommand,
  });
  return {
    start: () => {
      threads.start();
      if (jobThreads > 0) modelJobs.start();
    },
    wake: threads.wake,
    close: async () => {
      await Promise.all([threads.close(), modelJobs.close()]);
    },
  };
}
