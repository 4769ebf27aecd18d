import { useLocation } from 'preact-iso/router';
import { useMemo, useState } from 'preact/hooks';
import { cancelJob, hasEnded, priceRetry, retryFailed, type Job } from '../../../api/batches.ts';
import { useAction, useAnswer } from '../../../api/use-answer.ts';
import { Button } from '../../../parts/button.tsx';
import { ConfirmDialog, Dialog, DialogActions } from '../../../parts/dialog.tsx';
import { formatCount, formatMany } from '../../../parts/format.ts';
import { ProblemNotice, Waiting } from '../../../parts/notice.tsx';
import { pathOfJob } from '../sending/owner.ts';
import { openFileStore, withRetry } from '../sending/stored-files.ts';
import type { OfFile } from './job-page.tsx';

export function JobActions(props: {
  readonly job: Job;
  readonly origin: OfFile | null;
  readonly onChange: () => void;
}) {
  const { job, origin, onChange } = props;
  const [asked, setAsked] = useState<'cancel' | 'retry' | null>(null);
  const close = (): void => setAsked(null);
  return (
    <>
      {!hasEnded(job) && (
        <Button kind="danger" onClick={() => setAsked('cancel')}>
          Cancel the job
        </Button>
      )}
      {hasEnded(job) && job.failed > 0 && (
        <Button
          kind="primary"
          onClick={() => setAsked('retry')}
        >{`Retry ${formatCount(job.failed)} failed`}</Button>
      )}
      {asked === 'cancel' && <CancelDialog job={job} onClose={close} onDone={onChange} />}
      {asked === 'retry' && <RetryDialog job={job} origin={origin} onClose={close} />}
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

function RetryDialog(props: {
  readonly job: Job;
  readonly origin: OfFile | null;
  readonly onClose: () => void;
}) {
  const { job, origin, onClose } = props;
  const { route } = useLocation();
  const price = useAnswer((signal) => priceRetry(job.job_id, signal), [job.job_id]);
  // One for as long as the question is open: an answer that is lost on its way makes no second job.
  const key = useMemo(() => `retry-${crypto.randomUUID()}`, []);
  const retrying = useAction(async () => {
    const { job_id } = await retryFailed(job.job_id, key);
    if (origin !== null) await (await openFileStore()).put(withRetry(origin.file, job.job_id, job_id));
    onClose();
    route(pathOfJob(job_id));
  });
  const problem = price.problem ?? retrying.problem;
  return (
    <Dialog title={`Retry ${formatMany(job.failed, 'property', 'properties')}?`} onClose={onClose}>
      <p>
        The same requests, as of the same date, in a new job. What an address or a date makes fail will fail
        again.
      </p>
      {price.answer === null && problem === null && <Waiting for="Asking what it can cost" />}
      {price.answer !== null && (
        <p>It costs {formatMany(price.answer, 'credit')} at most; what fails costs nothing.</p>
      )}
      {problem && <ProblemNotice problem={problem} />}
      <DialogActions>
        <Button onClick={onClose}>Not now</Button>
        <Button
          kind="primary"
          isDisabled={price.answer === null}
          busy={retrying.isBusy && 'Sending …'}
          onClick={() => void retrying.run()}
        >
          Retry
        </Button>
      </DialogActions>
    </Dialog>
  );
}
