import type { ComponentChildren } from 'preact';
import type { Problem } from '../api/problem.ts';
import { Button } from './button.tsx';

export type NoticeKind = 'info' | 'ok' | 'warn' | 'error';

/** Something to know before going on. Errors are read out at once, the rest when there is a pause. */
export function Notice(props: {
  readonly kind?: NoticeKind;
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

/** What the server refused: its own sentence, and the number by which whoever runs it finds the request. */
export function ProblemNotice({
  problem,
  onRetry,
}: {
  readonly problem: Problem;
  readonly onRetry?: () => void;
}) {
  const { message, status, requestId, retryAfterSeconds } = problem;
  return (
    <Notice kind="error">
      <p>{message}</p>
      {retryAfterSeconds !== null && status !== 0 && <p>It can be tried again in {retryAfterSeconds} s.</p>}
      {status >= 500 && requestId && (
        <p class="small quiet">
          Request <code>{requestId}</code>
        </p>
      )}
      {onRetry && (
        <div class="row">
          <Button isSmall onClick={onRetry}>
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
  const { kind = 'plain', children } = props;
  return <span class={kind === 'plain' ? 'badge' : `badge ${kind}`}>{children}</span>;
}

/** Says what is waited for: `<Waiting for="Reading the keys" />`. */
export function Waiting({ for: what }: { readonly for: string }) {
  return (
    <p class="waiting" role="status">
      {what} …
    </p>
  );
}

/** Nothing there: why, and what to do about it. */
export function EmptyState(props: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h3>{props.title}</h3>
      {props.children}
    </div>
  );
}
