import { ConnectionError } from './errors.ts';

/** Yields lines of JSON as they arrive. Leaving the loop early closes the connection. */
export async function* linesOf<Line>(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Line, void> {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  try {
    let rest = '';
    for (;;) {
      const { done, value = '' } = await readFrom(reader);
      const lines = (rest + value).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') yield JSON.parse(line);
      if (done) break;
    }
    if (rest !== '') throw new ConnectionError('The response is incomplete: it ended within a line.');
  } finally {
    await reader.cancel();
  }
}

async function readFrom(
  reader: ReadableStreamDefaultReader<string>,
): Promise<{ readonly done: boolean; readonly value?: string }> {
  try {
    return await reader.read();
  } catch (error) {
    throw new ConnectionError('The response is incomplete: the connection broke.', { cause: error });
  }
}
