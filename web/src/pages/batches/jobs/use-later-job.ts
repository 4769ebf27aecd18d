import { hasEnded, listJobs, type Job } from '../../../api/batches.ts';
import { useAnswer, type Asked } from '../../../api/use-answer.ts';
import { retryOf } from '../sending/stored-files.ts';
import type { OfFile } from './job-page.tsx';

/** As many as the server lists at once; of older retries this browser's own files tell. */
const LOOKED_AT = 100;

/** The job that tried again what had failed in this one; null where none is known of. */
export function useLaterJob(job: Job | null, origin: OfFile | null): Asked<string | null> {
  const stored = job && origin && retryOf(origin.part, job.job_id);
  const id = job !== null && hasEnded(job) && job.failed > 0 ? job.job_id : null;
  return useAnswer(
    async (signal) => {
      if (stored !== null || id === null) return stored;
      const { jobs } = await listJobs({ limit: LOOKED_AT }, null, signal);
      return jobs.find(({ parent_job_id }) => parent_job_id === id)?.job_id ?? null;
    },
    [id, stored],
  );
}
