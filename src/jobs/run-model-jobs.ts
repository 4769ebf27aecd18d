import type { Clock } from '../clock.ts';
import { PlumblineError } from '../errors.ts';
import type { Log } from '../log.ts';
import { createPolling, type Polling } from '../polling.ts';
import { claimChunk, renewLease, type Chunk } from '../store/job-queue.ts';
import { endChunk, failedItem, type ReturnedItem } from '../store/job-results.ts';
import { saveProgress } from '../store/jobs.ts';
import type { Store } from '../store/store.ts';
import { recordFailedTraining } from '../operations/training/train.ts';
import { keepLease } from './keep-lease.ts';
import { commandOf, isTooEarly, optionOf, requesterOf, type ModelCommand } from './model-jobs.ts';
import { MODEL_JOB_TASKS } from '../store/tables/jobs.ts';
import { DUE_AT_ONCE } from '../store/submit-job.ts';

/** The result of a command: its JSON output, or the reason for its failure. */
export type ModelJobEnd =
  | { readonly json: string }
  /** `isKilled`: its process died, so that it could not record its failure itself. */
  | { readonly failure: string; readonly isKilled?: boolean };

/** A running command. */
export interface CommandRun {
  readonly ended: Promise<ModelJobEnd>;
  /** The latest progress line; null before the first. */
  readonly progress: () => string | null;
  /** Kills the command. The value of `ended` is then meaningless. */
  readonly stop: () => void;
}

export type RunCommand = (command: ModelCommand) => CommandRun;

interface ModelJobDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly leaseMs: number;
  readonly runCommand: RunCommand;
}

/** Runs queued jobs one at a time while the process lives. One at a time, because each job uses all cores. */
type ModelJobRunner = Pick<Polling, 'start' | 'close'>;

/** A delay of two seconds is negligible for a job that takes minutes. */
const POLL_EVERY_MS = 2000;
/** Progress is saved at least this often. */
const NOTE_EVERY_MS = 5000;
/** A job fails after this many claims, because each claim ended with a crash of the process. */
const MAX_ATTEMPTS = 3;

export function openModelJobRunner(deps: ModelJobDeps): ModelJobRunner {
  return createPolling({
    everyMs: POLL_EVERY_MS,
    log: deps.log,
    failure: 'queued imports, trainings and backtests cannot be run now',
    poll: async (stopping) => {
      while (!stopping.aborted) {
        const now = deps.clock().getTime();
        const claim = { tasks: MODEL_JOB_TASKS, now, leaseUntil: now + deps.leaseMs, most: 1 };
        const chunk = await claimChunk(deps.store, claim);
        if (chunk === null) return;
        await runChunk(deps, chunk, stopping);
      }
    },
  });
}

async function runChunk(deps: ModelJobDeps, chunk: Chunk, stopping: AbortSignal): Promise<void> {
  const { jobId, task } = chunk.job;
  const [{ attempts, request }] = chunk.items;
  // The process was asked to stop while the job was being claimed.
  if (stopping.aborted) return end(deps, chunk, 'returned');
  if (attempts > MAX_ATTEMPTS) {
    const failure = 'The process that ran this job ended unexpectedly three times. See its log.';
    return end(deps, chunk, { failure, isKilled: true });
  }
  if (await isTooEarly(deps.store, { ...chunk.job, request })) return end(deps, chunk, 'delayed');
  deps.log.info({ jobId, task }, 'job started');
  const queued = commandOf(chunk.job, request);
  // The audit log names who queued the training, which the command reads from its job.
  const ofJob = task === 'train' ? ['--job', jobId] : [];
  const command = { ...queued, options: [...queued.options, ...ofJob] };
  const ended = await runWithLease(deps, chunk, command, stopping);
  if (ended === 'lost')
    deps.log.warn({ jobId, task }, 'job stopped: cancelled, or taken over by another process');
  else await end(deps, chunk, ended);
}

/** Runs a command and stops it if this process loses the job. */
async function runWithLease(
  deps: ModelJobDeps,
  chunk: Chunk,
  command: ModelCommand,
  stopping: AbortSignal,
): Promise<ModelJobEnd | 'returned' | 'lost'> {
  const run = deps.runCommand(command);
  const state = { isLost: false };
  const lease = {
    everyMs: Math.min(deps.leaseMs / 3, NOTE_EVERY_MS),
    renew: async () => {
      if (await renewAndSaveProgress(deps, chunk, run.progress())) return;
      state.isLost = true;
      run.stop();
    },
    onFailure: (error: unknown) =>
      deps.log.warn({ err: error, jobId: chunk.job.jobId }, 'a lease could not be renewed'),
  };
  stopping.addEventListener('abort', run.stop, { once: true });
  try {
    const ended = await keepLease(lease, () => run.ended);
    if (state.isLost) return 'lost';
    return stopping.aborted ? 'returned' : ended;
  } finally {
    stopping.removeEventListener('abort', run.stop);
  }
}

async function renewAndSaveProgress(
  { store, clock, leaseMs }: ModelJobDeps,
  chunk: Chunk,
  progress: string | null,
): Promise<boolean> {
  const isOurs = await renewLease(store, chunk, clock().getTime() + leaseMs);
  if (isOurs && progress !== null) await saveProgress(store, chunk.job.jobId, progress);
  return isOurs;
}

async function end(
  { store, clock, log }: ModelJobDeps,
  chunk: Chunk,
  ended: ModelJobEnd | 'returned' | 'delayed',
): Promise<void> {
  const now = clock().getTime();
  const { jobId, task } = chunk.job;
  if (ended === 'returned' || ended === 'delayed') {
    const isDelayed = ended === 'delayed';
    const returned: ReturnedItem = {
      itemNo: 0,
      dueAt: isDelayed ? now + POLL_EVERY_MS : DUE_AT_ONCE,
      isDelayed,
    };
    await endChunk(store, chunk, { now, outcomes: [], returned: [returned] });
    if (!isDelayed) log.info({ jobId, task }, 'job returned to the queue');
    return;
  }
  const isFailed = 'failure' in ended;
  const outcome = isFailed
    ? failedItem(0, { code: 'job_failed', sentence: ended.failure })
    : { itemNo: 0, data: ended.json, error: null, valuation: null, credits: 0 };
  const endsAs = isFailed ? 'failed' : 'complete';
  const { lost } = await endChunk(store, chunk, { now, outcomes: [outcome], returned: [], endsAs });
  if (isFailed && ended.isKilled === true && task === 'train' && lost === 0) {
    const marketId = optionOf({ ...chunk.job, request: chunk.items[0].request }, '--market') ?? '';
    const by = { ...(await requesterOf(store, jobId)), at: now };
    await recordFailedTraining(store, by, marketId, { reason: ended.failure });
  }
  if (lost > 0)
    throw new PlumblineError('conflict', `job ${jobId} was cancelled, or ended by another process`);
  log.info({ jobId, task, outcome: endsAs }, 'job ended');
}
