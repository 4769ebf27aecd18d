import type { MessagePort } from 'node:worker_threads';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { describeConfig, type Config } from '../config.ts';
import { createBatchWatch } from '../jobs/batch-loop.ts';
import { openModelJobRunner } from '../jobs/run-model-jobs.ts';
import { createSweepFiles } from '../jobs/sweep-files.ts';
import { createRetention } from '../jobs/retention.ts';
import { createHousekeeping } from '../jobs/housekeeping.ts';
import { openWorkThreads } from '../jobs/work-threads.ts';
import { createLog, type Log } from '../log.ts';
import { createMetrics, type Metrics } from '../metrics.ts';
import type { Store } from '../store/store.ts';
import type { OwnedMemory } from '../threads/shared-memory.ts';
import type { AssumptionFile } from '../valuation/multifamily/assumptions.ts';
import { composeWebhooks, openObjectStore, openProcessMemory } from './compose.ts';
import { composeSecrets } from './compose-people.ts';
import { newId, SERVING_LIMITS, withStore } from './configured-store.ts';
import { readAssumptions, readPlans } from './read-files.ts';
import { runModelCommand } from './run-model-command.ts';
import { closeWhenStopped, FINISH_MS } from './stop-cause.ts';

export function registerWork(program: Command): void {
  program.command('work').action(() => withStore(work, SERVING_LIMITS));
}

/** When asked to stop, it claims no more items, writes the results of started items and returns the rest. */
async function work(store: Store, config: Config): Promise<void> {
  const log = createLog(config.logLevel);
  const metrics = createMetrics();
  const secrets = composeSecrets(store, config);
  const { deliverySender } = composeWebhooks({ store, metrics, newId }, secrets, config, log);
  for (const line of describeConfig(config)) log.info({ setting: line }, 'setting');
  const jobThreads = Math.max(1, config.jobThreads);
  const memory = openProcessMemory(config, (trouble) => log.warn({ trouble }, 'market memory'));
  const notify = { log, metrics, onJobDone: deliverySender.wake };
  const threads = openWork(store, { ...config, jobThreads }, readAssumptions(config), memory, notify);
  const housekeeping = createHousekeeping({
    store,
    clock: store.clock,
    log,
    metrics,
    newId,
    dataDir: config.dataDir,
    plans: readPlans(config),
    wake: threads.wake,
    trainSchedule: config,
  });
  housekeeping.start();
  const retention = createRetention({ store, clock: store.clock, log, newId, retention: config.retention });
  retention.start();
  threads.start();
  deliverySender.start();
  log.info({ threads: jobThreads }, 'working');
  await closeWhenStopped(log, async () => {
    await housekeeping.close();
    await retention.close();
    const late = sleep(FINISH_MS, undefined, { ref: false });
    await Promise.race([Promise.all([threads.close(), deliverySender.close()]), late]);
    await memory.close();
  });
}

/** The start data of a batch worker thread. */
export interface WorkStart extends Pick<Config, 'databaseUrl' | 'dataDir' | 'geocoder' | 'logLevel'> {
  readonly assumptions: AssumptionFile;
  readonly leaseMs: number;
  /** For a command, whose standard output has its result only. */
  readonly logsToStderr?: true;
}

/** The `workerData` of the thread. */
export interface WorkThreadStart extends WorkStart {
  readonly memoryPort: MessagePort;
}

export function workStart(config: Config, assumptions: AssumptionFile): WorkStart {
  const { databaseUrl, dataDir, geocoder, logLevel, jobLeaseSeconds } = config;
  return { databaseUrl, dataDir, geocoder, logLevel, assumptions, leaseMs: 1000 * jobLeaseSeconds };
}

export type Work = ReturnType<typeof openWork>;

/**
 * The part of the job queue that this process works on: threads for batches, which start with the first batch, and a
 * runner for one import, training or backtest at a time, and the storage of files of sweeps. With 0 threads, none of them
 * runs. Close it before the store.
 */
export function openWork(
  store: Store,
  config: Config,
  assumptions: AssumptionFile,
  memory: OwnedMemory,
  notify: { readonly log: Log; readonly metrics: Metrics; readonly onJobDone: () => void },
) {
  const { jobThreads } = config;
  const start = workStart(config, assumptions);
  const module = new URL('./work-thread.ts', import.meta.url);
  const objectStore = openObjectStore(config, notify.metrics);
  const { log } = notify;
  const { clock } = store;
  const { dataDir } = config;
  const sweepFiles = objectStore && createSweepFiles({ store, clock, log, newId, objectStore, dataDir });
  const onJobDone = (): void => {
    notify.onJobDone();
    sweepFiles?.wake();
  };
  const threads = openWorkThreads({ ...notify, onJobDone, module, start, memory, count: jobThreads });
  const modelJobs = openModelJobRunner({
    store,
    clock,
    log,
    leaseMs: start.leaseMs,
    runCommand: runModelCommand,
  });
  const batchWatch = createBatchWatch({ store, clock, log, onDue: threads.wake });
  return {
    start: (): void => {
      if (jobThreads === 0) return;
      batchWatch.start();
      modelJobs.start();
      sweepFiles?.start();
    },
    /** Announces a batch submitted to this process. */
    wake: threads.wake,
    /** Resolves when started items are written or returned to the queue. */
    close: async (): Promise<void> => {
      await Promise.all([batchWatch.close(), threads.close(), modelJobs.close(), sweepFiles?.close()]);
    },
  };
}
