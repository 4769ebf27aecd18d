/** NDJSON as it comes: each line as what it says. What ends in the middle of a line was cut off on its way, and throws. */
export async function* readLines<Line>(body: ReadableStream<Uint8Array>): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = '';
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const lines = (rest + decoder.decode(part.value, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield lineOf<Line>(line);
    }
  } finally {
    await reader.cancel();
  }
  if (rest !== '') throw new Error('The answer ended in the middle of a line. Try again.');
}

function lineOf<Line>(text: string): Line {
  const line: Line = JSON.parse(text);
  return line;
}
