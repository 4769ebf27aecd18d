import type { Store } from './store.ts';
import type { RunTable } from './tables/datasets.ts';

/**
 * A run without a heartbeat for this long was killed. The thread that sends heartbeats is blocked for about a minute at
 * most: by one fit in that thread itself, in a city of 50,000 sales.
 */
export const LOST_AFTER_MS = 120_000;
/** How long a killed run is listed, unless the same run is started again. */
const LISTED_FOR_MS = 7 * 86_400_000;

export type NewRun = Pick<RunTable, 'runId' | 'task' | 'marketId' | 'kind'>;

/** Progress of a run: `done` of `total`, any unit; `total` is null if unknown. */
export interface RunProgress {
  readonly step: string;
  readonly done: number;
  readonly total: number | null;
}

/** An import, a training or a backtest started at a command line: running, or killed. */
export interface Run extends NewRun {
  readonly begunAt: number;
  readonly beatAt: number;
  readonly progress: RunProgress | null;
  readonly isLost: boolean;
}

/** Records that a run has started, and deletes earlier runs of the same work that were killed. */
export async function beginRun(store: Store, run: NewRun): Promise<void> {
  const now = store.clock().getTime();
  const { task, marketId, kind } = run;
  await store.db
    .deleteFrom('runs')
    .where((eb) =>
      eb.or([
        eb('beatAt', '<', now - LISTED_FOR_MS),
        eb.and([
          eb('beatAt', '<', now - LOST_AFTER_MS),
          eb('task', '=', task),
          eb('marketId', '=', marketId),
          kind === null ? eb('kind', 'is', null) : eb('kind', '=', kind),
        ]),
      ]),
    )
    .execute();
  await store.db
    .insertInto('runs')
    .values({ ...run, begunAt: now, beatAt: now })
    .execute();
}

/** Records a heartbeat and the progress. */
export async function beatRun(store: Store, runId: string, progress: RunProgress | null): Promise<void> {
  await store.db
    .updateTable('runs')
    .set({ beatAt: store.clock().getTime(), ...progress })
    .where('runId', '=', runId)
    .execute();
}

/** Deletes a run that ended: its command has reported the outcome. */
export async function endRun(store: Store, runId: string): Promise<void> {
  await store.db.deleteFrom('runs').where('runId', '=', runId).execute();
}

/** Running and killed runs, of one market if given; oldest first. */
export async function listRuns(store: Store, only: { readonly marketId?: string } = {}): Promise<Run[]> {
  const now = store.clock().getTime();
  let query = store.db
    .selectFrom('runs')
    .selectAll()
    .where('beatAt', '>=', now - LISTED_FOR_MS);
  if (only.marketId !== undefined) query = query.where('marketId', '=', only.marketId);
  const rows = await query.orderBy('runId').execute();
  return rows.map(({ step, done, total, ...run }) => ({
    ...run,
    progress: step === null || done === null ? null : { step, done, total },
    isLost: run.beatAt < now - LOST_AFTER_MS,
  }));
}
