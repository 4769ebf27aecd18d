import type { ValuationKind } from '../../../../../src/domain/valuation-kind.ts';
import type { Mapping } from '../request/guess-columns.ts';
import type { JobOfFile } from '../results/write-results.ts';

/** A part of a file: one job, once it was sent. */
export type FilePart = Omit<JobOfFile, 'jobId'> & { readonly jobId: string | null };

/**
 * A file that is being sent, or was: everything that makes the same items of the same rows again. Kept in this browser alone, so
 * that a page that was closed goes on, and results stand beside the file's own columns.
 */
export interface StoredFile {
  readonly id: string;
  /** Account and user: another person at the same browser sees nothing of it. */
  readonly owner: string;
  readonly fileName: string;
  readonly file: Blob;
  readonly fileSha256: string;
  readonly attempt: number;
  readonly kind: ValuationKind;
  readonly mapping: Mapping;
  readonly notifyUrl: string | null;
  /** The day by which dates were judged. */
  readonly today: string;
  readonly storedAt: string;
  readonly rows: number;
  readonly parts: readonly FilePart[];
}

const DATABASE = 'plumbline-batches';
const FILES = 'files';
/** As long as the server keeps results. */
const KEPT_MS = 30 * 86_400_000;

/** Files of this browser. Where it keeps nothing (a private window), they last as long as the page. */
export interface FileStore {
  readonly put: (file: StoredFile) => Promise<void>;
  readonly find: (id: string) => Promise<StoredFile | null>;
  /** Newest first. */
  readonly list: (owner: string) => Promise<readonly StoredFile[]>;
  readonly forget: (id: string) => Promise<void>;
  /** False where a closed page is forgotten. */
  readonly isKept: boolean;
}

let opened: Promise<FileStore> | null = null;

export function openFileStore(): Promise<FileStore> {
  opened ??= openDatabase().then(storeIn, () => createMemoryStore());
  return opened;
}

function openDatabase(): Promise<IDBDatabase> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.addEventListener('upgradeneeded', () => {
    opening.result.createObjectStore(FILES, { keyPath: 'id' });
  });
  return resultOf(opening);
}

function storeIn(database: IDBDatabase): FileStore {
  const files = (mode: IDBTransactionMode): IDBObjectStore =>
    database.transaction(FILES, mode).objectStore(FILES);
  const forget = async (id: string): Promise<void> => void (await resultOf(files('readwrite').delete(id)));
  return {
    put: async (file) => void (await resultOf(files('readwrite').put(file))),
    find: async (id) => (await resultOf<StoredFile | undefined>(files('readonly').get(id))) ?? null,
    async list(owner) {
      const all = await resultOf<StoredFile[]>(files('readonly').getAll());
      for (const { id } of all.filter(isOld)) await forget(id);
      return ofOwner(all, owner);
    },
    forget,
    isKept: true,
  };
}

export function createMemoryStore(): FileStore {
  const files = new Map<string, StoredFile>();
  return {
    put: async (file) => void files.set(file.id, file),
    find: async (id) => files.get(id) ?? null,
    list: async (owner) => ofOwner([...files.values()], owner),
    forget: async (id) => void files.delete(id),
    isKept: false,
  };
}

function ofOwner(files: readonly StoredFile[], owner: string): StoredFile[] {
  return files
    .filter((file) => file.owner === owner && !isOld(file))
    .sort((a, b) => b.storedAt.localeCompare(a.storedAt));
}

function isOld({ storedAt }: StoredFile): boolean {
  return Date.now() - Date.parse(storedAt) > KEPT_MS;
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () =>
      reject(request.error ?? new Error('The browser’s storage failed.')),
    );
  });
}

/** The file and part that a job was made of, as itself or as a retry. */
export function partOfJob(
  files: readonly StoredFile[],
  jobId: string,
): { readonly file: StoredFile; readonly part: FilePart } | null {
  for (const file of files) {
    const part = file.parts.find(({ jobId: sent, retries }) => sent === jobId || retries.includes(jobId));
    if (part !== undefined) return { file, part };
  }
  return null;
}

/** The job that took on what had failed in this one. */
export function retryOf({ jobId, retries }: FilePart, id: string): string | null {
  const tries = [jobId, ...retries];
  return tries.includes(id) ? (tries[tries.indexOf(id) + 1] ?? null) : null;
}

/** The file with a job noted for a part. */
export function withJob(file: StoredFile, at: number, jobId: string): StoredFile {
  return { ...file, parts: file.parts.map((part, i) => (i === at ? { ...part, jobId } : part)) };
}

/** The file with a retry noted for the part that its parent belongs to; the same file where it does not. */
export function withRetry(file: StoredFile, parentJobId: string, jobId: string): StoredFile {
  const parts = file.parts.map((part): FilePart => {
    // A retry takes on what had failed in its parent: of the last one alone it is the next.
    const last = part.retries.at(-1) ?? part.jobId;
    return last === parentJobId ? { ...part, retries: [...part.retries, jobId] } : part;
  });
  return { ...file, parts };
}
