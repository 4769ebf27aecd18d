import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Button } from './button.tsx';
import type { Doing } from '../api/use-answer.ts';
import { ProblemNotice } from './notice.tsx';

/**
 * A question of its own, over the page. While it is open the rest cannot be reached; Escape closes it, and the focus goes back
 * to where it came from. Render it only while it is open.
 *
 * What is shown this once must not vanish by one key: a dialog with a secret closes by its own button alone.
 */
export function Dialog(props: {
  readonly title: string;
  readonly onClose: () => void;
  readonly isWide?: boolean;
  readonly hasSecret?: boolean;
  readonly children: ComponentChildren;
}) {
  const { title, onClose, isWide, hasSecret, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={isWide ? 'dialog wide' : 'dialog'}
      aria-labelledby={id}
      onCancel={(event) => hasSecret && event.preventDefault()}
      // Browsers close it on the second Escape whatever a page says: it opens again.
      onClose={() => (hasSecret ? dialog.current?.showModal() : onClose())}
    >
      <div class="dialog-body">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}

export function DialogActions({ children }: { readonly children: ComponentChildren }) {
  return <div class="dialog-foot">{children}</div>;
}

/** "Revoke the key?": says what will happen, and does it or not. */
export function ConfirmDialog(props: {
  readonly title: string;
  readonly children: ComponentChildren;
  /** What the button says: "Revoke". */
  readonly action: string;
  /** What it says while it is done: "Revoking …". */
  readonly busy: string;
  readonly doing: Doing<[]>;
  readonly onClose: () => void;
}) {
  const { title, children, action, busy, doing, onClose } = props;
  return (
    <Dialog title={title} onClose={onClose}>
      <div>{children}</div>
      {doing.problem && <ProblemNotice problem={doing.problem} />}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind="danger"
          busy={doing.isBusy && busy}
          onClick={async () => {
            if (await doing.run()) onClose();
          }}
        >
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
