/**
 * Splits bytes where their content says so (content-defined chunking), so that two blobs that mostly agree have mostly the same
 * pieces, also if something was inserted in the middle. Splitting at fixed lengths would move every later cut.
 *
 * A cut follows a byte whose hash of the last 32 bytes (gear hash) begins with `CUT_BITS` zeros, which is the case every
 * 16 KB on average. Other constants would give other pieces, which share nothing with those that are stored.
 */
const CUT_BITS = 14;
const LEAST_BYTES = 2 * 1024;
const MOST_BYTES = 64 * 1024;

/** A random number for each byte: the sequence of xorshift32 from 1. */
const GEAR = new Uint32Array(256);
for (let i = 0, x = 1; i < GEAR.length; i++) {
  x ^= x << 13;
  x ^= x >>> 17;
  x ^= x << 5;
  GEAR[i] = x;
}

/** The pieces in order, as views. Equal bytes always give equal pieces. */
export function splitBytes(bytes: Uint8Array): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let from = 0; from < bytes.length;) {
    const to = cutAfter(bytes, from);
    pieces.push(bytes.subarray(from, to));
    from = to;
  }
  return pieces;
}

function cutAfter(bytes: Uint8Array, from: number): number {
  const end = Math.min(bytes.length, from + MOST_BYTES);
  let hash = 0;
  for (let at = from + LEAST_BYTES; at < end; at++) {
    hash = (hash << 1) + GEAR[bytes[at]];
    if (hash >>> (32 - CUT_BITS) === 0) return at + 1;
  }
  return end;
}
