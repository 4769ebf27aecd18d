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

/** Bytes of a part that are looked at together with the end of the part before. */
const READ_BYTES = 1024 * 1024;

/** The pieces of the parts one after the other. Equal bytes always give equal pieces, whatever their parts. */
export function* splitBytes(parts: Iterable<Uint8Array>): Generator<Uint8Array> {
  let rest: Uint8Array = new Uint8Array(0);
  for (const part of parts) {
    for (let at = 0; at < part.length; at += READ_BYTES) {
      const more = part.subarray(at, at + READ_BYTES);
      const bytes = rest.length === 0 ? more : Buffer.concat([rest, more]);
      let from = 0;
      while (bytes.length - from >= MOST_BYTES) {
        const to = cutAfter(bytes, from);
        yield bytes.subarray(from, to);
        from = to;
      }
      rest = bytes.subarray(from);
    }
  }
  for (let from = 0; from < rest.length;) {
    const to = cutAfter(rest, from);
    yield rest.subarray(from, to);
    from = to;
  }
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
