import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { describeConfig, type Config } from '../config.ts';
import { startSweeping } from '../jobs/sweep.ts';
import { createLog } from '../log.ts';
import { createMetrics } from '../metrics.ts';
import type { Store } from '../store/store.ts';
import { composeSecrets, composeWebhooks, newId, SERVING_LIMITS, withStore } from './compose.ts';
import { openWork } from './compose-work.ts';
import { readAssumptions } from './read-files.ts';
import { closeWhenStopped, FINISH_MS } from './stop-cause.ts';

export function registerWork(program: Command): void {
  program
    .command('work')
    .description('work on jobs and send webhooks until stopped, without serving: for additional machines')
    .action(() => withStore(work, SERVING_LIMITS));
}

/** When asked to stop, it claims no more items, writes the results of started items and returns the rest. */
async function work(store: Store, config: Config): Promise<void> {
  const log = createLog(config.logLevel);
  const metrics = createMetrics();
  const secrets = composeSecrets(store, config);
  const { delivering } = composeWebhooks({ store, metrics, newId }, secrets, config, log);
  for (const line of describeConfig(config)) log.info({ setting: line }, 'setting');
  const jobThreads = Math.max(1, config.jobThreads);
  const notify = { log, metrics, onJobDone: delivering.wake };
  const threads = openWork(store, { ...config, jobThreads }, readAssumptions(config), notify);
  const sweeping = startSweeping({ store, clock: store.clock, log, metrics });
  threads.start();
  delivering.start();
  log.info({ threads: jobThreads }, 'working');
  await closeWhenStopped(log, async () => {
    sweeping.close();
    const late = sleep(FINISH_MS, undefined, { ref: false });
    await Promise.race([Promise.all([threads.close(), delivering.close()]), late]);
  });
}
