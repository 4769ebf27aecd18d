/** Reads exact numbers of bytes from a stream of chunks. */
export interface ByteReader {
  /** The next `count` bytes; fewer where the stream ends first. */
  readonly read: (count: number) => Promise<Buffer>;
  /** Passes over bytes; says how many there were. */
  readonly skip: (count: number) => Promise<number>;
}

export function createByteReader(stream: AsyncIterable<Uint8Array>): ByteReader {
  const chunks = stream[Symbol.asyncIterator]();
  let chunk: Buffer = Buffer.alloc(0);
  let at = 0;

  return {
    async read(count) {
      if (at + count <= chunk.length) return chunk.subarray(at, (at += count));
      const pieces: Buffer[] = [];
      let missing = count;
      for await (const piece of upTo(count)) {
        pieces.push(piece);
        missing -= piece.length;
      }
      return pieces.length === 1 ? pieces[0] : Buffer.concat(pieces, count - missing);
    },
    async skip(count) {
      let skipped = 0;
      for await (const piece of upTo(count)) skipped += piece.length;
      return skipped;
    },
  };

  async function* upTo(count: number): AsyncGenerator<Buffer> {
    let missing = count;
    while (missing > 0) {
      if (at === chunk.length) {
        const next = await chunks.next();
        if (next.done) return;
        chunk = Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength);
        at = 0;
      }
      const piece = chunk.subarray(at, at + missing);
      at += piece.length;
      missing -= piece.length;
      yield piece;
    }
  }
}
