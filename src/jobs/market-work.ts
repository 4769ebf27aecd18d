import { listRuns, type Run } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import { listQueuedModelJobs, type OpenModelJob } from './market-model-jobs.ts';

export type WorkState = 'queued' | 'running' | 'lost';

/** A task of a market that is running or queued. */
export interface MarketWork {
  readonly task: Run['task'];
  readonly marketId: string;
  /** The kind that is imported, trained or tested; null for all kinds. */
  readonly kind: string | null;
  /** `lost`: the task ended without reporting an end, for example because its process was killed. */
  readonly state: WorkState;
  /** The current step; null before the first step. */
  readonly step: string | null;
  /** The completed share of the step, 0 to 1; null if the total is unknown. */
  readonly share: number | null;
  readonly begunAt: number;
  /** Time of the last heartbeat; null for queued jobs. */
  readonly seenAt: number | null;
}

/** Lists the tasks of all markets: running, then queued, then lost. */
export async function listMarketWork(store: Store): Promise<MarketWork[]> {
  const runs = (await listRuns(store)).map((run): MarketWork => {
    const { task, marketId, kind, begunAt, beatAt, progress, isLost } = run;
    const { step = null, done = 0, total = null } = progress ?? {};
    const share = total === null || total <= 0 ? null : Math.min(1, done / total);
    return { task, marketId, kind, state: isLost ? 'lost' : 'running', step, share, begunAt, seenAt: beatAt };
  });
  const open = await listQueuedModelJobs(store);
  return [...runs, ...open.filter((job) => !isShownBy(runs, job)).map(workOfJob)].sort(
    (a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state),
  );
}

const ORDER: readonly WorkState[] = ['running', 'queued', 'lost'];

/**
 * True if a run already represents the job: a running job is a command, and every command records its run.
 */
function isShownBy(runs: readonly MarketWork[], job: OpenModelJob): boolean {
  return runs.some(
    ({ task, marketId, state }) =>
      state === 'running' && !job.isQueued && task === job.task && marketId === job.marketId,
  );
}

function workOfJob({ task, marketId, kind, isQueued, ...job }: OpenModelJob): MarketWork {
  const state = isQueued ? 'queued' : 'running';
  const begunAt = job.startedAt ?? job.createdAt;
  return { task, marketId, kind, state, step: job.progress, share: null, begunAt, seenAt: null };
}
