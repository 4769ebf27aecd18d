import type { Store, StoreTransaction } from './store.ts';

/** When each window of a bucket is empty again, ms. */
interface StoredBucket {
  readonly second: number;
  readonly minute: number;
  readonly day: number;
}

/** Reads a bucket, and locks it until the transaction ends, so that processes share the limit. */
export async function lockBucket(
  { engine }: Pick<Store, 'engine'>,
  transaction: StoreTransaction,
  bucketId: string,
): Promise<StoredBucket> {
  const query = transaction.selectFrom('rate_buckets').selectAll().where('bucketId', '=', bucketId);
  for (;;) {
    const row = await (engine === 'postgres' ? query.forUpdate() : query).executeTakeFirst();
    if (row) return { second: row.secondAt, minute: row.minuteAt, day: row.dayAt };
    await transaction
      .insertInto('rate_buckets')
      .values({ bucketId, secondAt: 0, minuteAt: 0, dayAt: 0 })
      .onConflict((conflict) => conflict.column('bucketId').doNothing())
      .execute();
  }
}

export async function writeBucket(
  transaction: StoreTransaction,
  bucketId: string,
  { second, minute, day }: StoredBucket,
): Promise<void> {
  await transaction
    .updateTable('rate_buckets')
    .set({ secondAt: second, minuteAt: minute, dayAt: day })
    .where('bucketId', '=', bucketId)
    .execute();
}
