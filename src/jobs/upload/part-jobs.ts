import type { Store } from '../../store/store.ts';
import {
  type PartJob,
  readPartJobs,
  readParts,
  readRetries,
  type UploadPart,
} from '../../store/upload-jobs.ts';
import type { Upload } from '../../store/tables/jobs.ts';

/** A part of a file, with the last of its jobs. */
export interface PartState {
  readonly part: UploadPart;
  /** The first job of the part, then its retries; empty before it is submitted. */
  readonly jobIds: readonly string[];
  readonly job: (PartJob & { readonly hasEnded: boolean }) | null;
}

/** The parts of a file. The job of each is the last retry. */
export async function lastJobs(
  store: Store,
  { uploadId, accountId }: Pick<Upload, 'uploadId' | 'accountId'>,
): Promise<readonly PartState[]> {
  const parts = await readParts(store, uploadId);
  const chains = await jobChains(store, accountId, parts);
  const jobs = await readPartJobs(
    store,
    chains.flatMap((chain) => chain.slice(-1)),
  );
  return parts.map((part, at) => {
    const job = jobs.get(chains[at].at(-1) ?? '') ?? null;
    const hasEnded = job !== null && ['complete', 'failed', 'cancelled'].includes(job.status);
    return { part, jobIds: chains[at], job: job && { ...job, hasEnded } };
  });
}

/** For each part: its first job, the retry of that job's failed items, the retry of that retry, and so on. */
async function jobChains(
  store: Store,
  accountId: string,
  parts: readonly UploadPart[],
): Promise<readonly (readonly string[])[]> {
  const chains = parts.map(({ jobId }): string[] => (jobId === null ? [] : [jobId]));
  for (let open = chains; open.length > 0;) {
    const lasts = open.flatMap((chain) => chain.slice(-1));
    const retries = await readRetries(store, accountId, lasts);
    open = open.filter((chain) => {
      const next = retries.get(chain.at(-1) ?? '');
      if (next !== undefined) chain.push(next);
      return next !== undefined;
    });
  }
  return chains;
}

/** Rows of a part by status. A retry has the failed rows only; the other rows of the part were valued before it. */
export function countPart({ part, job }: PartState) {
  const total = part.rows.length;
  if (job === null) return { total, completed: 0, failed: 0, cancelled: 0 };
  const { failed, cancelled } = job;
  return { total, completed: total - job.total + job.completed, failed, cancelled };
}

/** Rows of a file by status. Cancelled rows are counted as failed, too. */
export function countRows(states: readonly PartState[]) {
  const parts = states.map(countPart);
  const sum = (name: 'total' | 'completed' | 'failed' | 'cancelled'): number =>
    parts.reduce((rows, counts) => rows + counts[name], 0);
  return {
    total: sum('total'),
    completed: sum('completed'),
    failed: sum('failed'),
    cancelled: sum('cancelled'),
  };
}
