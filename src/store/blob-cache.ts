import { getBlob } from './blobs.ts';
import type { Store } from './store.ts';

/** Opened blobs by hash. Readers at the same time share one opening; one that failed is forgotten. */
export type BlobCache<Opened> = (sha256: string) => Promise<Opened>;

/**
 * Keeps what was used last, up to `mostBytes` of blobs and at least one. What `open` makes is mostly views of the
 * bytes it is given, so the bytes are what it costs.
 */
export function createBlobCache<Opened>(
  store: Store,
  mostBytes: number,
  open: (bytes: Uint8Array) => Opened,
): BlobCache<Opened> {
  const kept = new Map<string, { readonly opened: Promise<Opened>; bytes: number }>();

  async function load(sha256: string): Promise<Opened> {
    const bytes = await getBlob(store, sha256);
    const entry = kept.get(sha256);
    if (entry) entry.bytes = bytes.length;
    makeRoom();
    return open(bytes);
  }

  function makeRoom(): void {
    let total = [...kept.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    for (const [sha256, { bytes }] of kept) {
      if (total <= mostBytes || kept.size === 1) return;
      kept.delete(sha256);
      total -= bytes;
    }
  }

  return (sha256) => {
    const entry = kept.get(sha256) ?? { opened: load(sha256), bytes: 0 };
    kept.delete(sha256);
    kept.set(sha256, entry);
    entry.opened.catch(() => {
      if (kept.get(sha256) === entry) kept.delete(sha256);
    });
    return entry.opened;
  };
}
