import { isUtf8 } from 'node:buffer';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** Enough to recognize UTF-16 without a byte order mark. */
const HEAD_BYTES = 512;

interface Utf8Text {
  /** The text as UTF-8, without its byte order mark. */
  readonly chunks: AsyncGenerator<Buffer>;
  /** What the bytes read so far are. Windows-1252 may show only in the last row. */
  readonly encoding: () => Encoding;
}

/**
 * Converts the bytes of a text file to UTF-8. UTF-16 is recognized by its byte order mark, or by a zero in every other
 * byte. Bytes that are not UTF-8 are Windows-1252, the encoding of older Windows programs. Up to the first such byte,
 * both encodings read the same text.
 */
export function toUtf8(source: AsyncIterable<Uint8Array>): Utf8Text {
  let encoding: Encoding = 'utf-8';
  return { chunks: convert(), encoding: () => encoding };

  async function* convert(): AsyncGenerator<Buffer> {
    const input = source[Symbol.asyncIterator]();
    try {
      let head = Buffer.alloc(0);
      while (head.length < HEAD_BYTES) {
        const next = await input.next();
        if (next.done) break;
        head = Buffer.concat([head, next.value]);
      }
      encoding = encodingOfHead(head);
      const rest = { [Symbol.asyncIterator]: () => input };
      const isMarked = head.length >= 3 && head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf;
      if (encoding === 'utf-8') yield* fromUtf8(isMarked ? head.subarray(3) : head, rest);
      else yield* decoded(encoding, head, rest);
    } finally {
      await input.return?.();
    }
  }

  async function* fromUtf8(head: Buffer, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
    /** The beginning of a character that the next chunk completes. */
    let cut: Buffer = Buffer.alloc(0);
    for await (const chunk of startingWith(head, rest)) {
      const bytes =
        cut.length > 0
          ? Buffer.concat([cut, chunk])
          : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
      const end = encoding === 'utf-8' ? bytes.length - cutCharacterBytes(bytes) : bytes.length;
      if (!isUtf8(bytes.subarray(0, end))) encoding = 'windows-1252';
      if (encoding === 'utf-8') {
        cut = bytes.subarray(end);
        if (end > 0) yield bytes.subarray(0, end);
      } else {
        cut = Buffer.alloc(0);
        yield fromWindows(bytes);
      }
    }
    if (cut.length === 0) return;
    encoding = 'windows-1252';
    yield fromWindows(cut);
  }
}

async function* startingWith(head: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head;
  yield* rest;
}

async function* decoded(
  encoding: Encoding,
  head: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of startingWith(head, rest)) {
    const text = decoder.decode(chunk, { stream: true });
    if (text !== '') yield Buffer.from(text);
  }
  const text = decoder.decode();
  if (text !== '') yield Buffer.from(text);
}

function fromWindows(bytes: Uint8Array): Buffer {
  return Buffer.from(new TextDecoder('windows-1252').decode(bytes));
}

function encodingOfHead(head: Buffer): Encoding {
  const [a, b] = head;
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  const pairs = head.length >> 1;
  if (pairs < 4) return 'utf-8';
  let [evenZeros, oddZeros] = [0, 0];
  for (let i = 0; i < 2 * pairs; i += 2) {
    if (head[i] === 0) evenZeros++;
    if (head[i + 1] === 0) oddZeros++;
  }
  // Text that is mostly Latin has a zero in every other byte. A binary file has zeros on both sides.
  if (evenZeros === 0 && oddZeros > 0.8 * pairs) return 'utf-16le';
  if (oddZeros === 0 && evenZeros > 0.8 * pairs) return 'utf-16be';
  return 'utf-8';
}

/** The number of bytes at the end that begin a character of UTF-8 and do not complete it. */
function cutCharacterBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back];
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return length > back ? back : 0;
    }
  }
  return 0;
}
