const FIRST_BITS = 9;
const MAX_BITS = 12;
const CLEAR = 256;
const END = 257;
const FIRST_FREE = 258;
const MAX_CODES = 1 << MAX_BITS;

/**
 * Decodes at most `mostBytes` of an LZW-coded TIFF block (TIFF 6.0, section 13), so that a small block cannot expand
 * without limit. geotiff's own decoder has no such limit and is about ten times slower: too slow for a state's raster
 * within the deadline. Throws on invalid codes; a block that ends early gives what there is.
 */
export function decodeLzw(coded: Uint8Array, mostBytes: number): Uint8Array<ArrayBuffer> {
  const output = new Uint8Array(mostBytes);
  // Each code repeats bytes of the output: their start and their number.
  const starts = new Int32Array(MAX_CODES);
  const lengths = new Int32Array(MAX_CODES);
  let written = 0;
  let free = FIRST_FREE;
  let bits = FIRST_BITS;
  let previousStart = -1;
  let previousLength = 0;
  let window = 0;
  let windowBits = 0;
  let at = 0;
  while (written < mostBytes) {
    while (windowBits < bits && at < coded.length) {
      window = ((window << 8) | coded[at++]) & 0xffffff;
      windowBits += 8;
    }
    if (windowBits < bits) break;
    windowBits -= bits;
    const code = (window >>> windowBits) & ((1 << bits) - 1);
    if (code === END) break;
    if (code === CLEAR) {
      free = FIRST_FREE;
      bits = FIRST_BITS;
      previousStart = -1;
      continue;
    }
    const start = written;
    if (code < CLEAR) {
      output[written++] = code;
    } else if (code < free || (code === free && previousStart >= 0)) {
      // The code that is just being defined is the previous text followed by its own first byte.
      const from = code < free ? starts[code] : previousStart;
      const length = Math.min(code < free ? lengths[code] : previousLength + 1, mostBytes - written);
      for (let i = 0; i < length; i++) output[written + i] = output[from + i];
      written += length;
    } else {
      throw new Error(`code ${code} of an LZW block is not defined yet`);
    }
    if (previousStart >= 0 && free < MAX_CODES) {
      starts[free] = previousStart;
      lengths[free] = previousLength + 1;
      free++;
      // Writers widen the codes one code early, as the format's first implementation did.
      if (free + 1 >= 1 << bits && bits < MAX_BITS) bits++;
    }
    previousStart = start;
    previousLength = written - start;
  }
  return output.subarray(0, written);
}
