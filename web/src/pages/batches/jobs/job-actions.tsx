import { useLocation } from 'preact-iso/router';
import { useMemo, useState } from 'preact/hooks';
import { cancelJob, hasEnded, priceRetry, retryFailed, type ConsoleJob } from '../../../api/batches.ts';
import { pathOfJob } from '../../../api/uploads.ts';
import { useAction } from '../../../api/use-answer.ts';
import { Button } from '../../../parts/button.tsx';
import { ConfirmDialog } from '../../../parts/dialog.tsx';
import { formatMany } from '../../../parts/format.ts';
import { failedName } from './job-words.tsx';
import { RetryDialog } from './retry-dialog.tsx';

export function JobActions({ job, onChange }: { readonly job: ConsoleJob; readonly onChange: () => void }) {
  const { job_id: jobId, failed, cancelled, retry_job_id: retryId } = job;
  const [asked, setAsked] = useState<'cancel' | 'retry' | null>(null);
  const { route } = useLocation();
  const close = (): void => setAsked(null);
  const canceling = useAction(async () => {
    await cancelJob(jobId);
    onChange();
  });
  // The same for as long as the page is open: an answer that is lost on its way creates no second job.
  const attempt = useMemo(() => crypto.randomUUID(), []);
  const retry = async (): Promise<void> => {
    route(pathOfJob((await retryFailed(jobId, `retry-${attempt}-${jobId}`)).job_id));
  };
  return (
    <>
      {!hasEnded(job) && (
        <Button kind="danger" onClick={() => setAsked('cancel')}>
          Cancel job
        </Button>
      )}
      {hasEnded(job) && failed > 0 && (
        <Button
          kind={retryId === null ? 'primary' : 'plain'}
          onClick={() => setAsked('retry')}
        >{`Retry ${failedName(failed, cancelled)}${retryId === null ? '' : ' again …'}`}</Button>
      )}
      {asked === 'cancel' && (
        <ConfirmDialog
          title="Cancel the job?"
          action="Cancel job"
          busy="Canceling …"
          doing={canceling}
          onClose={close}
        >
          Properties that are valued by then stay, and are charged. The others cost nothing; you can retry
          them later.
        </ConfirmDialog>
      )}
      {asked === 'retry' && (
        <RetryDialog
          title={`Retry ${formatMany(failed, 'property', 'properties')}?`}
          price={(signal) => priceRetry(jobId, signal)}
          retry={retry}
          onClose={close}
        >
          {retryId !== null && (
            <>
              <strong>
                They were retried already, in <a href={pathOfJob(retryId)}>a later job</a>.
              </strong>{' '}
            </>
          )}
          The same requests, as of the same date, in a new job. A wrong address or date will fail again.
        </RetryDialog>
      )}
    </>
  );
}
