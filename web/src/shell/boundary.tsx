import type { ComponentChildren } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/notice.tsx';

/** What a bug in one page leaves standing: the rest of the console, and a sentence. */
export function Boundary({ children }: { readonly children: ComponentChildren }) {
  const [error, reset] = useErrorBoundary((caught: unknown) => console.error(caught));
  if (!error) return <>{children}</>;
  const text = error instanceof Error ? error.message : String(error);
  // After an update of the server the files that this page would load are gone; the new ones are a reload away.
  const isOutdated = /dynamically imported module|module script failed/i.test(text);
  return (
    <Notice kind="error" title={isOutdated ? 'This page could not be loaded.' : 'This page failed.'}>
      <p>
        {isOutdated
          ? 'The server was updated since the console was opened, or cannot be reached. Load the console again.'
          : `It stopped with “${text}”. Nothing that was saved is lost.`}
      </p>
      <div class="row">
        <Button onClick={() => (isOutdated ? location.reload() : reset())}>
          {isOutdated ? 'Load again' : 'Try again'}
        </Button>
      </div>
    </Notice>
  );
}
