import { createHash } from 'node:crypto';
import { PlumblineError } from '../errors.ts';
import { allocateShared, type SharedMemory } from '../threads/shared-memory.ts';
import type { Store } from './store.ts';

/** Small enough for the write lock and for the packet limits of proxies, large enough that a blob has few chunks. */
const CHUNK_BYTES = 1024 * 1024;

/** Stores bytes under their SHA-256 (hex), which it returns. Bytes that are already stored are not written again. */
export async function putBlob(store: Store, bytes: Uint8Array): Promise<string> {
  const sha256 = sha256Of(bytes);
  if (await hasBlob(store, sha256)) return sha256;
  for (let chunkNo = 0; chunkNo * CHUNK_BYTES < bytes.length; chunkNo++) {
    const chunk = bytes.subarray(chunkNo * CHUNK_BYTES, (chunkNo + 1) * CHUNK_BYTES);
    // A chunk that is already stored has the same bytes. It is from an attempt that crashed, or from another process.
    await store.db
      .insertInto('blob_chunks')
      .values({ sha256, chunkNo: chunkNo, bytes: chunk })
      .onConflict((conflict) => conflict.columns(['sha256', 'chunkNo']).doNothing())
      .execute();
  }
  await store.db
    .insertInto('blobs')
    .values({ sha256, byteCount: bytes.length, createdAt: store.clock().getTime() })
    .onConflict((conflict) => conflict.column('sha256').doNothing())
    .execute();
  return sha256;
}

export async function hasBlob(store: Store, sha256: string): Promise<boolean> {
  const row = await store.db
    .selectFrom('blobs')
    .select('sha256')
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  return row !== undefined;
}

/** The bytes of that SHA-256, checked against it, in memory that threads can share. Throws `not_found`. */
export async function getBlob(store: Store, sha256: string): Promise<Uint8Array> {
  const byteCount = await blobLength(store, sha256);
  if (byteCount === null) throw new PlumblineError('not_found', `The database holds no blob ${sha256}.`);
  const bytes = allocateShared(byteCount);
  for await (const { chunk, at } of chunksOf(store, sha256, byteCount)) bytes.set(chunk, at);
  if (sha256Of(bytes) === sha256) return bytes;
  throw new PlumblineError('unavailable', damageOf(sha256));
}

/** What is wrong with a blob, as a sentence; null if its bytes are intact. It is never whole in memory. */
export async function checkBlob(store: Store, sha256: string): Promise<string | null> {
  const byteCount = await blobLength(store, sha256);
  const hash = createHash('sha256');
  for await (const { chunk } of chunksOf(store, sha256, byteCount ?? 0)) hash.update(chunk);
  return byteCount !== null && hash.digest('hex') === sha256 ? null : damageOf(sha256);
}

async function blobLength(store: Store, sha256: string): Promise<number | null> {
  const query = store.db.selectFrom('blobs').select('byteCount').where('sha256', '=', sha256);
  return (await query.executeTakeFirst())?.byteCount ?? null;
}

/** A chunk that is missing is left out. */
async function* chunksOf(store: Store, sha256: string, byteCount: number) {
  for (let chunkNo = 0; chunkNo * CHUNK_BYTES < byteCount; chunkNo++) {
    const row = await store.db
      .selectFrom('blob_chunks')
      .select('bytes')
      .where((eb) => eb.and({ sha256, chunkNo }))
      .executeTakeFirst();
    const at = chunkNo * CHUNK_BYTES;
    // A damaged chunk may be too long. It must not exceed the end of the blob.
    if (row) yield { chunk: row.bytes.subarray(0, byteCount - at), at };
  }
}

function damageOf(sha256: string): string {
  return `Blob ${sha256} is damaged in the database. Restore a backup, or import and train again.`;
}

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Opens blobs by hash: once per thread, from one copy of the bytes per process. */
export type BlobCache<Opened> = (sha256: string) => Promise<Opened>;

export function createBlobCache<Opened>(
  store: Store,
  memory: SharedMemory,
  open: (bytes: Uint8Array) => Opened,
): BlobCache<Opened> {
  return memory.cached('blob', (sha256: string) => getBlob(store, sha256), open);
}
