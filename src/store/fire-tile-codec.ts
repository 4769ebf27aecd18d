import { deflateSync, inflateSync } from 'node:zlib';

/** Rasters of probabilities hardly shrink further with more effort; level 1 packs three times as fast as the default. */
const LEVEL = 1;

/** A tile as it is kept: little-endian float32, NaN where there is no data, deflated. */
export function packFireTile(cells: Float32Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(
    deflateSync(new Uint8Array(cells.buffer, cells.byteOffset, cells.byteLength), { level: LEVEL }),
  );
}

/** Throws on bytes that are no tile of that many cells. */
export function unpackFireTile(bytes: Uint8Array, cellCount: number): Float32Array {
  const unpacked = inflateSync(bytes, { maxOutputLength: cellCount * 4 });
  if (unpacked.byteLength !== cellCount * 4) {
    throw new Error(
      `A fire tile holds ${unpacked.byteLength} bytes instead of ${cellCount * 4}: it is damaged.`,
    );
  }
  return new Float32Array(new Uint8Array(unpacked).buffer);
}
