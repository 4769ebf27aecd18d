import { SaxesParser } from 'saxes';

/** The parser holds a text or tag in memory until it ends. */
const MAX_CHARACTERS = 1 << 20;

/** Called with names without their namespace. */
export interface XmlHandler {
  readonly open?: (tag: string, attributes: Readonly<Record<string, string | undefined>>) => void;
  readonly text?: (text: string) => void;
  readonly close?: (tag: string) => void;
}

/**
 * Reads XML piece by piece, and yields after each piece, so that the caller can pass on what was read. Entities other
 * than the five of XML are errors, so that none can expand. Throws SyntaxError for text that is not XML.
 */
export async function* readXml(chunks: AsyncIterable<Uint8Array>, handler: XmlHandler): AsyncGenerator<void> {
  const parser = new SaxesParser();
  const decoder = new TextDecoder();
  parser.on('error', (error) => {
    throw new SyntaxError(error.message, { cause: error });
  });
  parser.on('opentag', ({ name, attributes }) => handler.open?.(localName(name), attributes));
  parser.on('text', (text) => handler.text?.(text));
  parser.on('closetag', ({ name }) => handler.close?.(localName(name)));
  let sinceTag = 0;
  for await (const chunk of chunks) {
    const xml = decoder.decode(chunk, { stream: true });
    const lastTag = xml.lastIndexOf('<');
    sinceTag = lastTag < 0 ? sinceTag + xml.length : xml.length - lastTag;
    if (sinceTag > MAX_CHARACTERS) throw new SyntaxError('a text is longer than a million characters');
    parser.write(xml);
    yield;
  }
  parser.write(decoder.decode()).close();
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
