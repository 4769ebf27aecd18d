import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { fieldError } from '../api/problem.ts';
import type { Action } from '../api/use-request.ts';
import { Button, Notice, ProblemNotice } from './basics.tsx';
import { CodeBlock } from './code-block.tsx';
import { ParagraphField, TextField } from './field.tsx';
import { useUnsaved } from './unsaved-changes.ts';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Neither Escape nor Cancel may close a dialog that shows a secret once. */
  readonly hasSecret?: boolean;
  /** For a table. */
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
}

/** A modal dialog. Escape closes it, and the focus returns to where it was. Render it only while it is open. */
export function Dialog({ title, onClose, hasSecret, isWide, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    // The browser scrolls to the first field. If that is far down, the dialog is read from its title instead.
    if (dialog.current?.scrollTop) {
      heading.current?.focus();
      dialog.current.scrollTop = 0;
    }
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
      // Browsers close it on the second Escape even if the page cancels the first. Then it opens again.
      onClose={() => (hasSecret ? dialog.current?.showModal() : onClose())}
    >
      <div class="stack">
        <h2 id={id} ref={heading} tabIndex={-1}>
          {title}
        </h2>
        {children}
      </div>
    </dialog>
  );
}

/** Fields or a question, the error of the last attempt, and two buttons: one that closes it, and the action. */
export function FormDialog(
  props: DialogProps & {
    /** The text of the button, and its text while the action runs. */
    readonly action: string;
    readonly busy: string;
    /** The text of the other button. */
    readonly dismiss?: string;
    readonly kind?: 'primary' | 'danger';
    /** For what the dialog shows to be wrong. Blank required fields are reported when the form is sent. */
    readonly isDisabled?: boolean;
    /** Closes the dialog itself when it is done. */
    readonly doing: Action;
  },
) {
  const {
    children,
    action,
    busy,
    dismiss = 'Cancel',
    kind = 'primary',
    isDisabled,
    doing,
    ...dialog
  } = props;
  const [isTouched, setTouched] = useState(false);
  useUnsaved(isTouched);
  return (
    <Dialog {...dialog}>
      <form
        class="stack"
        onInput={() => setTouched(true)}
        onSubmit={(event) => {
          event.preventDefault();
          if (!reportBlank(event.currentTarget)) void doing.run();
        }}
      >
        {children}
        {doing.problem && <ProblemNotice problem={doing.problem} />}
        <div class="dialog-foot">
          <Button onClick={dialog.onClose} isDisabled={dialog.hasSecret}>
            {dismiss}
          </Button>
          <Button kind={kind} type="submit" busy={doing.isBusy && busy} isDisabled={isDisabled}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Says at the first required field with only spaces that it is blank, as browsers do at an empty one. */
function reportBlank(form: HTMLFormElement): boolean {
  for (const field of form.elements) {
    if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) continue;
    if (!field.required || field.value.trim() !== '') continue;
    field.value = '';
    return !field.reportValidity();
  }
  return false;
}

/** The name of a new key, user or account. */
export function NameField(props: {
  readonly value: string;
  readonly onInput: (name: string) => void;
  readonly hint?: string;
  readonly creating: Action;
}) {
  const { creating, ...field } = props;
  const error = fieldError(creating.problem, 'name');
  return <TextField label="Name" {...field} isRequired maxLength={100} autoComplete="off" error={error} />;
}

/** Why a change is made. */
export function ReasonField(props: {
  readonly value: string;
  readonly onInput: (reason: string) => void;
  readonly hint?: string;
  readonly maxLength?: number;
  readonly doing: Action;
}) {
  const { doing, maxLength = 500, ...field } = props;
  const error = fieldError(doing.problem, 'reason');
  return <ParagraphField label="Reason" {...field} isRequired maxLength={maxLength} error={error} />;
}

/** A key or password that is shown only once. */
export function SecretDialog(
  props: Omit<DialogProps, 'hasSecret'> & {
    readonly secret: string;
    /** What it is: "the key". */
    readonly what: string;
    readonly advice: string;
  },
) {
  const { secret, what, advice, children, ...dialog } = props;
  useUnsaved(true);
  return (
    <Dialog {...dialog} hasSecret>
      <Notice kind="warn" title={`Copy ${what} now. Shown only once.`}>
        {advice}
      </Notice>
      <CodeBlock text={secret} what={what} isWrapped />
      {children}
      <div class="dialog-foot">
        <Button kind="primary" onClick={dialog.onClose}>
          I’ve saved it
        </Button>
      </div>
    </Dialog>
  );
}
