import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Waiting } from '../parts/basics.tsx';

type LazyModule = { readonly default: ComponentType };

/** A component whose code is loaded when it is first shown. If loading fails, showing it again retries. */
export function lazy(label: string, load: () => Promise<LazyModule>): ComponentType {
  let Loaded: ComponentType | null = null;
  return function Lazy() {
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
