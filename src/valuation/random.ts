/** Numbers in [0, 1), the same for the same seed on every machine. */
export type Random = () => number;

/**
 * Mulberry32 (T. Ettinger, public domain): period 2³², enough for row sampling and bootstraps,
 * never for secrets. Integer arithmetic only, so results do not depend on the platform.
 */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
