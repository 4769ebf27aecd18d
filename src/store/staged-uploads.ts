import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { nullIfMissing, PlumblineError } from '../errors.ts';
import type { Store } from './store.ts';
import type { Upload } from './tables/jobs.ts';
import { listStoredFiles, readPieces } from './uploads.ts';

const UUID_CHARACTERS = 36;

/** Where uploaded files are while they are read, and files of sweeps while they are written. */
export function stagingFolder(dataDir: string): string {
  return join(dataDir, 'staging');
}

/**
 * Writes an uploaded file into the staging folder of the data folder, passes its path to `work`, and deletes it, also if
 * `work` fails. `deleteStagedLeftovers` deletes what a killed process left.
 */
export async function withStagedUpload<Result>(
  store: Store,
  dataDir: string,
  { uploadId, name, byteCount }: Pick<Upload, 'uploadId' | 'name' | 'byteCount'>,
  work: (path: string) => Promise<Result>,
): Promise<Result> {
  await mkdir(stagingFolder(dataDir), { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(stagingFolder(dataDir), `${uploadId}-`));
  try {
    const path = join(folder, safeName(name));
    const file = createWriteStream(path, { mode: 0o600 });
    await pipeline(Readable.from(readPieces(store, uploadId)), file);
    if (file.bytesWritten !== byteCount) {
      throw new PlumblineError(
        'conflict',
        `Only ${file.bytesWritten} of ${byteCount} bytes of the file are stored. Upload it again.`,
      );
    }
    return await work(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A message without the folder of the staged file, which users do not know. */
export function withoutFolder(message: string, path: string): string {
  return message.replaceAll(`${dirname(path)}/`, '');
}

/** Deletes staged copies of files that were imported or deleted. */
export async function deleteStagedLeftovers(store: Store, dataDir: string): Promise<void> {
  const folders = (await nullIfMissing(readdir(stagingFolder(dataDir)))) ?? [];
  const idOf = (folder: string): string => folder.slice(0, UUID_CHARACTERS);
  const stored = await listStoredFiles(store, [...new Set(folders.map(idOf))]);
  for (const folder of folders) {
    if (stored.has(idOf(folder))) continue;
    await rm(join(stagingFolder(dataDir), folder), { recursive: true, force: true });
  }
}

/** A file name that every system allows. Messages show it. */
function safeName(name: string): string {
  const safe = name.replaceAll(/[^\p{L}\p{N}._ -]+/gu, '_').slice(-100);
  return /^\.*$/.test(safe) ? 'file' : safe;
}
