import type { Clock } from '../clock.ts';
import { formatDay } from '../domain/day.ts';
import { VALUE_FORMATS, type ValueFormat } from '../domain/value-format.ts';
import type { ByteRange, ObjectFacts, ObjectStore, OpenedObject } from '../egress/stored-object.ts';
import { PlumblineError } from '../errors.ts';
import type { Log } from '../log.ts';
import { VALUE_FILE_TYPES, writeValues } from '../operations/sweep/values-file.ts';
import { createPolling, type Polling } from '../polling.ts';
import type { Store } from '../store/store.ts';
import {
  deleteFile,
  findStoredFile,
  insertFile,
  listFilesOfDeleted,
  markStored,
  nextWithoutFile,
} from '../store/sweep-files.ts';
import type { StoredSweep } from '../store/sweeps.ts';
import type { SweepFile } from '../store/tables/sweeps.ts';
import { takeLease } from '../store/task-leases.ts';
import { withUnnamedFile } from '../store/unnamed-file.ts';
import { keepLease } from './keep-lease.ts';
import { pagesOfValues } from './sweeps.ts';

const LOOK_EVERY_MS = 60_000;
/** A process that dies while it stores a file delays the next one by this. */
const LEASE_MS = 60_000;
const DELETED_AT_ONCE = 100;
/** A download that breaks off is continued this often. */
const CONTINUED = 2;

interface Deps {
  readonly store: Store;
  readonly objectStore: ObjectStore;
  readonly log: Log;
}

interface StoringDeps extends Deps {
  readonly clock: Clock;
  readonly newId: () => string;
  /** Files are written here before they are stored. */
  readonly dataDir: string;
}

/**
 * Stores the files of sweeps that have ended, and deletes those of sweeps that were deleted: by one process of all. A file that
 * cannot be stored is tried again every minute.
 */
export function createSweepFiles(deps: StoringDeps): Pick<Polling, 'start' | 'wake' | 'idle' | 'close'> {
  const { store, clock, log, objectStore } = deps;
  const holder = deps.newId();
  const hold = (ms: number): Promise<boolean> => {
    const now = clock().getTime();
    return takeLease(store, { task: 'sweep_files', holder, leaseUntil: now + ms }, now);
  };
  return createPolling({
    everyMs: LOOK_EVERY_MS,
    log,
    failure: `files of sweeps cannot be stored in ${objectStore.location} now; the next pass tries again`,
    poll: async (stopping) => {
      if (!(await hold(LEASE_MS))) return;
      const lease = {
        everyMs: LEASE_MS / 3,
        renew: () => hold(LEASE_MS),
        onFailure: (error: unknown) => log.warn({ err: error }, 'a lease could not be renewed'),
      };
      try {
        await keepLease(lease, async () => {
          await deleteUnneeded(deps, stopping);
          for (const format of VALUE_FORMATS) await storeMissing(deps, format, stopping);
        });
      } finally {
        await hold(0);
      }
    },
  });
}

async function storeMissing(deps: StoringDeps, format: ValueFormat, stopping: AbortSignal): Promise<void> {
  const { store, objectStore, log } = deps;
  const { location } = objectStore;
  for (let after = 0; !stopping.aborted;) {
    const found = await nextWithoutFile(store, { format, location, after });
    if (found === null) return;
    await storeFile(deps, found, format);
    after = found.sweep.sweepNo;
    log.info({ sweepId: found.job.jobId, format, location }, 'stored the file of a sweep');
  }
}

