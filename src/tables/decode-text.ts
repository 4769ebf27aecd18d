/** How the bytes of a file are text: as its first bytes say, else UTF-8, else the encoding of older Windows programs. */
export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** The bytes are not text in this encoding. */
export class NotThisEncoding extends Error {
  override readonly name = 'NotThisEncoding';
}

export function encodingOf(firstBytes: Uint8Array): Encoding {
  const [a, b] = firstBytes;
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  return 'utf-8';
}

/** The text of a file piece by piece, without its byte order mark. Throws NotThisEncoding. */
export async function* decodeText(
  chunks: AsyncIterable<Uint8Array>,
  encoding: Encoding,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  for await (const chunk of chunks) yield decoded(() => decoder.decode(chunk, { stream: true }));
  yield decoded(() => decoder.decode());
}

function decoded(decode: () => string): string {
  try {
    return decode();
  } catch (error) {
    if (error instanceof TypeError) throw new NotThisEncoding('The bytes are not text.', { cause: error });
    throw error;
  }
}
