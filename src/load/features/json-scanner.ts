/** What is wrong with a JSON text, and where. */
export class JsonFault extends Error {
  override readonly name = 'JsonFault';
  readonly atByte: number;

  constructor(what: string, atByte: number) {
    super(what);
    this.atByte = atByte;
  }
}

export interface JsonEvents {
  readonly open: (isArray: boolean) => void;
  readonly close: () => void;
  readonly key: (name: string) => void;
  readonly text: (value: string) => void;
  /** Also NaN and ±Infinity, which JSON lacks but Python writes: the caller reports which value they are. */
  readonly number: (value: number) => void;
  readonly constant: (value: boolean | null) => void;
}

/** A longer string is an unclosed quote. */
const MOST_STRING_BYTES = 65_536;
/** A double takes at most 25 characters; publishers pad them, but not by this much. */
const MOST_TOKEN_BYTES = 400;
/** Deeper nesting is an attack or a mistake; GeoJSON needs 9. */
const MOST_DEPTH = 32;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** U+FEFF as UTF-8: not JSON, but Windows begins texts with it. */
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** What may come next. */
const VALUE = 0;
const VALUE_OR_CLOSE = 1;
const KEY = 2;
const KEY_OR_CLOSE = 3;
const COLON = 4;
const COMMA_OR_CLOSE = 5;
const NOTHING = 6;

/** The beginning of a string (without its quote) or token that the end of a chunk cut. */
interface Cut {
  readonly piece: Buffer;
  readonly isString: boolean;
}

/**
 * Reads JSON as a stream of events, so that a file of any size needs the memory of its largest string: JSON.parse would
 * need the whole text as one string (at most 512 MB in V8) and an object per coordinate. Reads 200 MB/s of coordinates.
 *
 * @throws JsonFault while reading, at the first byte that is not allowed
 */
export function createJsonScanner(events: JsonEvents) {
  const isArrayAt: boolean[] = [];
  let expected = VALUE;
  /** Bytes of all chunks before the present one. */
  let before = 0;
  let cut: Cut | null = null;

  const beginValue = (atByte: number): void => {
    if (expected !== VALUE && expected !== VALUE_OR_CLOSE) throw misplaced('a value', atByte);
    expected = isArrayAt.length === 0 ? NOTHING : COMMA_OR_CLOSE;
  };
  const open = (isArray: boolean, atByte: number): void => {
    beginValue(atByte);
    if (isArrayAt.length >= MOST_DEPTH) {
      throw new JsonFault(`arrays and objects are nested more than ${MOST_DEPTH} deep`, atByte);
    }
    isArrayAt.push(isArray);
    expected = isArray ? VALUE_OR_CLOSE : KEY_OR_CLOSE;
    events.open(isArray);
  };
  const close = (isArray: boolean, atByte: number): void => {
    const mayClose = expected === COMMA_OR_CLOSE || expected === (isArray ? VALUE_OR_CLOSE : KEY_OR_CLOSE);
    if (!mayClose || isArrayAt.pop() !== isArray) throw misplaced(isArray ? '"]"' : '"}"', atByte);
    expected = isArrayAt.length === 0 ? NOTHING : COMMA_OR_CLOSE;
    events.close();
  };
  const punctuation = (byte: number, atByte: number): void => {
    const mark = String.fromCharCode(byte);
    if (mark === '[' || mark === '{') open(mark === '[', atByte);
    else if (mark === ']' || mark === '}') close(mark === ']', atByte);
    else if (mark === ',' && expected === COMMA_OR_CLOSE) expected = isArrayAt.at(-1) ? VALUE : KEY;
    else if (mark === ':' && expected === COLON) expected = VALUE;
    else throw misplaced(`"${mark}"`, atByte);
  };
  const string = (bytes: Buffer, start: number, end: number, atByte: number): void => {
    const text = textOf(bytes, start, end, atByte);
    if (expected === KEY || expected === KEY_OR_CLOSE) {
      expected = COLON;
      events.key(text);
    } else {
      beginValue(atByte);
      events.text(text);
    }
  };
  const token = (bytes: Buffer, start: number, end: number, atByte: number): void => {
    const value = numberOf(bytes, start, end);
    if (value !== null) {
      beginValue(atByte);
      events.number(value);
      return;
    }
    const word = bytes.toString('latin1', start, end);
    if (word !== 'null' && word !== 'true' && word !== 'false') {
      throw new JsonFault(`"${word.slice(0, 40)}" is not a JSON value`, atByte);
    }
    beginValue(atByte);
    events.constant(word === 'null' ? null : word === 'true');
  };
  const emit = (bytes: Buffer, start: number, end: number, isString: boolean, atByte: number): void => {
    checkLength(end - start, isString, atByte);
    if (isString) string(bytes, start, end, atByte);
    else token(bytes, start, end, atByte);
  };
  /** Reads a string or token. Returns the position after it. */
  const read = (bytes: Buffer, start: number, isString: boolean): number => {
    const end = isString ? endOfString(bytes, start, false) : endOfToken(bytes, start);
    if (end < 0) return hold(bytes.subarray(start), isString, bytes.length);
    emit(bytes, start, end, isString, before + start);
    return isString ? end + 1 : end;
  };
  /** Joins what the last chunk cut to its rest. */
  const resume = (bytes: Buffer, { piece, isString }: Cut): number => {
    const end = isString ? endOfString(bytes, 0, endsInEscape(piece)) : endOfToken(bytes, 0);
    const whole = Buffer.concat([piece, end < 0 ? bytes : bytes.subarray(0, end)]);
    cut = null;
    if (end < 0) return hold(whole, isString, bytes.length);
    emit(whole, 0, whole.length, isString, before - piece.length);
    return isString ? end + 1 : end;
  };
  /** Copies the piece, because streams reuse their chunks. */
  const hold = (piece: Buffer, isString: boolean, end: number): number => {
    checkLength(piece.length, isString, before);
    cut = { piece: Buffer.from(piece), isString };
    return end;
  };
  return {
    push(chunk: Uint8Array): void {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      let at = cut === null ? 0 : resume(bytes, cut);
      while (at < bytes.length) {
        const byte = bytes[at];
        if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) at++;
        else if (IS_TOKEN[byte] === 1) at = read(bytes, at, false);
        else if (byte === QUOTE) at = read(bytes, at + 1, true);
        else if (before + at < 3 && byte === BYTE_ORDER_MARK[before + at]) at++;
        else punctuation(byte, before + at++);
      }
      before += bytes.length;
    },
    /** Throws if the text is incomplete. */
    end(): void {
      const rest: Cut | null = cut;
      if (rest !== null && !rest.isString) emit(rest.piece, 0, rest.piece.length, false, before);
      if (rest?.isString || expected !== NOTHING) {
        throw new JsonFault('the text ends before it is complete', before);
      }
    },
  };
}

