import { useState } from 'preact/hooks';
import { Button } from './button.tsx';

/** Text to take away: a command, a request, a key. */
export function CodeBlock(props: {
  readonly text: string;
  /** What is copied, for readers of the screen: "the key". */
  readonly what: string;
  /** Broken at the edge instead of scrolled: what must be seen as a whole. */
  readonly isWrapped?: boolean;
}) {
  const { text, what, isWrapped } = props;
  const [said, setSaid] = useState<string | null>(null);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid('Copied');
    } catch {
      // Browsers keep the clipboard from pages without HTTPS.
      setSaid('Select it');
    }
    setTimeout(() => setSaid(null), 2000);
  };
  return (
    <div class={isWrapped ? 'code copyable secret' : 'code copyable'}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard */}
      <pre tabIndex={0} role="region" aria-label={what}>
        <code>{text}</code>
      </pre>
      <Button isSmall label={`Copy ${what}`} onClick={() => void copy()}>
        {said ?? 'Copy'}
      </Button>
      <span class="unseen" role="status">
        {said}
      </span>
    </div>
  );
}
