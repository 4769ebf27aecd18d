import type { RunTable, RunTask } from './run-tables.ts';
import type { Store } from './store.ts';

export type { RunTask };

/**
 * A run that gave no sign of life for so long was ended from outside. The longest that the thread which gives the signs is
 * held up is one fit in that thread itself, about a minute in a city of 50,000 sales.
 */
export const LOST_AFTER_MS = 120_000;
/** How long one that was ended from outside is told of, unless the same is run again. */
const TOLD_FOR_MS = 7 * 86_400_000;

/** What a run is. */
export interface NewRun {
  readonly runId: string;
  readonly task: RunTask;
  readonly marketId: string;
  /** What is imported, trained or tested; null for all that there is. */
  readonly kind: string | null;
}

/** How far a run is: `done` of `total`, any unit; `total` null where the end is unknown. */
export interface RunProgress {
  readonly step: string;
  readonly done: number;
  readonly total: number | null;
}

/** An import, a training or a backtest at a command line, under way or ended from outside. */
export interface Run extends NewRun {
  readonly begunAt: number;
  readonly beatAt: number;
  readonly progress: RunProgress | null;
  readonly isLost: boolean;
}

/** Notes that a run has begun, and forgets those of the same that were ended from outside. */
export async function beginRun(store: Store, { runId, task, marketId, kind }: NewRun): Promise<void> {
  const now = store.clock().getTime();
  await store.db
    .deleteFrom('runs')
    .where((eb) =>
      eb.or([
        eb('beat_at', '<', now - TOLD_FOR_MS),
        eb.and([
          eb('beat_at', '<', now - LOST_AFTER_MS),
          eb('task', '=', task),
          eb('market_id', '=', marketId),
          kind === null ? eb('kind', 'is', null) : eb('kind', '=', kind),
        ]),
      ]),
    )
    .execute();
  const row = { run_id: runId, task, market_id: marketId, kind, begun_at: now, beat_at: now };
  await store.db
    .insertInto('runs')
    .values({ ...row, step: null, done: null, total: null })
    .execute();
}

/** A sign of life, and how far it is. */
export async function beatRun(store: Store, runId: string, progress: RunProgress | null): Promise<void> {
  await store.db
    .updateTable('runs')
    .set({ beat_at: store.clock().getTime(), ...progress })
    .where('run_id', '=', runId)
    .execute();
}

/** Whatever became of it, whoever ran it was told. */
export async function endRun(store: Store, runId: string): Promise<void> {
  await store.db.deleteFrom('runs').where('run_id', '=', runId).execute();
}

/** Runs under way and those that were ended from outside, of one market where given; the first begun first. */
export async function listRuns(store: Store, only: { readonly marketId?: string } = {}): Promise<Run[]> {
  const now = store.clock().getTime();
  let query = store.db
    .selectFrom('runs')
    .selectAll()
    .where('beat_at', '>=', now - TOLD_FOR_MS);
  if (only.marketId !== undefined) query = query.where('market_id', '=', only.marketId);
  const rows = await query.orderBy('run_id').execute();
  return rows.map((row) => runOf(row, now));
}

function runOf(row: RunTable, now: number): Run {
  const { step, done, total } = row;
  return {
    runId: row.run_id,
    task: row.task,
    marketId: row.market_id,
    kind: row.kind,
    begunAt: row.begun_at,
    beatAt: row.beat_at,
    progress: step === null || done === null ? null : { step, done, total },
    isLost: row.beat_at < now - LOST_AFTER_MS,
  };
}
