import { MS_PER_DAY } from '../../domain/day.ts';
import { PlumblineError } from '../../errors.ts';
import type { Store } from '../../store/store.ts';
import type { Upload } from '../../store/tables/jobs.ts';
import { countUploads, listUploads, type UploadOwner } from '../../store/uploads.ts';
import { uuidV7 } from '../../store/uuid-v7.ts';

/** Limits of all files of an account together. */
const MAX_ACCOUNT_BYTES = 500 * 1024 * 1024;
const MAX_ACCOUNT_FILES = 500;
/** A file is kept this long before it is submitted. */
const UNSENT_KEPT_MS = MS_PER_DAY;
const FILES_LISTED = 20;

/** @throws PlumblineError `conflict` if the account has no room for it */
export async function newUpload(
  store: Store,
  { accountId, userId }: UploadOwner,
  file: Pick<Upload, 'name' | 'byteCount' | 'purpose'>,
  { createdAt, randomBytes }: { readonly createdAt: number; readonly randomBytes: Uint8Array },
): Promise<Upload> {
  const stored = await countUploads(store, accountId);
  if (stored.files >= MAX_ACCOUNT_FILES || stored.bytes + file.byteCount > MAX_ACCOUNT_BYTES) {
    throw accountIsFull();
  }
  return {
    ...file,
    accountId,
    userId,
    uploadId: uuidV7(createdAt, randomBytes),
    createdAt,
    keptUntil: createdAt + UNSENT_KEPT_MS,
    sheet: null,
    submission: null,
    cancelledAt: null,
  };
}

/** @throws PlumblineError `conflict` if the files of an account, with their rows, are over its limit */
export async function rejectFullAccount(store: Store, accountId: string): Promise<void> {
  if ((await countUploads(store, accountId)).bytes > MAX_ACCOUNT_BYTES) throw accountIsFull();
}

function accountIsFull(): PlumblineError {
  const message = 'This account is at its limit of 500 files or 500 MB. Delete a file, or wait a day.';
  return new PlumblineError('conflict', message);
}

/** The newest files of a user whose rows are valued. */
export function ownUploads(store: Store, owner: UploadOwner, now: number): Promise<readonly Upload[]> {
  return listUploads(store, owner, { now, limit: FILES_LISTED });
}

/** Tasks of an account that may wait behind its running one. */
const MAX_WAITING = 4;

const queues = new Map<string, { last: Promise<unknown>; tasks: number }>();

/** Runs the tasks of an account one at a time: reading 100,000 rows takes seconds of this process. */
export async function runOneAtATime<T>(accountId: string, task: () => Promise<T>): Promise<T> {
  const queue = queues.get(accountId) ?? { last: Promise.resolve(), tasks: 0 };
  if (queue.tasks > MAX_WAITING) {
    const members = { retry_after: 2 };
    const message = 'Other files of this account are being read. Try again in a moment.';
    throw new PlumblineError('rate_limited', message, { members });
  }
  queue.tasks++;
  queues.set(accountId, queue);
  const running = queue.last.then(task);
  queue.last = running.catch(() => {});
  try {
    return await running;
  } finally {
    if (--queue.tasks === 0) queues.delete(accountId);
  }
}
