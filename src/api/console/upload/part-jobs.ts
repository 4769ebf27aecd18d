import type { Store } from '../../../store/store.ts';
import { readPartJobs, readRetries, type PartJob } from '../../../store/upload-jobs.ts';
import { readParts, type Upload, type UploadPart } from '../../../store/uploads.ts';

/** A part of a file, with the last of its jobs. */
export interface PartState {
  readonly part: UploadPart;
  /** The first job of the part, then its retries. */
  readonly jobIds: readonly string[];
  readonly job: (PartJob & { readonly hasEnded: boolean }) | null;
}

/** The parts of a file, each with the job that its rows are in now: the last retry. */
export async function lastJobs(
  store: Store,
  { uploadId, accountId }: Pick<Upload, 'uploadId' | 'accountId'>,
): Promise<readonly PartState[]> {
  const parts = await readParts(store, uploadId);
  const chains = await jobChains(
    store,
    accountId,
    parts.flatMap(({ jobId }) => jobId ?? []),
  );
  const lastOf = (part: UploadPart): string | null =>
    part.jobId === null ? null : (chains.get(part.jobId)?.at(-1) ?? part.jobId);
  const jobs = await readPartJobs(
    store,
    parts.flatMap((part) => lastOf(part) ?? []),
  );
  return parts.map((part) => {
    const job = jobs.get(lastOf(part) ?? '') ?? null;
    return {
      part,
      jobIds: part.jobId === null ? [] : (chains.get(part.jobId) ?? [part.jobId]),
      job: job && { ...job, hasEnded: ['complete', 'failed', 'cancelled'].includes(job.status) },
    };
  });
}

/** Of each job: itself, the retry of its failed items, the retry of that one, and so on. */
export async function jobChains(
  store: Store,
  accountId: string,
  jobIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const chains = new Map(jobIds.map((jobId): [string, string[]] => [jobId, [jobId]]));
  for (let heads = [...chains.values()]; heads.length > 0;) {
    const lasts = heads.flatMap((chain) => chain.slice(-1));
    const retries = await readRetries(store, accountId, lasts);
    heads = heads.filter((chain) => {
      const next = retries.get(chain.at(-1) ?? '');
      if (next !== undefined) chain.push(next);
      return next !== undefined;
    });
  }
  return chains;
}

/** Rows of a file by what became of them. */
export interface RowCounts {
  /** Rows that are valued, or will be. */
  readonly total: number;
  readonly completed: number;
  /** Including cancelled ones. */
  readonly failed: number;
  readonly cancelled: number;
}

export function countRows(states: readonly PartState[]): RowCounts {
  let total = 0;
  let completed = 0;
  let failed = 0;
  let cancelled = 0;
  for (const { part, job } of states) {
    total += part.rows.length;
    if (job === null) continue;
    // A retry has the rows that failed; the other rows of the part were valued before it.
    completed += part.rows.length - job.total + job.completed;
    failed += job.failed;
    cancelled += job.cancelled;
  }
  return { total, completed, failed, cancelled };
}
