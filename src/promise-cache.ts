import type { Clock } from './clock.ts';

/**
 * Caches up to this many promises by the arguments of `load`, which must be JSON. The least recently used is
 * dropped first. A failed promise is dropped at once.
 */
export function cached<Args extends readonly unknown[], Value>(
  most: number,
  load: (...args: Args) => Promise<Value>,
): (...args: Args) => Promise<Value> {
  const kept = new Map<string, Promise<Value>>();
  return (...args) => {
    const key = JSON.stringify(args);
    const value = kept.get(key) ?? load(...args);
    kept.delete(key);
    kept.set(key, value);
    value.catch(() => kept.delete(key));
    const oldest = kept.keys().next();
    if (kept.size > most && !oldest.done) kept.delete(oldest.value);
    return value;
  };
}

/** Reads at most once per `ms`. Calls in between share one read. */
export function cachedFor<Value>(ms: number, clock: Clock, read: () => Promise<Value>): () => Promise<Value> {
  let made = -Infinity;
  let value: Promise<Value> | null = null;
  return () => {
    const now = clock().getTime();
    // The clock may have been set back since.
    if (value === null || Math.abs(now - made) >= ms) {
      made = now;
      const reading = read();
      reading.catch(() => {
        if (value === reading) value = null;
      });
      value = reading;
    }
    return value;
  };
}
