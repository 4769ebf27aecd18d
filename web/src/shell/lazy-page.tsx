import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Waiting } from '../parts/basics.tsx';

type PageModule = { readonly default: ComponentType };

/** A page whose code is loaded when the page is first opened. If loading fails, opening it again retries. */
export function lazyPage(label: string, load: () => Promise<PageModule>): ComponentType {
  let Loaded: ComponentType | null = null;
  return function LazyPage() {
    const [, setShown] = useState(0);
    const [error, setError] = useState<Error | null>(null);
    useEffect(() => {
      if (Loaded) return;
      load().then(
        (module) => {
          Loaded = module.default;
          setShown((count) => count + 1);
        },
        (reason: unknown) => setError(reason instanceof Error ? reason : new Error(String(reason))),
      );
    }, []);
    if (error) throw error;
    return Loaded ? <Loaded /> : <Waiting for={`Opening ${label}`} />;
  };
}
