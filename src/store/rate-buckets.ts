import { sql, type ExpressionBuilder, type Expression, type SqlBool, type Transaction } from 'kysely';
import type { Database } from './database.ts';

/** Of a bucket's window: how much a request adds, and between which instants the window may be for it to be allowed. */
export interface WindowStep {
  readonly column: 'secondAt' | 'minuteAt' | 'dayAt';
  readonly stepMs: number;
  /** A request is allowed up to here. */
  readonly latestAt: number;
  /** What lies beyond was written before the clock was set back, and counts for nothing. */
  readonly furthestAt: number;
}

/** A bucket's windows, ms. */
export interface BucketRow {
  readonly second: number;
  readonly minute: number;
  readonly day: number;
}

/**
 * Counts a request at `nowMs` in every window, or in none: the database decides, in one statement, so that processes
 * share the limit. `isTaken` says which; `bucket` is how it stands now.
 */
export async function takeFromBucket(
  transaction: Transaction<Database>,
  bucketId: string,
  steps: readonly WindowStep[],
  nowMs: number,
): Promise<{ readonly isTaken: boolean; readonly bucket: BucketRow }> {
  const changes = Object.fromEntries(
    steps.map(({ column, stepMs, furthestAt }) => [
      column,
      sql<number>`case when ${sql.ref(column)} < ${double(nowMs)} or ${sql.ref(column)} > ${double(furthestAt)}
        then ${double(nowMs)} else ${sql.ref(column)} end + ${double(stepMs)}`,
    ]),
  );
  const isAllowed = (eb: ExpressionBuilder<Database, 'rate_buckets'>): Expression<SqlBool> =>
    eb.and(
      steps.map(({ column, latestAt, furthestAt }) =>
        eb.or([
          sql<SqlBool>`${sql.ref(column)} <= ${double(latestAt)}`,
          sql<SqlBool>`${sql.ref(column)} > ${double(furthestAt)}`,
        ]),
      ),
    );
  for (;;) {
    const taken = await transaction
      .updateTable('rate_buckets')
      .set(changes)
      .where('bucketId', '=', bucketId)
      .where(isAllowed)
      .returningAll()
      .executeTakeFirst();
    if (taken) return { isTaken: true, bucket: bucketOf(taken) };
    const refused = await transaction
      .selectFrom('rate_buckets')
      .selectAll()
      .where('bucketId', '=', bucketId)
      .executeTakeFirst();
    if (refused) return { isTaken: false, bucket: bucketOf(refused) };
    await transaction
      .insertInto('rate_buckets')
      .values({ bucketId: bucketId, secondAt: 0, minuteAt: 0, dayAt: 0 })
      .onConflict((conflict) => conflict.column('bucketId').doNothing())
      .execute();
  }
}

/** PostgreSQL would take a parameter in a CASE for a text. */
function double(value: number) {
  return sql<number>`cast(${value} as double precision)`;
}

function bucketOf(row: Database['rate_buckets']): BucketRow {
  return { second: row.secondAt, minute: row.minuteAt, day: row.dayAt };
}
