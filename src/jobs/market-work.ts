import { listRuns, type RunTask } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import { listQueuedModelJobs, type OpenModelJob } from './market-model-jobs.ts';

export type WorkState = 'queued' | 'running' | 'lost';

/** Something that is being done to a market, or waits to be. */
export interface MarketWork {
  readonly task: RunTask;
  readonly marketId: string;
  /** What is imported, trained or tested; null for all that there is. */
  readonly kind: string | null;
  /** `lost`: it ended without a word, as it does when its process is killed. */
  readonly state: WorkState;
  /** What is being done now; null before the first step. */
  readonly step: string | null;
  /** How much of the step is done, 0…1; null where its end is unknown. */
  readonly share: number | null;
  readonly begunAt: number;
  /** Its last sign of life; null of what waits. */
  readonly seenAt: number | null;
}

/** What goes on in all markets, what is under way first. */
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

/** A job that runs is a command, which records its run as every command does. */
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
