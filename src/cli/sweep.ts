import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { formatCount } from '../domain/display-format.ts';
import { BUILT_IN_PLANS } from '../accounts/plans.ts';
import type { Config } from '../config.ts';
import { dayOfInstant, formatDay, type Day } from '../domain/day.ts';
import { VALUE_FORMATS, type ValueFormat } from '../domain/value-format.ts';
import { PlumblineError, usageError } from '../errors.ts';
import { createSweeps, type Sweep } from '../jobs/sweeps.ts';
import { openWorkThreads } from '../jobs/work-threads.ts';
import { createLog } from '../log.ts';
import { createMetrics } from '../metrics.ts';
import { tableOfValues } from '../operations/sweep/values-file.ts';
import { checkNewFile, writeTableFile } from '../tables/write-table-file.ts';
import { BY_COMMAND_LINE } from '../store/audit-log.ts';
import { findAnyJob } from '../store/jobs.ts';
import type { Store } from '../store/store.ts';
import { OPERATOR } from './compose.ts';
import { composeOperations } from './compose-operations.ts';
import { withStore } from './configured-store.ts';
import { choiceOption, dayArgument, MARKET_OPTION, type JsonOption } from './options.ts';
import { createSharedMemory } from '../threads/shared-memory.ts';
import { printResult } from './print.ts';
import { withProgress } from './progress.ts';
import { readAssumptions } from './read-files.ts';
import { workStart } from './work.ts';

const LOOK_EVERY_MS = 250;

interface SweepOptions extends JsonOption {
  readonly market: string;
  readonly asOf?: Day;
  readonly out?: string;
  readonly format?: ValueFormat;
  readonly queue?: boolean;
}

export function registerSweep(program: Command): void {
  program
    .command('sweep')
    .requiredOption(...MARKET_OPTION)
    .option('--as-of <YYYY-MM-DD>', 'as-of date (default: today)', dayArgument)
    .option('--out <file>', 'also write the values to this file; it must not exist')
    .addOption(
      choiceOption('--format <format>', 'of the file (default: by its name, else parquet)', VALUE_FORMATS),
    )
    .option('--queue', 'queue it for "serve" and "work" processes, and do not wait')
    .action(sweep);
}

async function sweep(options: SweepOptions): Promise<void> {
  const { market: marketId, out, queue = false } = options;
  if (queue && out !== undefined) {
    throw usageError(
      '--queue does not wait for the values, so it cannot write --out. Leave one of them out.',
    );
  }
  if (out !== undefined) checkNewFile(out);
  await withStore(async (store, config) => {
    const operations = composeOperations(store);
    const sweeps = createSweeps(operations);
    const asOf = options.asOf ?? dayOfInstant(store.clock());
    const submission = await sweeps.submit(payer(), { marketId, asOf });
    const { jobId } = submission.sweep.job;
    if (queue) {
      const text = `Queued as ${jobId}. "serve" and "work" processes run it; "plumbline jobs" shows its progress.`;
      return printResult(options, { jobId }, text);
    }
    if (submission.isResumed) console.error(`Continuing sweep ${jobId}.`);
    await workUntilEnded(store, config, jobId);
    const ended = await sweeps.read(OPERATOR.accountId, jobId);
    if (ended.job.status !== 'complete') {
      throw new PlumblineError('conflict', `Sweep ${jobId} is ${ended.job.status}.`);
    }
    const lines = [sentenceOf(ended)];
    if (out !== undefined) {
      const format = formatOf(options);
      const table = tableOfValues(format, ended.sweep.asOf, sweeps.values(ended));
      await writeTableFile(out, format, table);
      lines.push(`They are written to ${out}.`);
    }
    printResult(options, describe(ended), lines.join('\n'));
  });
}

/** The command line acts for the installation, whose own account has no limits. */
function payer() {
  const plan = BUILT_IN_PLANS.get('unlimited');
  if (!plan) throw new Error('there is no plan without limits');
  return { ...OPERATOR, plan, actor: BY_COMMAND_LINE.actor };
}

/** Works in threads of this process until the sweep has ended. Other processes may work on it, too. */
async function workUntilEnded(store: Store, config: Config, jobId: string): Promise<void> {
  const threads = openWorkThreads({
    module: new URL('./work-thread.ts', import.meta.url),
    start: { ...workStart(config, readAssumptions(config)), logsToStderr: true },
    memory: createSharedMemory(config.marketMemoryBytes),
    count: config.threads,
    // Standard output has the result only.
    log: createLog(config.logLevel, process.stderr),
    metrics: createMetrics(),
    onJobDone: () => {},
  });
  const stopped = new AbortController();
  const stop = (): void => stopped.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  threads.wake();
  try {
    await withProgress(async (report) => {
      for (;;) {
        const job = await findAnyJob(store.db, jobId);
        if (job === null) throw new Error(`job ${jobId} is gone`);
        report('Valuing parcels', job.completed + job.failed, job.total);
        if (job.finishedAt !== null) return;
        if (stopped.signal.aborted) {
          throw new PlumblineError('conflict', 'Stopped. Run the command again to continue this sweep.');
        }
        await sleep(LOOK_EVERY_MS, undefined, { signal: stopped.signal }).catch(() => {});
      }
    });
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    await threads.close();
  }
}

function formatOf({ out = '', format }: SweepOptions): ValueFormat {
  return format ?? (out.toLowerCase().endsWith('.csv') ? 'csv' : 'parquet');
}

function describe({ job, sweep: { marketId, asOf, modelId, parcelCount }, valued, errors }: Sweep): object {
  const parcels = { parcels: parcelCount, valued, errors };
  return { id: job.jobId, market: marketId, as_of: formatDay(asOf), model: modelId, ...parcels };
}

function sentenceOf({ job, sweep: { marketId, asOf, modelId, parcelCount }, valued, errors }: Sweep): string {
  const [n, of] = [valued, parcelCount].map(formatCount);
  const lines = Object.entries(errors).map(([code, count]) => `  ${code}: ${formatCount(count)} parcels`);
  const head = `Sweep ${job.jobId}: ${n} of ${of} parcels of ${marketId} have a value as of ${formatDay(asOf)}, by model ${modelId}.`;
  return [head, ...lines].join('\n');
}
