import { sql, type RawBuilder, type Selectable } from 'kysely';
import type { Day } from '../domain/day.ts';
import { bulkTable } from './bulk-table.ts';
import { deleteRowsOf, type DeleteSome } from './expired-rows.ts';
import { lockJob } from './job-queue.ts';
import { jobOf, RESULTS_ARE_KEPT } from './jobs.ts';
import type { Reader, Store, StoreTransaction } from './store.ts';
import { SWEEP_TASK, type JobTable, type StoredJob } from './tables/jobs.ts';
import type { ParcelValue, ParcelValueTable, SweepTable } from './tables/sweeps.ts';
import { inTransaction } from './transaction.ts';

/** What a sweep values, and by which model and data. */
export type SweepRow = Selectable<SweepTable>;

export interface StoredSweep {
  readonly job: StoredJob;
  readonly sweep: SweepRow;
}

/** Consecutive parcels of a dataset by id, both ends included. */
export interface ParcelRange {
  readonly first: string;
  readonly last: string;
  readonly count: number;
}

/** The parcels of a dataset version in ranges. Reads an index alone: 0.1 s for 140,000 parcels. */
export async function parcelRanges(
  { rows }: Store,
  rowsId: number,
  rangeParcels: number,
): Promise<ParcelRange[]> {
  const ranges = await sql<Omit<ParcelRange, 'count'> & { readonly count: number | string }>`
    select min(parcel_id) as first, max(parcel_id) as last, count(*) as count from (
      select parcel_id, (row_number() over (order by parcel_id) - 1) / ${sql.lit(rangeParcels)} as range_no
      from parcels where dataset_id = ${rowsId}
    ) as numbered group by range_no order by range_no`.execute(rows);
  return ranges.rows.map(({ first, last, count }) => ({ first, last, count: Number(count) }));
}

export async function insertSweep(
  transaction: StoreTransaction,
  sweep: Omit<SweepRow, 'sweepNo'>,
): Promise<void> {
  await transaction.insertInto('sweeps').values(sweep).execute();
}

/** The sweep of a job. */
export async function sweepOfJob(db: Reader, jobId: string): Promise<SweepRow | null> {
  const row = await db.selectFrom('sweeps').selectAll().where('jobId', '=', jobId).executeTakeFirst();
  return row ?? null;
}

/** An account's sweep; null for an unknown id and for another account's sweep. */
export async function findSweep(db: Reader, accountId: string, jobId: string): Promise<StoredSweep | null> {
  const row = await sweepJobs(db)
    .where((eb) => eb.and({ 'sweeps.jobId': jobId, accountId }))
    .executeTakeFirst();
  return row ? storedSweep(row) : null;
}

/** An account's sweep of a market on a day by a model that has not ended. */
export async function findOpenSweep(
  db: Reader,
  accountId: string,
  { marketId, asOf, modelId }: { readonly marketId: string; readonly asOf: Day; readonly modelId: string },
): Promise<StoredSweep | null> {
  const row = await sweepJobs(db)
    .where((eb) => eb.and({ accountId, marketId, asOf, modelId, finishedAt: null }))
    .orderBy('sweepNo')
    .executeTakeFirst();
  return row ? storedSweep(row) : null;
}

/** The newest sweeps of an account in a market. */
export async function listSweeps(
  db: Reader,
  accountId: string,
  marketId: string,
  limit: number,
): Promise<StoredSweep[]> {
  const rows = await sweepJobs(db)
    .where((eb) => eb.and({ accountId, marketId }))
    .orderBy('sweepNo', 'desc')
    .limit(limit)
    .execute();
  return rows.map(storedSweep);
}

export function sweepJobs(db: Reader) {
  return db
    .selectFrom('sweeps')
    .innerJoin('jobs', 'jobs.jobId', 'sweeps.jobId')
    .selectAll('jobs')
    .select(['sweepNo', 'marketId', 'asOf', 'modelId', 'inputs', 'parcelsDatasetId', 'parcelCount'])
    .where('jobs.task', '=', SWEEP_TASK);
}

export function storedSweep(row: JobTable & SweepRow): StoredSweep {
  const { sweepNo, marketId, asOf, modelId, inputs, parcelsDatasetId, parcelCount, ...job } = row;
  const { jobId } = job;
  const sweep = { sweepNo, jobId, marketId, asOf, modelId, inputs, parcelsDatasetId, parcelCount };
  return { job: jobOf(job), sweep };
}

