import type { ComponentChildren } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import { Button, Notice } from '../parts/basics.tsx';

/** If a page throws, shows an error message in its place. The rest of the console keeps working. */
export function Boundary({ children }: { readonly children: ComponentChildren }) {
  const [error, reset] = useErrorBoundary((caught: unknown) => console.error(caught));
  if (!error) return <>{children}</>;
  const text = error instanceof Error ? error.message : String(error);
  // After an update of the server, the files of this page no longer exist. A reload gets the new ones.
  const isOutdated = /dynamically imported module|module script failed|unable to preload/i.test(text);
  return (
    <Notice kind="error" title={isOutdated ? 'This page could not be loaded.' : 'This page failed.'}>
      <p>
        {isOutdated
          ? 'The server was updated or cannot be reached. Reload the console.'
          : `Error: “${text}”. Saved data is not affected.`}
      </p>
      <div class="row">
        <Button onClick={() => (isOutdated ? location.reload() : reset())}>
          {isOutdated ? 'Reload' : 'Try again'}
        </Button>
      </div>
    </Notice>
  );
}
