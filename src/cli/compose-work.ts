import { presentValuation } from '../api/present/valuation.ts';
import type { Config } from '../config.ts';
import { createBatches, type Batches } from '../jobs/batches.ts';
import type { WorkDeps } from '../jobs/work-chunk.ts';
import { openWorkThreads, type WorkThreads } from '../jobs/work-threads.ts';
import { createWorking, type Working } from '../jobs/working.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { OperationDeps } from '../operations/deps.ts';
import type { AssumptionFile } from '../valuation/multifamily/parse-assumptions.ts';

/** What a thread that works on batches is started with. */
export interface WorkStart extends Pick<Config, 'databaseUrl' | 'dataDir' | 'geocoder' | 'logLevel'> {
  readonly assumptions: AssumptionFile;
  readonly leaseMs: number;
}

/** Threads that work on batches, not at work until they are started. Close them before the store. */
export function openWork(
  config: Config,
  assumptions: AssumptionFile,
  told: { readonly log: Log; readonly metrics: Metrics; readonly onJobDone: () => void },
): WorkThreads {
  const { databaseUrl, dataDir, geocoder, logLevel, jobThreads } = config;
  const leaseMs = 1000 * config.jobLeaseSeconds;
  const start: WorkStart = { databaseUrl, dataDir, geocoder, logLevel, assumptions, leaseMs };
  return openWorkThreads({
    ...told,
    module: new URL('./work-thread.ts', import.meta.url),
    start,
    count: jobThreads,
  });
}

/** What works on batches with these operations, in this thread. */
export function composeWorking(
  operations: OperationDeps,
  own: Pick<WorkDeps, 'log' | 'leaseMs' | 'news'>,
): Working {
  const { store, clock } = operations;
  return createWorking({
    ...own,
    store,
    clock,
    operations,
    render: (kind, answer) => JSON.stringify(presentValuation({ kind, answer })),
  });
}

/** What accounts may do with batches. */
export function composeBatches(
  { store, clock, newId }: Pick<OperationDeps, 'store' | 'clock' | 'newId'>,
  wake: () => void,
  wakeDelivering: () => void,
): Batches {
  return createBatches({ store, clock, newId, wake, wakeDelivering });
}
