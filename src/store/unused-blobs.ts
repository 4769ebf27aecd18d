import { sql } from 'kysely';
import { hashesOf } from './blobs.ts';
import type { DeleteSome } from './expired-rows.ts';
import type { Store } from './store.ts';
import { inTransaction } from './transaction.ts';

/**
 * A blob is stored before what names it is published, and its pieces before the blob. What nothing names is deleted only if it
 * was stored longer ago than any import or training takes from one to the other.
 */
export const UNUSED_KEPT_MS = 3_600_000;

/** Blobs that no dataset, no model and no saved backtest names. */
export function unusedBlobs(store: Store): DeleteSome {
  const storedBefore = store.clock().getTime() - UNUSED_KEPT_MS;
  return (most) =>
    inTransaction(store, async (transaction) => {
      const { rows } = await sql<{ sha256: string }>`
        select sha256 from blobs where created_at < ${storedBefore}
        and not exists (select 1 from datasets d where d.snapshot_sha256 = blobs.sha256)
        and not exists (select 1 from models m where m.sha256 = blobs.sha256 or m.snapshot_sha256 = blobs.sha256)
        and not exists (select 1 from market_backtests b where b.sales_sha256 = blobs.sha256)
        limit ${Math.max(1, Math.trunc(most / BLOB_ROWS))}`.execute(transaction);
      const hashes = rows.map(({ sha256 }) => sha256);
      if (hashes.length === 0) return 0;
      // Its condition is checked again: it may have been stored again meanwhile.
      const deleted = await transaction
        .deleteFrom('blobs')
        .where('sha256', 'in', hashes)
        .where('createdAt', '<', storedBefore)
        .returning('sha256')
        .execute();
      const gone = deleted.map(({ sha256 }) => sha256);
      if (gone.length === 0) return 0;
      await transaction.deleteFrom('blob_chunks').where('sha256', 'in', gone).execute();
      return gone.length;
    });
}

/** A blob of an earlier version is deleted with its chunks of a megabyte, which takes as long as this many rows. */
const BLOB_ROWS = 200;
const LISTS_AT_ONCE = 50;

/** Pieces that no blob has. The function that this returns goes through all pieces once. */
export function unusedPieces(store: Store): DeleteSome {
  const storedBefore = store.clock().getTime() - UNUSED_KEPT_MS;
  let used: Promise<ReadonlySet<string>> | null = null;
  let after = '';
  return async (most) => {
    used ??= readUsedPieces(store);
    const isUsed = await used;
    for (;;) {
      const rows = await store.db
        .selectFrom('blob_pieces')
        .select('sha256')
        .where('sha256', '>', after)
        .orderBy('sha256')
        .limit(Math.max(1, Math.trunc(most)))
        .execute();
      const last = rows.at(-1);
      if (last === undefined) return 0;
      after = last.sha256;
      const unused = rows.filter(({ sha256 }) => !isUsed.has(sha256)).map(({ sha256 }) => sha256);
      if (unused.length === 0) continue;
      const { numDeletedRows } = await store.db
        .deleteFrom('blob_pieces')
        .where('sha256', 'in', unused)
        .where('storedAt', '<', storedBefore)
        .executeTakeFirst();
      if (numDeletedRows > 0n) return Number(numDeletedRows);
    }
  };
}

async function readUsedPieces({ db }: Store): Promise<ReadonlySet<string>> {
  const used = new Set<string>();
  for (let after = ''; ;) {
    const blobs = await db
      .selectFrom('blobs')
      .select(['sha256', 'pieces'])
      .where('sha256', '>', after)
      .orderBy('sha256')
      .limit(LISTS_AT_ONCE)
      .execute();
    for (const { pieces } of blobs) for (const hash of hashesOf(pieces ?? new Uint8Array(0))) used.add(hash);
    const last = blobs.at(-1);
    if (last === undefined) return used;
    after = last.sha256;
  }
}
