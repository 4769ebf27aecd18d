import { useEffect, useState } from 'preact/hooks';
import { hasEnded, listJobs, readJob, type Job } from '../../../api/batches.ts';
import { useAnswer, type Asked } from '../../../api/use-answer.ts';
import { onSending, sendingOf, type Sending } from '../sending/sender.ts';
import { openFileStore, type FilePart, type StoredFile } from '../sending/stored-files.ts';
import { usePolled, type Polled } from '../use-polled.ts';

/** The file as it is kept: read again whenever a part of it was sent. */
export function useStoredFile(id: string): Asked<StoredFile | null> & { readonly sending: Sending } {
  const [sending, setSending] = useState(() => sendingOf(id));
  const file = useAnswer(async () => (await openFileStore()).find(id), [id]);
  const { reload } = file;
  useEffect(
    () =>
      onSending(() => {
        setSending(sendingOf(id));
        reload();
      }),
    [id, reload],
  );
  return { ...file, sending };
}

/** Jobs that the list does not tell of are asked about one by one, so many at a look. */
const ASKED_ONE_BY_ONE = 5;
const LOOK_AGAIN_MS = 1000;

/** The jobs in force of a file's parts: of each the last retry. Those that have ended are not asked about again. */
export function useFileJobs(parts: readonly FilePart[]): Polled<ReadonlyMap<string, Job>> {
  const [known] = useState(() => new Map<string, Job>());
  const ids = parts.flatMap((part) => currentJob(part) ?? []);
  const hasAllEnded = (jobs: ReadonlyMap<string, Job>): boolean => ids.every((id) => isOver(jobs, id));
  return usePolled((signal) => lookAt(ids, known, signal), hasAllEnded, LOOK_AGAIN_MS, [ids.join()]);
}

function isOver(jobs: ReadonlyMap<string, Job>, id: string): boolean {
  const job = jobs.get(id);
  return job !== undefined && hasEnded(job);
}

/** Notes in `known` how far those are that had not ended. */
async function lookAt(
  ids: readonly string[],
  known: Map<string, Job>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Job>> {
  const open = new Set(ids.filter((id) => !isOver(known, id)));
  // Two jobs are cheaper asked about than a hundred listed.
  const { jobs } = open.size > 2 ? await listJobs({ limit: 100 }, null, signal) : { jobs: [] };
  for (const job of jobs.filter(({ job_id }) => open.delete(job_id))) known.set(job.job_id, job);
  for (const id of [...open].slice(0, ASKED_ONE_BY_ONE)) known.set(id, await readJob(id, signal));
  return new Map(known);
}

/** The last that was made of a part; null before it was sent. */
export function currentJob({ jobId, retries }: FilePart): string | null {
  return retries.at(-1) ?? jobId;
}
