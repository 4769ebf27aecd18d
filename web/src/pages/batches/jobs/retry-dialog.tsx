import type { ComponentChildren } from 'preact';
import { useAction, useAnswer } from '../../../api/use-answer.ts';
import { Button } from '../../../parts/button.tsx';
import { Dialog, DialogActions } from '../../../parts/dialog.tsx';
import { formatMany } from '../../../parts/format.ts';
import { ProblemNotice, Waiting } from '../../../parts/notice.tsx';

/** Asks whether failed items are to be retried, with the maximum cost. */
export function RetryDialog(props: {
  readonly title: string;
  /** What will be done, in a sentence or two. */
  readonly children: ComponentChildren;
  /** The most that it can cost. */
  readonly price: (signal: AbortSignal) => Promise<number>;
  readonly retry: () => Promise<void>;
  readonly onClose: () => void;
}) {
  const { title, children, price, retry, onClose } = props;
  const credits = useAnswer(price, []);
  const retrying = useAction(async () => {
    await retry();
    onClose();
  });
  const problem = credits.problem ?? retrying.problem;
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{children}</p>
      {credits.answer === null && problem === null && <Waiting for="Reading the cost" />}
      {credits.answer !== null && (
        <p>Maximum cost: {formatMany(credits.answer, 'credit')}. Failed properties cost nothing.</p>
      )}
      {problem && <ProblemNotice problem={problem} />}
      <DialogActions>
        <Button onClick={onClose}>Not now</Button>
        <Button
          kind="primary"
          isDisabled={credits.answer === null}
          busy={retrying.isBusy && 'Retrying …'}
          onClick={() => void retrying.run()}
        >
          Retry
        </Button>
      </DialogActions>
    </Dialog>
  );
}
