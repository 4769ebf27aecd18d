import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PlumblineError } from '../../errors.ts';
import { parseJsonText } from '../../store/json-text.ts';
import { withStagedUpload } from '../../store/staged-uploads.ts';
import type { Store } from '../../store/store.ts';
import {
  deleteRows,
  finishReading,
  putRows,
  readPieces,
  readRows,
  UPLOAD_CHUNK_ROWS,
} from '../../store/uploads.ts';
import type { SheetRow } from '../../tables/read-sheet.ts';
import { openThread } from '../../threads/open-thread.ts';
import type { ReadCall, ReadSheet } from './read-sheet-thread.ts';
import { reportingUsage } from './report-usage.ts';
import type { Upload } from '../../store/tables/jobs.ts';

/** Reading 100,000 rows of a workbook takes 10 s of CPU time. */
const READ_DEADLINE_MS = 100_000;

/** What is known of a file once it was read. */
export interface StoredSheet extends Omit<ReadSheet, 'chunks' | 'emptyRows'> {
  /** Absent before they were counted. */
  readonly emptyRows?: ReadSheet['emptyRows'];
  readonly sha256: string;
}

export function sheetOf({ sheet }: Upload): StoredSheet | null {
  return sheet === null ? null : parseJsonText<StoredSheet>(sheet);
}

/**
 * Reads the bytes of an upload into rows, in a thread, and stores these.
 *
 * @throws PlumblineError `conflict` if bytes are missing, `bad_request` if the file cannot be read
 */
export async function readUpload(store: Store, dataDir: string, upload: Upload): Promise<void> {
  const { uploadId } = upload;
  const sha256 = await hashOfPieces(store, upload);
  await withStagedUpload(store, dataDir, upload, async (path) => {
    const folder = join(dirname(path), 'rows of the file');
    await mkdir(folder, { mode: 0o700 });
    const { chunks, ...sheet } = await reportingUsage(path, () => readInThread({ path, folder }));
    // What an earlier reading left, that the process did not survive.
    await deleteRows(store, uploadId);
    let storedBytes = 0;
    for (let chunkNo = 0; chunkNo < chunks; chunkNo++) {
      const text = await readFile(join(folder, String(chunkNo)), 'utf8');
      storedBytes += Buffer.byteLength(text);
      await putRows(store, uploadId, chunkNo, text);
    }
    const stored: StoredSheet = { ...sheet, sha256 };
    await finishReading(store, uploadId, stored, storedBytes);
  });
}

async function hashOfPieces(store: Store, { uploadId, byteCount }: Upload): Promise<string> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of readPieces(store, uploadId)) {
    hash.update(piece);
    bytes += piece.length;
  }
  if (bytes === byteCount) return hash.digest('hex');
  const message = `Only ${bytes} of ${byteCount} bytes of the file have arrived. Upload the rest first.`;
  throw new PlumblineError('conflict', message);
}

/** A thread of its own, which ends afterwards: parsing a large file would hold up other requests. */
async function readInThread(call: ReadCall): Promise<ReadSheet> {
  const tooLarge = (cause: Error): Error => {
    const message = 'The file takes too much time or memory to read. Split it, or save it as CSV.';
    return new PlumblineError('bad_request', message, { cause });
  };
  const thread = openThread<ReadCall, ReadSheet>(
    new URL('./read-sheet-thread.ts', import.meta.url),
    {},
    { deathOf: tooLarge },
  );
  const timer = setTimeout(() => void thread.terminate(), READ_DEADLINE_MS);
  try {
    return await thread.call(call);
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}

/** The rows of a file in order, a chunk at a time, with the position of the first. */
export async function* rowChunks(
  store: Store,
  uploadId: string,
): AsyncGenerator<{ readonly from: number; readonly rows: readonly SheetRow[] }> {
  for (let chunkNo = 0; ; chunkNo++) {
    const rows = await readRows<SheetRow>(store, uploadId, chunkNo);
    if (rows === null) return;
    yield { from: chunkNo * UPLOAD_CHUNK_ROWS, rows };
  }
}

/** The rows at these positions, in ascending order. */
export async function rowsAt(
  store: Store,
  uploadId: string,
  positions: readonly number[],
): Promise<readonly SheetRow[]> {
  const found: SheetRow[] = [];
  let chunkNo = -1;
  let chunk: readonly SheetRow[] = [];
  for (const position of positions) {
    const no = Math.floor(position / UPLOAD_CHUNK_ROWS);
    if (no !== chunkNo) {
      chunkNo = no;
      chunk = (await readRows<SheetRow>(store, uploadId, no)) ?? [];
    }
    const row = chunk[position % UPLOAD_CHUNK_ROWS];
    if (row) found.push(row);
  }
  return found;
}