/** The results of the ranges of a sweep that have ended, with their requests. */
export function readRangeResults({ db }: Store, jobId: string) {
  return db
    .selectFrom('job_results as result')
    .innerJoin('job_requests as request', (join) =>
      join.onRef('request.jobId', '=', 'result.jobId').onRef('request.itemNo', '=', 'result.itemNo'),
    )
    .select(['result.data', 'result.errorCode', 'request.request'])
    .where('result.jobId', '=', jobId)
    .execute();
}

const PARCEL_VALUES = bulkTable<ParcelValueTable>('parcel_values', {
  sweepNo: 'int8',
  parcelId: 'text',
  valueUsd: 'float8',
  lowUsd: 'float8',
  highUsd: 'float8',
  fsd: 'float8',
  errorCode: 'text',
});

/** Writes values in the transaction that ends their item. */
export async function insertParcelValues(
  store: Pick<Store, 'insertRows'>,
  transaction: StoreTransaction,
  jobId: string,
  values: readonly ParcelValue[],
): Promise<void> {
  if (values.length === 0) return;
  const sweep = await sweepOfJob(transaction, jobId);
  if (sweep === null) throw new Error(`job ${jobId} has values of parcels, but is no sweep`);
  const { sweepNo } = sweep;
  await store.insertRows(
    transaction,
    PARCEL_VALUES,
    values.map((value) => ({ ...value, sweepNo })),
  );
}

/** Values of a sweep by parcel id, after a parcel. */
export function readParcelValues(
  { db }: Store,
  sweepNo: number,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<ParcelValue[]> {
  return db
    .selectFrom('parcel_values')
    .select(['parcelId', 'valueUsd', 'lowUsd', 'highUsd', 'fsd', 'errorCode'])
    .where('sweepNo', '=', sweepNo)
    .where('parcelId', '>', after)
    .orderBy('parcelId')
    .limit(limit)
    .execute();
}

/** A value of a parcel in its history. */
interface PastParcelValue extends ParcelValue {
  readonly asOf: Day;
  readonly jobId: string;
}

/** The values of a parcel from all sweeps of an account, oldest sweep first. */
export function readParcelHistory(
  { db }: Store,
  accountId: string,
  marketId: string,
  parcelId: string,
): Promise<PastParcelValue[]> {
  return db
    .selectFrom('parcel_values')
    .innerJoin('sweeps', 'sweeps.sweepNo', 'parcel_values.sweepNo')
    .innerJoin('jobs', 'jobs.jobId', 'sweeps.jobId')
    .select(['parcelId', 'valueUsd', 'lowUsd', 'highUsd', 'fsd', 'errorCode', 'asOf', 'sweeps.jobId'])
    .where((eb) => eb.and({ parcelId, marketId, accountId }))
    .orderBy('parcel_values.sweepNo')
    .execute();
}

/** Values of a market's sweeps; then, one at a time, the sweeps, whose jobs stay. */
export function sweptValues(store: Store, marketId: string): DeleteSome {
  return deleteSweeps(store, sql`market_id = ${marketId}`);
}

/** The same of markets that were deleted, if their deletion was interrupted. Markets with sweeps have data until then. */
export function sweepsOfDeletedMarkets(store: Store): DeleteSome {
  return deleteSweeps(
    store,
    sql`not exists (select 1 from current_datasets c where c.market_id = sweeps.market_id)`,
  );
}

function deleteSweeps(store: Store, condition: RawBuilder<unknown>): DeleteSome {
  return (most) =>
    inTransaction(store, async (transaction) => {
      const sweep = await transaction
        .selectFrom('sweeps')
        .select(['sweepNo', 'jobId'])
        .where(sql<boolean>`${condition}`)
        .orderBy('sweepNo')
        .limit(1)
        .executeTakeFirst();
      return sweep ? deleteSweepPart(store, transaction, sweep, most) : 0;
    });
}

/** Deletes at most `most` values of a sweep, in the end the sweep itself. Retention then deletes the results of its job. */
export async function deleteSweepPart(
  store: Store,
  transaction: StoreTransaction,
  { sweepNo, jobId }: Pick<SweepRow, 'sweepNo' | 'jobId'>,
  most: number,
): Promise<number> {
  // Values are written under this lock, and another process may delete them, too: none may be left without their sweep.
  await lockJob(store, transaction, jobId);
  const values = [['parcel_values', 'parcelId']] as const;
  const deleted = await deleteRowsOf(transaction, values, ['sweepNo', sweepNo], most);
  if (deleted > 0) return deleted;
  await transaction.deleteFrom('sweeps').where('sweepNo', '=', sweepNo).execute();
  await transaction
    .updateTable('jobs')
    .set({ keptUntil: RESULTS_ARE_KEPT })
    .where('jobId', '=', jobId)
    .where('finishedAt', 'is not', null)
    .execute();
  return 1;
}
