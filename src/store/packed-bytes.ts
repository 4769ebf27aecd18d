import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/**
 * Bytes and texts that are written once and rarely read, compressed if that saves space. A response with its inputs and
 * request is JSON that repeats names and values, so it takes a third of its size, and a twelfth if it describes hundreds of
 * units. Columns of sales take a third.
 *
 *   0  u8     AS_IS or ZSTD
 *   1  …      the bytes, compressed or not
 */
const AS_IS = 0;
const ZSTD = 1;

/** Higher levels take longer and save little: 187 KB of rents become 16 KB in 0.2 ms. */
const OPTIONS = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Shorter texts shrink little: compressing one takes 0.05 ms, however short it is. */
const LEAST_BYTES = 1000;

export function packBytes(plain: Uint8Array): Uint8Array {
  const packed = plain.length < LEAST_BYTES ? plain : zstdCompressSync(plain, OPTIONS);
  const isSmaller = packed.length < plain.length;
  return Buffer.concat([Uint8Array.of(isSmaller ? ZSTD : AS_IS), isSmaller ? packed : plain]);
}

/** The bytes as they were packed. Throws if they are damaged so that they cannot be read. */
export function unpackBytes(packed: Uint8Array): Uint8Array {
  const body = packed.subarray(1);
  return packed[0] === ZSTD ? zstdDecompressSync(body) : body;
}

const LENGTH_BYTES = 4;

/** Whether packing a single text saves enough. */
export function isWorthPacking(text: string): boolean {
  return text.length >= LEAST_BYTES;
}

/** Several texts as one value: for each its length in bytes as u32, little-endian, and its bytes in UTF-8. */
export function packTexts(texts: readonly string[]): Uint8Array {
  const parts = texts.map((text) => Buffer.from(text));
  const plain = Buffer.allocUnsafe(parts.reduce((sum, { length }) => sum + LENGTH_BYTES + length, 0));
  let at = 0;
  for (const part of parts) {
    at = plain.writeUInt32LE(part.length, at);
    at += part.copy(plain, at);
  }
  return packBytes(plain);
}

/** The texts as they were packed. Throws if the bytes are damaged. */
export function unpackTexts(packed: Uint8Array): string[] {
  const plain = Buffer.from(unpackBytes(packed));
  const texts: string[] = [];
  for (let at = 0; at < plain.length;) {
    const from = at + LENGTH_BYTES;
    at = from + plain.readUInt32LE(at);
    if (at > plain.length) throw new Error('packed texts end too early');
    texts.push(plain.toString('utf8', from, at));
  }
  return texts;
}
