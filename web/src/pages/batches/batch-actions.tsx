import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useAction, useRequest } from '../../api/use-request.ts';
import { Button, ProblemNotice, Waiting } from '../../parts/basics.tsx';
import { FormDialog } from '../../parts/dialog.tsx';
import { formatMany } from '../../parts/format.ts';
import { useHasCreditLimit } from '../../shell/session-context.tsx';

/** A button that opens a confirmation. */
export function ConfirmButton(props: {
  /** The text of the button: "Cancel job". */
  readonly label: string;
  readonly kind?: 'plain' | 'danger';
  readonly title: string;
  /** The button of the confirmation, and its text while the action runs. */
  readonly action: string;
  readonly busy: string;
  readonly act: () => Promise<void>;
  /** What will happen. */
  readonly children: string;
}) {
  const { label, kind, title, action, busy, act, children } = props;
  const [isOpen, setOpen] = useState(false);
  const doing = useAction(async () => {
    await act();
    setOpen(false);
  });
  const dialog = { title, action, busy, doing, onClose: () => setOpen(false) };
  return (
    <>
      <Button kind={kind} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <FormDialog kind="danger" {...dialog}>
          <p>{children}</p>
        </FormDialog>
      )}
    </>
  );
}

/** Cancels a job, or all jobs of a file. */
export function CancelButton(props: {
  readonly label: string;
  readonly title: string;
  /** What is valued: "Rows". */
  readonly items: string;
  readonly cancel: () => Promise<unknown>;
  readonly onChange: () => void;
}) {
  const { label, title, items, cancel, onChange } = props;
  const isCharged = useHasCreditLimit();
  return (
    <ConfirmButton
      label={`${label} …`}
      kind="danger"
      title={title}
      action={label}
      busy="Canceling …"
      act={async () => {
        await cancel();
        onChange();
      }}
    >
      {isCharged
        ? `${items} that are valued by then stay, and are charged. The others cost nothing; you can retry them later.`
        : `${items} that are valued by then stay. You can retry the others later.`}
    </ConfirmButton>
  );
}

interface RetryProps {
  readonly title: string;
  /** The button of the dialog, and its text while it runs; retry if absent. */
  readonly action?: string;
  readonly busy?: string;
  /** The maximum credits of the retry. */
  readonly price: (signal: AbortSignal) => Promise<number>;
  readonly retry: () => Promise<void>;
  /** What will be done. */
  readonly children: ComponentChildren;
}

/** A button that retries failed items after it shows the maximum cost. */
export function RetryButton({
  label,
  kind,
  ...dialog
}: RetryProps & { readonly label: string; readonly kind?: 'plain' | 'primary' }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind={kind} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && <RetryDialog {...dialog} onClose={() => setOpen(false)} />}
    </>
  );
}

function RetryDialog(props: RetryProps & { readonly onClose: () => void }) {
  const { title, action = 'Retry', busy = 'Retrying …', children, price, retry, onClose } = props;
  const isCharged = useHasCreditLimit();
  const credits = useRequest(async (signal) => (isCharged ? price(signal) : 0), [isCharged]);
  const retrying = useAction(async () => {
    await retry();
    onClose();
  });
  return (
    <FormDialog
      title={title}
      action={action}
      busy={busy}
      isDisabled={credits.data === null}
      doing={retrying}
      onClose={onClose}
    >
      <p>{children}</p>
      {isCharged && credits.isLoading && <Waiting for="Loading the cost" />}
      {credits.data !== null && <MaximumCost credits={credits.data} />}
      {credits.problem && <ProblemNotice problem={credits.problem} />}
    </FormDialog>
  );
}

export function MaximumCost({ credits }: { readonly credits: number }) {
  if (!useHasCreditLimit()) return null;
  return <p>Maximum cost: {formatMany(credits, 'credit')}. Failed properties cost nothing.</p>;
}
