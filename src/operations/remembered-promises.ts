import type { Clock } from '../clock.ts';

/** A small cache of promises, least recently used out first; a failed one is forgotten at once. */
export function remember<Value>(
  most: number,
  make: (key: string) => Promise<Value>,
): (key: string) => Promise<Value> {
  const kept = new Map<string, Promise<Value>>();
  return (key) => {
    const value = kept.get(key) ?? make(key);
    kept.delete(key);
    kept.set(key, value);
    value.catch(() => kept.delete(key));
    const oldest = kept.keys().next();
    if (kept.size > most && !oldest.done) kept.delete(oldest.value);
    return value;
  };
}

/** The same answer for `ms`, then a new one; callers in between share one look-up. */
export function freshFor<Value>(ms: number, clock: Clock, read: () => Promise<Value>): () => Promise<Value> {
  let made = -Infinity;
  let value: Promise<Value> | null = null;
  return () => {
    const now = clock().getTime();
    if (value === null || now - made >= ms) {
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
