import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { describeConfig, type Config } from '../config.ts';
import { startSweeping } from '../jobs/sweep.ts';
import { createLog } from '../log.ts';
import { createMetrics } from '../metrics.ts';
import type { Store } from '../store/store.ts';
import { composeSecrets, composeWebhooks, newId, SERVING_LIMITS, withStore } from './compose.ts';
import { openWork } from './compose-work.ts';
import { readAssumptions } from './read-assumptions.ts';
import { endByForce, FINISH_MS, throwIfFailed, untilStopped } from './stop-cause.ts';

export function registerWork(program: Command): void {
  program
    .command('work')
    .description(
      'work on batches and send webhooks until stopped, without serving: for machines beside the one that does',
    )
    .action(() => withStore(work, SERVING_LIMITS));
}

/** When asked to stop, it claims no more items, writes what it has started and returns the rest. */
async function work(store: Store, config: Config): Promise<void> {
  const log = createLog(config.logLevel);
  const metrics = createMetrics();
  const { clock } = store;
  const secrets = composeSecrets(store, config);
  const { delivering } = composeWebhooks({ store, metrics, newId }, secrets, config, log);
  for (const line of describeConfig(config)) log.info({ setting: line }, 'setting');
  const jobThreads = Math.max(1, config.jobThreads);
  const threads = openWork(store, { ...config, jobThreads }, readAssumptions(config), {
    log,
    metrics,
    onJobDone: delivering.wake,
  });
  const sweeping = startSweeping({ store, clock, log, metrics });
  threads.start();
  delivering.start();
  log.info({ threads: jobThreads }, 'working');
  const cause = await untilStopped(log);
  log.info({ reason: cause.reason }, 'stopping');
  const hasEnded = endByForce(log);
  sweeping.close();
  const late = sleep(FINISH_MS, undefined, { ref: false });
  await Promise.race([Promise.all([threads.close(), delivering.close()]), late]);
  log.info('stopped');
  hasEnded();
  throwIfFailed(cause);
}
