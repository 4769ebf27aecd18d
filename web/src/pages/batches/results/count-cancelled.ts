import type { Job } from '../../../api/batches.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { resultsOf } from './downloads.ts';

/** Of the jobs that were cancelled, how many of their items that was the end of: the job itself counts them as failed. */
export function useCancelled(jobs: readonly Job[]): ReadonlyMap<string, number> | null {
  const ids = jobs.flatMap(({ job_id, status }) => (status === 'cancelled' ? [job_id] : []));
  const { answer } = useAnswer(
    async (signal) => {
      const counts = new Map<string, number>();
      for (const id of ids) counts.set(id, await countCancelled(id, signal));
      return counts;
    },
    [ids.join()],
  );
  return answer;
}

/** Of a job's failed items those that it was cancelled before; null until they are counted. */
export function cancelledOf(
  { job_id, status }: Pick<Job, 'job_id' | 'status'>,
  counts: ReadonlyMap<string, number> | null,
): number | null {
  return status === 'cancelled' ? (counts?.get(job_id) ?? null) : 0;
}

async function countCancelled(jobId: string, signal: AbortSignal): Promise<number> {
  let count = 0;
  for await (const { error_code } of resultsOf(jobId, signal)) if (error_code === 'cancelled') count++;
  return count;
}
