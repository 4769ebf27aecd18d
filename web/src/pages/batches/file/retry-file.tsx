import { useState } from 'preact/hooks';
import { Button } from '../../../parts/button.tsx';
import { formatMany } from '../../../parts/format.ts';
import { failedName } from '../jobs/job-words.tsx';
import { RetryDialog } from '../jobs/retry-dialog.tsx';
import { openFileStore, withRetry, type StoredFile } from '../sending/stored-files.ts';
import type { FileCounts, PartState } from './count-file.ts';

/** Tries everything again that failed, whatever job it was in. */
export function RetryFile(props: {
  readonly file: StoredFile;
  readonly states: readonly PartState[];
  readonly counts: FileCounts;
  readonly onChange: () => void;
}) {
  const { file, states, counts, onChange } = props;
  const { failed, cancelled } = counts;
  const [isAsking, setAsking] = useState(false);
  const jobIds = states.flatMap(({ job }) => (job !== null && job.failed > 0 ? [job.job_id] : []));
  const keepRetry = async (jobId: string, retryId: string): Promise<void> => {
    const store = await openFileStore();
    // As it is kept now: the jobs before this one are noted there.
    await store.put(withRetry((await store.find(file.id)) ?? file, jobId, retryId));
  };
  return (
    <>
      <Button onClick={() => setAsking(true)}>{`Retry ${failedName(failed, cancelled)} …`}</Button>
      {isAsking && (
        <RetryDialog
          title={`Retry ${formatMany(failed, 'row')}?`}
          jobIds={jobIds}
          onRetried={keepRetry}
          onDone={onChange}
          onClose={() => setAsking(false)}
        >
          The same requests, as of the same date, in {formatMany(jobIds.length, 'new job')}.
        </RetryDialog>
      )}
    </>
  );
}
