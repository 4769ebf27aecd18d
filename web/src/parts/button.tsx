import type { ComponentChildren, Ref } from 'preact';

/** One primary button a page or dialog, for what one came to do; `danger` for what cannot be undone. */
export function Button(props: {
  readonly children: ComponentChildren;
  readonly kind?: 'plain' | 'primary' | 'danger';
  readonly type?: 'button' | 'submit';
  readonly isSmall?: boolean;
  readonly isDisabled?: boolean;
  /** What is being done, in words, while it is being done: "Revoking …". */
  readonly busy?: string | false | null;
  readonly label?: string;
  readonly onClick?: (event: MouseEvent) => void;
  readonly buttonRef?: Ref<HTMLButtonElement>;
}) {
  const { children, kind = 'plain', type = 'button', isSmall, isDisabled, busy, label, onClick } = props;
  const names = ['button', kind === 'plain' ? '' : kind, isSmall ? 'small' : ''].filter(Boolean).join(' ');
  return (
    <button
      ref={props.buttonRef}
      type={type}
      class={names}
      disabled={Boolean(busy) || isDisabled}
      aria-label={busy ? undefined : label}
      onClick={onClick}
    >
      {busy || children}
    </button>
  );
}