function misplaced(what: string, atByte: number): JsonFault {
  return new JsonFault(`${what} is not allowed here`, atByte);
}

function checkLength(bytes: number, isString: boolean, atByte: number): void {
  if (bytes <= (isString ? MOST_STRING_BYTES : MOST_TOKEN_BYTES)) return;
  const what = isString
    ? `a text is longer than ${MOST_STRING_BYTES / 1024} KB or never ends, most likely because a quote is not closed`
    : `a number is longer than ${MOST_TOKEN_BYTES} characters`;
  throw new JsonFault(what, atByte);
}

/** Whether a byte belongs to a number or a word: letters, digits, + - . */
const IS_TOKEN = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[-+.0-9A-Za-z]/.test(String.fromCharCode(byte)) ? 1 : 0,
);

/** The position after the token; −1 if the chunk ends first. */
function endOfToken(bytes: Buffer, start: number): number {
  for (let at = start; at < bytes.length; at++) if (IS_TOKEN[bytes[at]] === 0) return at;
  return -1;
}

/** The position of the closing quote; −1 if the chunk ends first. */
function endOfString(bytes: Buffer, start: number, isEscaped: boolean): number {
  for (let at = isEscaped ? start + 1 : start; at < bytes.length; at++) {
    if (bytes[at] === QUOTE) return at;
    if (bytes[at] === BACKSLASH) at++;
  }
  return -1;
}

/** Whether the bytes end within an escape, so that a quote after them closes nothing. */
function endsInEscape(bytes: Buffer): boolean {
  let count = 0;
  while (count < bytes.length && bytes[bytes.length - 1 - count] === BACKSLASH) count++;
  return count % 2 === 1;
}

function textOf(bytes: Buffer, start: number, end: number, atByte: number): string {
  const text = bytes.toString('utf8', start, end);
  if (!text.includes('\\')) return text;
  try {
    const unescaped: unknown = JSON.parse(`"${text}"`);
    return String(unescaped);
  } catch {
    throw new JsonFault('a text has an escape or a control character that JSON does not know', atByte);
  }
}

const POWERS_OF_TEN = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));
const JSON_NUMBER = /^(-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?|NaN|-?Infinity)$/;

/**
 * The number of a token; null if it is none. Up to 15 digits and 22 decimals both the digits and the power of ten are
 * exact doubles, so one division rounds exactly as Number() does, in a fifth of the time.
 */
function numberOf(bytes: Buffer, start: number, end: number): number | null {
  const isNegative = bytes[start] === 0x2d;
  const first = isNegative ? start + 1 : start;
  let digits = 0;
  let point = -1;
  for (let at = first; at < end; at++) {
    const digit = bytes[at] - 0x30;
    if (digit >= 0 && digit <= 9) digits = digits * 10 + digit;
    else if (bytes[at] === 0x2e && point < 0) point = at;
    else return slowNumberOf(bytes, start, end);
  }
  const decimals = point < 0 ? 0 : end - point - 1;
  const length = end - first - (point < 0 ? 0 : 1);
  const isPlain = length > 0 && length <= 15 && point !== first && point !== end - 1;
  const hasLeadingZero = bytes[first] === 0x30 && end - first > 1 && point !== first + 1;
  if (!isPlain || hasLeadingZero) return slowNumberOf(bytes, start, end);
  const size = digits / POWERS_OF_TEN[decimals];
  return isNegative ? -size : size;
}

function slowNumberOf(bytes: Buffer, start: number, end: number): number | null {
  const text = bytes.toString('latin1', start, end);
  return JSON_NUMBER.test(text) ? Number(text) : null;
}
