import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { priceRetry, retryFailed } from '../../../api/batches.ts';
import { useAction, useAnswer } from '../../../api/use-answer.ts';
import { Button } from '../../../parts/button.tsx';
import { Dialog, DialogActions } from '../../../parts/dialog.tsx';
import { formatMany } from '../../../parts/format.ts';
import { ProblemNotice, Waiting } from '../../../parts/notice.tsx';

/** Asks, with what it can cost, whether what failed in some jobs is to be tried again; each becomes a job of its own. */
export function RetryDialog(props: {
  readonly title: string;
  /** What will be done, in a sentence or two. */
  readonly children: ComponentChildren;
  readonly jobIds: readonly string[];
  /** After each: the job that failed, and the one that tries it again. */
  readonly onRetried: (jobId: string, retryId: string) => Promise<void>;
  /** After all of them, with the last. */
  readonly onDone: (retryId: string) => void;
  readonly onClose: () => void;
}) {
  const { title, children, jobIds, onRetried, onDone, onClose } = props;
  const price = useAnswer(
    async (signal) => {
      let credits = 0;
      for (const jobId of jobIds) credits += await priceRetry(jobId, signal);
      return credits;
    },
    [jobIds.join()],
  );
  // One for as long as the question is open: an answer that is lost on its way makes no second job.
  const attempt = useMemo(() => crypto.randomUUID(), []);
  const retrying = useAction(async () => {
    let last = '';
    for (const jobId of jobIds) {
      const { job_id } = await retryFailed(jobId, `retry-${attempt}-${jobId}`);
      await onRetried(jobId, job_id);
      last = job_id;
    }
    onClose();
    onDone(last);
  });
  const problem = price.problem ?? retrying.problem;
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{children}</p>
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