/** Writes a file, then its row, then the object: one that nobody knows of is never left. */
async function storeFile(
  { store, objectStore, clock, dataDir }: StoringDeps,
  { sweep }: StoredSweep,
  format: ValueFormat,
): Promise<void> {
  const { jobId, marketId, asOf, sweepNo } = sweep;
  const pieces = writeValues(format, asOf, pagesOfValues(store, sweepNo));
  await withUnnamedFile(dataDir, pieces, async ({ byteCount, sha256, md5, read }) => {
    const key = `sweeps/${marketId}/${formatDay(asOf)}/${jobId}.${format}`;
    const { location } = objectStore;
    await insertFile(store, { jobId, format, location, objectKey: key, byteCount, sha256 });
    await objectStore.put({ key, type: VALUE_FILE_TYPES[format], byteCount, sha256, md5, bytes: read() });
    const isNamed = await markStored(store, { jobId, format, location }, clock().getTime());
    // The sweep was deleted meanwhile, and another process has deleted the row.
    if (!isNamed) await objectStore.remove(key);
  });
}

async function deleteUnneeded({ store, objectStore }: Deps, stopping: AbortSignal): Promise<void> {
  const { location } = objectStore;
  while (!stopping.aborted) {
    const files = await listFilesOfDeleted(store, { location, limit: DELETED_AT_ONCE });
    if (files.length === 0) return;
    for (const file of files) {
      await objectStore.remove(file.objectKey);
      await deleteFile(store, file);
    }
  }
}

/** The stored file of a sweep; null if there is none. */
export async function findSweepFile(
  { store, objectStore }: Omit<Deps, 'log'>,
  jobId: string,
  format: ValueFormat,
): Promise<SweepFile | null> {
  return findStoredFile(store, { jobId, format, location: objectStore.location });
}

/** Whether an object is the file that was stored. */
export function isFile(
  { byteCount, sha256 }: ObjectFacts,
  file: Pick<SweepFile, 'byteCount' | 'sha256'>,
): boolean {
  return byteCount === file.byteCount && sha256 === file.sha256;
}

/**
 * Bytes of a stored file. Null if it cannot be read, which is logged; the caller then writes it from the values. If the object is
 * missing or another one, it will be stored again.
 */
export async function openSweepFile(
  { store, objectStore, log }: Deps,
  file: SweepFile,
  range: ByteRange,
): Promise<AsyncGenerator<Uint8Array> | null> {
  const about = { sweepId: file.jobId, object: `${file.location}/${file.objectKey}` };
  try {
    const opened = await openRange(objectStore, file, range);
    if (opened !== null) {
      const bytes = bytesOf(objectStore, file, range, opened);
      // Only a generator that has begun closes the object when a reader ends it early.
      await bytes.next();
      return bytes;
    }
    log.warn(about, 'the file of a sweep is missing in object storage or differs; it will be stored again');
    await markStored(store, file, null);
  } catch (error) {
    if (!(error instanceof PlumblineError)) throw error;
    log.warn({ ...about, err: error }, 'the file of a sweep is read from the database');
  }
  return null;
}

/** Null if the object is missing, or is not the file that was stored. */
async function openRange(
  objectStore: ObjectStore,
  { objectKey, sha256 }: SweepFile,
  { first, last }: ByteRange,
): Promise<OpenedObject | null> {
  const opened = await objectStore.open(objectKey, { first, last });
  if (opened === null || isFile(opened, { byteCount: last - first + 1, sha256 })) return opened;
  opened.bytes.destroy();
  return null;
}

/** Nothing, then the bytes of a range. If the connection breaks, it goes on where it was. */
async function* bytesOf(
  objectStore: ObjectStore,
  file: SweepFile,
  { first, last }: ByteRange,
  opened: OpenedObject,
): AsyncGenerator<Uint8Array> {
  let at = first;
  let source = opened;
  try {
    yield new Uint8Array(0);
    for (let continued = 0; ; continued++) {
      try {
        for await (const chunk of source.bytes) {
          if (!(chunk instanceof Uint8Array)) throw new TypeError('The bytes of an object came as text.');
          at += chunk.length;
          yield chunk;
        }
        return;
      } catch (error) {
        const again =
          continued < CONTINUED
            ? await openRange(objectStore, file, { first: at, last }).catch(() => null)
            : null;
        if (again === null) throw error;
        source = again;
      }
    }
  } finally {
    source.bytes.destroy();
  }
}
