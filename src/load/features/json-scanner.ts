import { JsonFault } from './json-fault.ts';
import { createJsonGrammar, type JsonEvents, type JsonGrammar } from './json-grammar.ts';
import { endOfString, endOfToken, endsInEscape, IS_TOKEN, numberOf, textOf } from './json-tokens.ts';

export interface JsonScanner {
  readonly push: (bytes: Uint8Array) => void;
  /** Throws where the text is not over. */
  readonly end: () => void;
}

/** A longer string is an unclosed quote that swallows the file. */
const MOST_STRING_BYTES = 65_536;
/** A double takes at most 25 characters; publishers pad them, but not by this much. */
const MOST_TOKEN_BYTES = 400;

const QUOTE = 0x22;
/** U+FEFF as UTF-8: no JSON, but Windows begins texts with it. */
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** The beginning of a string (without its quote) or token that a chunk cut. */
interface Cut {
  readonly piece: Buffer;
  readonly isString: boolean;
}

/**
 * Reads JSON as a stream of events, so that a file of any size needs the memory of its largest string: JSON.parse would
 * need the whole text as one string (at most 512 MB in V8) and an object per coordinate. 200 MB/s of coordinates.
 *
 * @throws JsonFault while reading, at the first byte that cannot stand where it is
 */
export function createJsonScanner(events: JsonEvents): JsonScanner {
  const grammar = createJsonGrammar(events);
  /** Bytes of all chunks before the present one. */
  let before = 0;
  let cut: Cut | null = null;

  const scan = (bytes: Buffer): void => {
    let at = cut === null ? 0 : resume(bytes, cut);
    while (at < bytes.length) {
      const byte = bytes[at];
      if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) at++;
      else if (IS_TOKEN[byte] === 1) at = read(bytes, at, false);
      else if (byte === QUOTE) at = read(bytes, at + 1, true);
      else if (before + at < 3 && byte === BYTE_ORDER_MARK[before + at]) at++;
      else grammar.punctuation(byte, before + at++);
    }
  };
  /** Reads a string or token; says where what comes after it begins. */
  const read = (bytes: Buffer, start: number, isString: boolean): number => {
    const end = isString ? endOfString(bytes, start, false) : endOfToken(bytes, start);
    if (end < 0) return hold(bytes.subarray(start), isString, bytes.length);
    give(grammar, bytes, start, end, isString, before + start);
    return isString ? end + 1 : end;
  };
  /** Joins what the last chunk cut to its rest. */
  const resume = (bytes: Buffer, { piece, isString }: Cut): number => {
    const end = isString ? endOfString(bytes, 0, endsInEscape(piece)) : endOfToken(bytes, 0);
    const whole = Buffer.concat([piece, end < 0 ? bytes : bytes.subarray(0, end)]);
    cut = null;
    if (end < 0) return hold(whole, isString, bytes.length);
    give(grammar, whole, 0, whole.length, isString, before - piece.length);
    return isString ? end + 1 : end;
  };
  /** Chunks are reused by their stream, so a copy. */
  const hold = (piece: Buffer, isString: boolean, end: number): number => {
    checkLength(piece.length, isString, before);
    cut = { piece: Buffer.from(piece), isString };
    return end;
  };
  return {
    push(bytes) {
      scan(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
      before += bytes.length;
    },
    end() {
      const rest: Cut | null = cut;
      if (rest !== null && !rest.isString) give(grammar, rest.piece, 0, rest.piece.length, false, before);
      if (rest?.isString || !grammar.isComplete()) {
        throw new JsonFault('the text ends before it is complete', before);
      }
    },
  };
}

/** Hands a string or token over as what it says. */
function give(
  grammar: JsonGrammar,
  bytes: Buffer,
  start: number,
  end: number,
  isString: boolean,
  atByte: number,
): void {
  checkLength(end - start, isString, atByte);
  if (isString) return grammar.text(textOf(bytes, start, end, atByte), atByte);
  const value = numberOf(bytes, start, end);
  if (value !== null) return grammar.number(value, atByte);
  const word = bytes.toString('latin1', start, end);
  if (word === 'null') grammar.constant(null, atByte);
  else if (word === 'true' || word === 'false') grammar.constant(word === 'true', atByte);
  else throw new JsonFault(`"${word.slice(0, 40)}" is no JSON value`, atByte);
}

function checkLength(bytes: number, isString: boolean, atByte: number): void {
  if (bytes <= (isString ? MOST_STRING_BYTES : MOST_TOKEN_BYTES)) return;
  const what = isString
    ? `a text is longer than ${MOST_STRING_BYTES / 1024} KB or never ends, most likely because a quote is not closed`
    : `a number is longer than ${MOST_TOKEN_BYTES} characters`;
  throw new JsonFault(what, atByte);
}
