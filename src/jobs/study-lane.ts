import type { Clock } from '../clock.ts';
import { billingPeriodAt } from '../domain/billing-period.ts';
import { PlumblineError } from '../errors.ts';
import type { Log } from '../log.ts';
import { createPolling, type Polling } from '../polling.ts';
import { claimChunk, renewLease, type Chunk } from '../store/job-queue.ts';
import { endChunk, type ItemOutcome, type ReturnedItem } from '../store/job-results.ts';
import { DUE_AT_ONCE, noteProgress } from '../store/jobs.ts';
import type { Store } from '../store/store.ts';
import { STUDY_TASKS, studyOf, type Study } from './studies.ts';

/** What a study came to: the JSON that its command prints, or a sentence. */
export type StudyEnd = { readonly json: string } | { readonly failure: string };

/** A study under way. */
export interface StudyRun {
  readonly ended: Promise<StudyEnd>;
  /** Its newest line of progress; null before the first. */
  readonly progress: () => string | null;
  /** Ends it now; `ended` then resolves with whatever. */
  readonly stop: () => void;
}

export type RunStudy = (study: Study) => StudyRun;

export interface StudyLaneDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly leaseMs: number;
  readonly runStudy: RunStudy;
}

/** Runs queued jobs one at a time as long as the process lives: each of them uses all cores. */
export type StudyLane = Pick<Polling, 'start' | 'close'>;

/** Nobody waits for the second that a study of minutes begins later. */
const POLL_EVERY_MS = 2000;
/** How stale the progress that is shown may be. */
const NOTE_EVERY_MS = 5000;
/** As items of batches: so many processes were lost on it. */
const MOST_ATTEMPTS = 3;

export function openStudyLane(deps: StudyLaneDeps): StudyLane {
  return createPolling({
    everyMs: POLL_EVERY_MS,
    log: deps.log,
    failure: 'queued backtest and training jobs cannot be worked on now',
    poll: async (stopping) => {
      while (!stopping.aborted) {
        const now = deps.clock().getTime();
        const claim = { tasks: STUDY_TASKS, now, leaseUntil: now + deps.leaseMs, most: 1 };
        const chunk = await claimChunk(deps.store, claim);
        if (chunk === null) return;
        await runChunk(deps, chunk, stopping);
      }
    },
  });
}

async function runChunk(deps: StudyLaneDeps, chunk: Chunk, stopping: AbortSignal): Promise<void> {
  const { jobId, task } = chunk.job;
  const [{ attempts, request }] = chunk.items;
  if (attempts > MOST_ATTEMPTS) {
    const failure = 'It ended the process that ran it three times. See the log of that process.';
    return end(deps, chunk, { failure });
  }
  deps.log.info({ jobId, task }, 'study begun');
  const ended = await runKept(deps, chunk, studyOf(chunk.job, request), stopping);
  if (ended === 'lost') deps.log.warn({ jobId, task }, 'study stopped: cancelled, or another process has it');
  else await end(deps, chunk, ended);
}

/** Runs a study for as long as it is this process's. */
async function runKept(
  deps: StudyLaneDeps,
  chunk: Chunk,
  study: Study,
  stopping: AbortSignal,
): Promise<StudyEnd | 'given back' | 'lost'> {
  const run = deps.runStudy(study);
  const state = { isLost: false };
  const renewing = setInterval(
    () => {
      keep(deps, chunk, run.progress()).then(
        (isOurs) => {
          if (isOurs) return;
          state.isLost = true;
          run.stop();
        },
        (error: unknown) =>
          deps.log.warn({ err: error, jobId: chunk.job.jobId }, 'a lease could not be renewed'),
      );
    },
    Math.min(deps.leaseMs / 3, NOTE_EVERY_MS),
  );
  stopping.addEventListener('abort', run.stop, { once: true });
  try {
    const ended = await run.ended;
    if (state.isLost) return 'lost';
    return stopping.aborted ? 'given back' : ended;
  } finally {
    clearInterval(renewing);
    stopping.removeEventListener('abort', run.stop);
  }
}

async function keep(
  { store, clock, leaseMs }: StudyLaneDeps,
  chunk: Chunk,
  progress: string | null,
): Promise<boolean> {
  const isOurs = await renewLease(store, chunk, clock().getTime() + leaseMs);
  if (isOurs && progress !== null) await noteProgress(store, chunk.job.jobId, progress);
  return isOurs;
}

async function end(
  { store, clock, log }: StudyLaneDeps,
  chunk: Chunk,
  ended: StudyEnd | 'given back',
): Promise<void> {
  const now = clock().getTime();
  const { jobId, task } = chunk.job;
  const about = { operation: task, period: billingPeriodAt(now), now };
  if (ended === 'given back') {
    const returned: ReturnedItem = { itemNo: 0, dueAt: DUE_AT_ONCE, isDelayed: false };
    await endChunk(store, chunk, { ...about, outcomes: [], returned: [returned] });
    log.info({ jobId, task }, 'study given back');
    return;
  }
  const isFailed = 'failure' in ended;
  const outcome: ItemOutcome = {
    itemNo: 0,
    data: isFailed ? null : ended.json,
    error: isFailed ? { code: 'study_failed', sentence: ended.failure } : null,
    valuation: null,
    credits: 0,
  };
  const endsAs = isFailed ? 'failed' : 'complete';
  const { lost } = await endChunk(store, chunk, { ...about, outcomes: [outcome], returned: [], endsAs });
  if (lost > 0)
    throw new PlumblineError('conflict', `job ${jobId} was cancelled, or ended by another process`);
  log.info({ jobId, task, outcome: endsAs }, 'study ended');
}
