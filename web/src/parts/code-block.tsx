import { useState } from 'preact/hooks';
import { Button } from './basics.tsx';

/** Text to copy: a command, a request, a key. */
export function CodeBlock(props: {
  readonly text: string;
  /** What it is, for screen readers: "the key". */
  readonly what: string;
  /** Wraps long lines instead of scrolling. */
  readonly isWrapped?: boolean;
}) {
  const { text, what, isWrapped } = props;
  const [result, setResult] = useState<string | null>(null);
  const copy = async (): Promise<void> => {
    // Browsers deny access to the clipboard without HTTPS.
    setResult(
      await navigator.clipboard.writeText(text).then(
        () => 'Copied',
        () => 'Select it',
      ),
    );
    setTimeout(() => setResult(null), 2000);
  };
  return (
    <div class={isWrapped ? 'code wrapped' : 'code'}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboard users must be able to scroll it */}
      <pre tabIndex={0} role="region" aria-label={what}>
        <code>{text}</code>
      </pre>
      <Button isSmall label={`Copy ${what}`} onClick={copy}>
        {result ?? 'Copy'}
      </Button>
      <span class="visually-hidden" role="status">
        {result}
      </span>
    </div>
  );
}
