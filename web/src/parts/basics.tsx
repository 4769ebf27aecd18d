import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { Problem } from '../api/problem.ts';
import type { Loaded } from '../api/use-request.ts';

/** A page or dialog has one primary button. `danger` is for actions that cannot be undone. */
export function Button(props: {
  readonly children: ComponentChildren;
  readonly kind?: 'plain' | 'primary' | 'danger';
  readonly type?: 'button' | 'submit';
  readonly isSmall?: boolean;
  readonly isDisabled?: boolean;
  /** Shown while the action runs: "Revoking …". */
  readonly busy?: string | false | null;
  /** The accessible name, if it is not the text. */
  readonly label?: string;
  readonly onClick?: () => unknown;
}) {
  const { children, kind = 'plain', type = 'button', isSmall, isDisabled, busy, label, onClick } = props;
  return (
    <button
      type={type}
      class={`button ${kind}${isSmall ? ' small' : ''}`}
      disabled={Boolean(busy) || isDisabled}
      aria-label={busy ? undefined : label}
      onClick={() => void onClick?.()}
    >
      {busy || children}
    </button>
  );
}

/** A message to the user. Screen readers announce errors at once, other messages in a pause. */
export function Notice(props: {
  readonly kind?: 'info' | 'ok' | 'warn' | 'error';
  readonly title?: string;
  readonly children: ComponentChildren;
}) {
  const { kind = 'info', title, children } = props;
  return (
    <div class={`notice ${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
      {title && <strong>{title}</strong>}
      {children}
    </div>
  );
}

/** The server's error message. Server failures also show the request ID that the operator's log contains. */
export function ProblemNotice(props: { readonly problem: Problem; readonly onRetry?: () => void }) {
  const { message, status, requestId, retryAfterSeconds } = props.problem;
  return (
    <Notice kind="error">
      <p>{message}</p>
      {retryAfterSeconds !== null && status !== 0 && <p>Try again in {retryAfterSeconds} s.</p>}
      {status >= 500 && requestId && (
        <p class="small quiet">
          Request <code>{requestId}</code>
        </p>
      )}
      {/* What does not exist will not exist a moment later. */}
      {props.onRetry && status !== 404 && (
        <div class="row">
          <Button isSmall onClick={props.onRetry}>
            Try again
          </Button>
        </div>
      )}
    </Notice>
  );
}

export function Badge(props: {
  readonly kind?: 'plain' | 'ok' | 'warn' | 'error';
  readonly children: ComponentChildren;
}) {
  return <span class={`badge ${props.kind ?? 'plain'}`}>{props.children}</span>;
}

/** `<Waiting for="Loading the keys" />` */
export function Waiting({ for: what }: { readonly for: string }) {
  return (
    <p class="waiting" role="status">
      {what} …
    </p>
  );
}

/** Says why nothing is shown, and what the user can do. */
export function EmptyState(props: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <strong>{props.title}</strong>
      {props.children}
    </div>
  );
}

/** Shows data when they are loaded; until then what is loading, or why it failed. */
export function WhenLoaded<T>(props: {
  readonly of: Pick<Loaded<T>, 'data' | 'problem' | 'reload'>;
  /** "Loading the keys" */
  readonly waiting: string;
  readonly children: (data: T) => ComponentChildren;
}) {
  const { of, waiting, children } = props;
  if (of.problem) return <ProblemNotice problem={of.problem} onRetry={of.reload} />;
  if (of.data === null) return <Waiting for={waiting} />;
  return <>{children(of.data)}</>;
}

/** A progress bar with words. Without `value` the end is unknown. */
export function Progress(props: {
  readonly label: ComponentChildren;
  readonly value?: number;
  readonly max?: number;
  readonly note?: ComponentChildren;
}) {
  const { label, value, max = 1, note } = props;
  const id = useId();
  return (
    <div class="progress">
      <label for={id}>{label}</label>
      <progress id={id} value={value} max={max} />
      {note && <span class="quiet small">{note}</span>}
    </div>
  );
}
