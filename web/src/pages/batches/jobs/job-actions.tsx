import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { cancelJob, hasEnded, type Job } from '../../../api/batches.ts';
import { useAction } from '../../../api/use-answer.ts';
import { Button } from '../../../parts/button.tsx';
import { ConfirmDialog } from '../../../parts/dialog.tsx';
import { formatMany } from '../../../parts/format.ts';
import { pathOfJob } from '../sending/owner.ts';
import { openFileStore, withRetry } from '../sending/stored-files.ts';
import type { OfFile } from './job-page.tsx';
import { failedName } from './job-words.tsx';
import { RetryDialog } from './retry-dialog.tsx';

export function JobActions(props: {
  readonly job: Job;
  readonly cancelled: number | null;
  /** That took on what had failed in this one. */
  readonly laterId: string | null;
  readonly origin: OfFile | null;
  readonly onChange: () => void;
}) {
  const { job, cancelled, laterId, origin, onChange } = props;
  const [asked, setAsked] = useState<'cancel' | 'retry' | null>(null);
  const { route } = useLocation();
  const close = (): void => setAsked(null);
  const keepRetry = async (jobId: string, retryId: string): Promise<void> => {
    if (origin !== null) await (await openFileStore()).put(withRetry(origin.file, jobId, retryId));
  };
  return (
    <>
      {!hasEnded(job) && (
        <Button kind="danger" onClick={() => setAsked('cancel')}>
          Cancel the job
        </Button>
      )}
      {hasEnded(job) && job.failed > 0 && (
        <Button
          kind={laterId === null ? 'primary' : 'plain'}
          onClick={() => setAsked('retry')}
        >{`Retry ${failedName(job.failed, cancelled)}${laterId === null ? '' : ' once more …'}`}</Button>
      )}
      {asked === 'cancel' && <CancelDialog job={job} onClose={close} onDone={onChange} />}
      {asked === 'retry' && (
        <RetryDialog
          title={`Retry ${formatMany(job.failed, 'property', 'properties')}?`}
          jobIds={[job.job_id]}
          onRetried={keepRetry}
          onDone={(retryId) => route(pathOfJob(retryId))}
          onClose={close}
        >
          {laterId !== null && (
            <>
              <strong>
                They were tried again already, in <a href={pathOfJob(laterId)}>a later job</a>.
              </strong>{' '}
              Once more, from the beginning?{' '}
            </>
          )}
          The same requests, as of the same date, in a new job. What an address or a date makes fail will fail
          again.
        </RetryDialog>
      )}
    </>
  );
}

function CancelDialog(props: {
  readonly job: Job;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const { job, onClose, onDone } = props;
  const doing = useAction(async () => {
    await cancelJob(job.job_id);
    onDone();
  });
  return (
    <ConfirmDialog
      title="Cancel the job?"
      action="Cancel the job"
      busy="Cancelling …"
      doing={doing}
      onClose={onClose}
    >
      What was valued by then stays, and is charged. The rest ends as cancelled and costs nothing; it can be
      tried again later.
    </ConfirmDialog>
  );
}
