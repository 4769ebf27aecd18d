import { createHash } from 'node:crypto';
import { inPortions } from '../domain/portions.ts';
import { PlumblineError } from '../errors.ts';
import { yieldToWriters } from './yield-to-writers.ts';
import { packBytes, unpackBytes } from './packed-bytes.ts';
import { splitBytes } from './split-bytes.ts';
import { allocateShared, type SharedMemory } from '../threads/shared-memory.ts';
import type { Store } from './store.ts';
import type { DatasetTables } from './tables/datasets.ts';
import { inTransaction } from './transaction.ts';

/**
 * Blobs are stored in pieces (split-bytes.ts) under the hashes of these, so that the snapshot of an import stores only what
 * differs from the one before.
 */

/** Pieces per transaction: about a megabyte, and at most 50 ms of SQLite's write lock. */
const PIECES_AT_ONCE = 48;
/**
 * A piece that is stored again counts as just stored, which keeps it from being deleted before its blob is complete
 * (unused-blobs.ts). Within this time it is not noted again.
 */
const STORED_AGAIN_MS = 1_800_000;
const SHA_BYTES = 32;

/** Bytes, or parts of them in order, which need not be one copy in memory. */
export type BlobBytes = Uint8Array | readonly Uint8Array[];

/** Stores bytes under their SHA-256 (hex), which it returns. Bytes that are already stored are not written again. */
export async function putBlob(store: Store, bytes: BlobBytes): Promise<string> {
  const sha256 = sha256Of(bytes);
  const now = store.clock().getTime();
  const stored = await store.db
    .updateTable('blobs')
    .set({ createdAt: now })
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  if (stored.numUpdatedRows > 0n) return sha256;
  const hashes: Buffer[] = [];
  for (const some of inPortions(splitBytes(partsOf(bytes)), PIECES_AT_ONCE)) {
    const pieces = some.map((piece) => ({ sha256: sha256Of(piece), piece }));
    await putPieces(store, pieces, now);
    await yieldToWriters(store);
    hashes.push(...pieces.map((piece) => Buffer.from(piece.sha256, 'hex')));
  }
  const byteCount = partsOf(bytes).reduce((sum, part) => sum + part.length, 0);
  await store.db
    .insertInto('blobs')
    .values({ sha256, byteCount, createdAt: now, pieces: Buffer.concat(hashes) })
    .onConflict((conflict) => conflict.column('sha256').doUpdateSet({ createdAt: now }))
    .execute();
  return sha256;
}

/** Stores those pieces that are not stored yet. Pieces of an attempt that crashed are the right bytes. */
async function putPieces(
  store: Store,
  pieces: readonly { readonly sha256: string; readonly piece: Uint8Array }[],
  now: number,
): Promise<void> {
  const hashes = pieces.map(({ sha256 }) => sha256);
  await inTransaction(store, async (transaction) => {
    await transaction
      .updateTable('blob_pieces')
      .set({ storedAt: now })
      .where('sha256', 'in', hashes)
      .where('storedAt', '<', now - STORED_AGAIN_MS)
      .execute();
    const known = await transaction
      .selectFrom('blob_pieces')
      .select('sha256')
      .where('sha256', 'in', hashes)
      .execute();
    const stored = new Set(known.map(({ sha256 }) => sha256));
    const fresh = new Map(pieces.filter(({ sha256 }) => !stored.has(sha256)).map((one) => [one.sha256, one]));
    if (fresh.size === 0) return;
    const rows = [...fresh.values()].map(({ sha256, piece }) => {
      return { sha256, storedAt: now, bytes: packBytes(piece) };
    });
    await transaction
      .insertInto('blob_pieces')
      .values(rows)
      .onConflict((conflict) => conflict.column('sha256').doUpdateSet({ storedAt: now }))
      .execute();
  });
}

/** The bytes of that SHA-256, checked against it, in memory that threads can share. Throws `gone` if they are
 * not stored. */
