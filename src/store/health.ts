import { sql } from 'kysely';
import { listMarketBacktests } from './market-backtests.ts';
import type { Store } from './store.ts';

/** The clock of the database's server, in ms; null for SQLite, which uses that of this machine. */
export async function readServerClock({ engine, db }: Store): Promise<number | null> {
  if (engine === 'sqlite') return null;
  const clock = sql<{ ms: number }>`select extract(epoch from clock_timestamp()) * 1000 as ms`;
  return (await clock.execute(db)).rows[0].ms;
}

/** When the newest records were written, by the clocks of the processes that wrote them; 0 without any. */
export async function newestRecordAt({ db }: Store): Promise<number> {
  // The ids of these tables sort by time, so nothing is scanned.
  const newest = await Promise.all([
    db
      .selectFrom('valuations')
      .select('createdAt as at')
      .orderBy('valuationId', 'desc')
      .limit(1)
      .executeTakeFirst(),
    db.selectFrom('audit_log').select('at').orderBy('auditId', 'desc').limit(1).executeTakeFirst(),
    db.selectFrom('jobs').select('createdAt as at').orderBy('jobId', 'desc').limit(1).executeTakeFirst(),
  ]);
  return Math.max(0, ...newest.map((row) => row?.at ?? 0));
}

/** What SQLite finds wrong with the pages of its file; null if nothing. PostgreSQL has no such check. */
export async function findPageDamage({ engine, db }: Store): Promise<string | null> {
  if (engine === 'postgres') return null;
  const check = sql<{ quickCheck: string }>`pragma quick_check(1)`;
  const [{ quickCheck }] = (await check.execute(db)).rows;
  return quickCheck === 'ok' ? null : quickCheck;
}

/** A blob, and what needs it. */
interface BlobUse {
  readonly sha256: string;
  /** Such as `property model abc of market town`. */
  readonly users: readonly string[];
  /** Whether new valuations need it. Replays and saved backtests need others. */
  readonly isCurrent: boolean;
}

/** Every blob that is stored, or that something refers to. */
export async function listBlobUses({ db }: Store): Promise<BlobUse[]> {
  const uses = new Map<string, { users: string[]; isCurrent: boolean }>();
  const add = (sha256: string, user: string | null, isCurrent: boolean): void => {
    const use = uses.get(sha256) ?? { users: [], isCurrent: false };
    if (user !== null) use.users.push(user);
    uses.set(sha256, { ...use, isCurrent: use.isCurrent || isCurrent });
  };
  const stored = await db.selectFrom('blobs').select('sha256').orderBy('sha256').execute();
  stored.forEach(({ sha256 }) => add(sha256, null, false));
  const models = await db
    .selectFrom('models')
    .select(['modelId', 'marketId', 'kind', 'state', 'sha256', 'snapshotSha256'])
    .orderBy('modelId')
    .execute();
  for (const { modelId, marketId, kind, state, sha256, snapshotSha256 } of models) {
    const name = `${kind} model ${modelId} of market ${marketId}`;
    add(sha256, name, state === 'active');
    add(snapshotSha256, `data of ${name}`, state === 'active');
  }
  const datasets = await db
    .selectFrom('datasets')
    .leftJoin('current_datasets', 'current_datasets.datasetId', 'datasets.datasetId')
    .select(['datasets.datasetId', 'datasets.marketId', 'datasets.kind', 'datasets.snapshotSha256'])
    .select('current_datasets.datasetId as currentId')
    .where('datasets.status', '=', 'ready')
    .orderBy('datasets.datasetId')
    .execute();
  for (const { datasetId, marketId, kind, snapshotSha256, currentId } of datasets) {
    const name = `${kind} of market ${marketId}, version ${datasetId}`;
    if (snapshotSha256 !== null) add(snapshotSha256, name, currentId !== null);
  }
  for (const { marketId, kind, salesSha256 } of await listMarketBacktests({ db })) {
    add(salesSha256, `sales of the saved ${kind} backtest of market ${marketId}`, false);
  }
  return [...uses].map(([sha256, use]) => ({ sha256, ...use }));
}

/** Work that was due before an instant and that nothing has claimed. */
export interface Waiting {
  readonly count: number;
  /** Since when the oldest waits; null without any. */
  readonly since: number | null;
}

/**
 * Jobs with items that were due before an instant. New items are due at 0, so a job waits since it was created or since its
 * first items were claimed, unless its items became due later.
 */
export async function countWaitingJobs({ db }: Store, dueBefore: number): Promise<Waiting> {
  return (
    db
      .with('due_jobs', (cte) =>
        cte
          .selectFrom('jobs')
          .select(({ fn }) => ['jobId', 'dueAt', fn.coalesce('startedAt', 'createdAt').as('begunAt')])
          .where('dueAt', '<', dueBefore),
      )
      .selectFrom('due_jobs')
      .select(({ eb, fn, ref }) => {
        const laterOfBoth = eb.case().when('dueAt', '>', ref('begunAt')).then(ref('dueAt'));
        return [
          fn.countAll<number>().as('count'),
          fn.min(laterOfBoth.else(ref('begunAt')).end()).as('since'),
        ];
      })
      .where('begunAt', '<', dueBefore)
      // The due time of a job may be older than those of its items, which a worker holds.
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('job_items')
            .select('itemNo')
            .whereRef('job_items.jobId', '=', 'due_jobs.jobId')
            .where('job_items.dueAt', '<', dueBefore),
        ),
      )
      .executeTakeFirstOrThrow()
  );
}

export async function countWaitingDeliveries({ db }: Store, dueBefore: number): Promise<Waiting> {
  return db
    .selectFrom('deliveries')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('dueAt').as('since')])
    .where('dueAt', '<', dueBefore)
    .executeTakeFirstOrThrow();
}

export async function countFailedDeliveries({ db }: Store, endedAfter: number): Promise<number> {
  const failed = db.selectFrom('deliveries').select(({ fn }) => fn.countAll<number>().as('count'));
  const recent = failed.where('state', '=', 'failed').where('finishedAt', '>', endedAfter);
  return (await recent.executeTakeFirstOrThrow()).count;
}
