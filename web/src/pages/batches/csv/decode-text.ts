/** How a file's bytes are text: what its first bytes say, else UTF-8, else what Windows writes where it does not write UTF-8. */
export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** The bytes are no text of the encoding. */
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
export async function* decodeText(file: Blob, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const reader = file.stream().getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      yield decoded(() => decoder.decode(part.value, { stream: true }));
    }
    yield decoded(() => decoder.decode());
  } finally {
    await reader.cancel();
  }
}

function decoded(decode: () => string): string {
  try {
    return decode();
  } catch (error) {
    if (error instanceof TypeError) throw new NotThisEncoding('These bytes are no text.', { cause: error });
    throw error;
  }
}
