import { useMemo, useState } from 'preact/hooks';
import { priceRetry, retryFailed } from '../../../api/batches.ts';
import { useAction, useAnswer } from '../../../api/use-answer.ts';
import { Button } from '../../../parts/button.tsx';
import { Dialog, DialogActions } from '../../../parts/dialog.tsx';
import { formatCount, formatMany } from '../../../parts/format.ts';
import { ProblemNotice, Waiting } from '../../../parts/notice.tsx';
import { openFileStore, withRetry, type StoredFile } from '../sending/stored-files.ts';
import type { PartState } from './count-file.ts';

interface RetryProps {
  readonly file: StoredFile;
  readonly states: readonly PartState[];
  readonly onChange: () => void;
}

/** Tries everything again that failed, whatever job it was in. */
export function RetryFile(props: RetryProps) {
  const [isAsking, setAsking] = useState(false);
  const failed = props.states.reduce((count, { job }) => count + (job?.failed ?? 0), 0);
  return (
    <>
      <Button onClick={() => setAsking(true)}>{`Retry ${formatCount(failed)} failed …`}</Button>
      {isAsking && <RetryDialog {...props} failed={failed} onClose={() => setAsking(false)} />}
    </>
  );
}

function RetryDialog(props: RetryProps & { readonly failed: number; readonly onClose: () => void }) {
  const { file, states, failed, onChange, onClose } = props;
  const jobs = states.flatMap(({ job }) => (job !== null && job.failed > 0 ? [job.job_id] : []));
  const price = useAnswer(
    async (signal) => {
      let credits = 0;
      for (const jobId of jobs) credits += await priceRetry(jobId, signal);
      return credits;
    },
    [jobs.join()],
  );
  // One for as long as the question is open: an answer that is lost on its way makes no second job.
  const attempt = useMemo(() => crypto.randomUUID(), []);
  const retrying = useAction(async () => {
    const store = await openFileStore();
    for (const jobId of jobs) {
      const { job_id } = await retryFailed(jobId, `retry-${attempt}-${jobId}`);
      // As it is kept now: the jobs before this one are noted there.
      await store.put(withRetry((await store.find(file.id)) ?? file, jobId, job_id));
    }
    onChange();
    onClose();
  });
  const problem = price.problem ?? retrying.problem;
  return (
    <Dialog title={`Retry ${formatMany(failed, 'row')}?`} onClose={onClose}>
      <p>The same requests, as of the same date, in {formatMany(jobs.length, 'new job')}.</p>
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