export async function getBlob(store: Store, sha256: string): Promise<Uint8Array> {
  const blob = await findBlob(store, sha256);
  if (blob === null) {
    throw new PlumblineError('gone', `The data with the hash ${sha256} are no longer kept.`);
  }
  const bytes = allocateShared(blob.byteCount);
  for await (const { chunk, at } of chunksOf(store, sha256, blob)) bytes.set(chunk, at);
  if (sha256Of(bytes) === sha256) return bytes;
  throw new PlumblineError('unavailable', damageOf(sha256));
}

/** What is wrong with a blob, as a sentence; null if its bytes are intact. It is never whole in memory. */
export async function checkBlob(store: Store, sha256: string): Promise<string | null> {
  const blob = await findBlob(store, sha256);
  if (blob === null) return damageOf(sha256);
  const hash = createHash('sha256');
  for await (const { chunk } of chunksOf(store, sha256, blob)) hash.update(chunk);
  return hash.digest('hex') === sha256 ? null : damageOf(sha256);
}

type StoredBlob = Pick<DatasetTables['blobs'], 'byteCount' | 'pieces'>;

async function findBlob(store: Store, sha256: string): Promise<StoredBlob | null> {
  const query = store.db.selectFrom('blobs').select(['byteCount', 'pieces']).where('sha256', '=', sha256);
  return (await query.executeTakeFirst()) ?? null;
}

/** The bytes in order. What is missing or cannot be read is left out, and what is too long is cut. */
async function* chunksOf(store: Store, sha256: string, { byteCount, pieces }: StoredBlob) {
  const chunks = pieces === null ? oldChunksOf(store, sha256, byteCount) : piecesOf(store, pieces);
  let at = 0;
  for await (const chunk of chunks) {
    yield { chunk: chunk.subarray(0, byteCount - at), at };
    at = Math.min(byteCount, at + chunk.length);
  }
}

/** The hashes of a list of pieces. */
export function hashesOf(pieces: Uint8Array): string[] {
  const hex = Buffer.from(pieces).toString('hex');
  return Array.from({ length: pieces.length / SHA_BYTES }, (_, i) =>
    hex.slice(i * 2 * SHA_BYTES, (i + 1) * 2 * SHA_BYTES),
  );
}

async function* piecesOf(store: Store, list: Uint8Array): AsyncGenerator<Uint8Array> {
  const hashes = hashesOf(list);
  for (let start = 0; start < hashes.length; start += PIECES_AT_ONCE) {
    const some = hashes.slice(start, start + PIECES_AT_ONCE);
    const rows = await store.db
      .selectFrom('blob_pieces')
      .select(['sha256', 'bytes'])
      .where('sha256', 'in', some)
      .execute();
    const bytesOf = new Map(rows.map((row) => [row.sha256, row.bytes]));
    for (const hash of some) {
      const bytes = bytesOf.get(hash);
      if (bytes) yield readablePiece(bytes);
    }
  }
}

/** No bytes if they are damaged: the hash of the blob shows it. */
function readablePiece(bytes: Uint8Array): Uint8Array {
  try {
    return unpackBytes(bytes);
  } catch {
    return new Uint8Array(0);
  }
}

/** The length of the chunks of earlier versions. */
const OLD_CHUNK_BYTES = 1024 * 1024;

async function* oldChunksOf(store: Store, sha256: string, byteCount: number): AsyncGenerator<Uint8Array> {
  for (let chunkNo = 0; chunkNo * OLD_CHUNK_BYTES < byteCount; chunkNo++) {
    const row = await store.db
      .selectFrom('blob_chunks')
      .select('bytes')
      .where((eb) => eb.and({ sha256, chunkNo }))
      .executeTakeFirst();
    if (row) yield row.bytes;
  }
}

function damageOf(sha256: string): string {
  return `Blob ${sha256} is damaged in the database. Restore a backup, or import and train again.`;
}

function partsOf(bytes: BlobBytes): readonly Uint8Array[] {
  return bytes instanceof Uint8Array ? [bytes] : bytes;
}

/** The name of a blob: the SHA-256 of its bytes, in hex. */
export function sha256Of(bytes: BlobBytes): string {
  const hash = createHash('sha256');
  for (const part of partsOf(bytes)) hash.update(part);
  return hash.digest('hex');
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
