/**
 * JSON read as a stream of events, so that a file of any size needs the memory of its largest string: JSON.parse would
 * need the whole text as one string (at most 512 MB in V8) and an object per coordinate.
 */
export interface JsonEvents {
  readonly open: (isArray: boolean) => void;
  readonly close: () => void;
  readonly key: (name: string) => void;
  readonly text: (value: string) => void;
  /** Also NaN and ±Infinity, which JSON lacks but Python's writer emits: the reader says which value is at fault. */
  readonly number: (value: number) => void;
  readonly constant: (value: boolean | null) => void;
}

export interface JsonScanner {
  readonly push: (bytes: Uint8Array) => void;
  /** Throws where the text is not over. */
  readonly end: () => void;
}

/** What is wrong with a text, and where. */
export class JsonFault extends Error {
  override readonly name = 'JsonFault';
  readonly atByte: number;

  constructor(what: string, atByte: number) {
    super(what);
    this.atByte = atByte;
  }
}

/** Reliability §9: deeper nesting is an attack or a mistake; GeoJSON needs 9. */
const MOST_DEPTH = 32;
/** A longer string is an unclosed quote that swallows the file. */
const MOST_STRING_BYTES = 65_536;
/** A double takes at most 25 characters; publishers pad them, but not by this much. */
const MOST_TOKEN_BYTES = 400;

/** What may come next. */
const VALUE = 0;
const VALUE_OR_CLOSE = 1;
const KEY = 2;
const KEY_OR_CLOSE = 3;
const COLON = 4;
const COMMA_OR_CLOSE = 5;
const NOTHING = 6;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Whether a byte belongs to a number or a word: letters, digits, + - . */
const IS_TOKEN = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[-+.0-9A-Za-z]/.test(String.fromCharCode(byte)) ? 1 : 0,
);

export function createJsonScanner(events: JsonEvents): JsonScanner {
  const isArrayAt: boolean[] = [];
  let expected = VALUE;
  /** Bytes of all chunks before the present one. */
  let before = 0;
  /** The beginning of a string or token that the last chunk cut. */
  let cut: Buffer | null = null;
  let isInString = false;

  return {
    push(bytes) {
      scan(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
      before += bytes.length;
    },
    end() {
      if (cut !== null && !isInString) {
        token(cut, 0, cut.length);
        cut = null;
      }
      if (expected !== NOTHING || cut !== null)
        throw new JsonFault('the text ends before it is complete', before);
    },
  };

  function scan(bytes: Buffer): void {
    let at = cut === null ? 0 : resume(bytes);
    while (at < bytes.length) {
      const byte = bytes[at];
      if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) at++;
      else if (IS_TOKEN[byte] === 1) at = readToken(bytes, at);
      else if (byte === QUOTE) at = readString(bytes, at + 1);
      else at = punctuation(byte, at);
    }
  }

  /** Joins what the last chunk cut to its rest. */
  function resume(bytes: Buffer): number {
    const start: Buffer = cut ?? Buffer.alloc(0);
    cut = null;
    const end = isInString ? endOfString(bytes, 0, endsInEscape(start)) : endOfToken(bytes, 0);
    const whole = Buffer.concat([start, bytes.subarray(0, end < 0 ? bytes.length : end)]);
    if (end < 0) return hold(whole, 0, bytes.length);
    if (!isInString) {
      token(whole, 0, whole.length);
      return end;
    }
    string(whole, 0, whole.length, end);
    return end + 1;
  }

  function readToken(bytes: Buffer, start: number): number {
    isInString = false;
    const end = endOfToken(bytes, start);
    if (end < 0) return hold(bytes.subarray(start), start, bytes.length);
    token(bytes, start, end);
    return end;
  }

  function readString(bytes: Buffer, start: number): number {
    isInString = true;
    const end = endOfString(bytes, start, false);
    if (end < 0) return hold(bytes.subarray(start), start, bytes.length);
    string(bytes, start, end, end);
    return end + 1;
  }

  /** Keeps the beginning of what the chunk cuts; chunks are reused by their stream, so a copy. */
  function hold(piece: Buffer, at: number, end: number): number {
    if (piece.length > (isInString ? MOST_STRING_BYTES : MOST_TOKEN_BYTES)) throw tooLong(at);
    cut = Buffer.from(piece);
    return end;
  }

  function string(bytes: Buffer, start: number, end: number, at: number): void {
    if (end - start > MOST_STRING_BYTES) throw tooLong(at);
    const text = textOf(bytes, start, end, before + at);
    if (expected === KEY || expected === KEY_OR_CLOSE) {
      expected = COLON;
      events.key(text);
    } else {
      beginValue(at);
      events.text(text);
    }
  }

  function token(bytes: Buffer, start: number, end: number): void {
    if (end - start > MOST_TOKEN_BYTES) throw tooLong(start);
    beginValue(start);
    const value = numberOf(bytes, start, end);
    if (value !== null) return events.number(value);
    const word = bytes.toString('latin1', start, end);
    if (word === 'null') events.constant(null);
    else if (word === 'true' || word === 'false') events.constant(word === 'true');
    else throw new JsonFault(`"${word.slice(0, 40)}" is no JSON value`, before + start);
  }

  function beginValue(at: number): void {
    if (expected !== VALUE && expected !== VALUE_OR_CLOSE) throw unexpected('a value', at);
    expected = isArrayAt.length === 0 ? NOTHING : COMMA_OR_CLOSE;
  }

  function punctuation(byte: number, at: number): number {
    if (byte === 0x5b || byte === 0x7b) open(byte === 0x5b, at);
    else if (byte === 0x5d || byte === 0x7d) close(byte === 0x5d, at);
    else if (byte === 0x2c && expected === COMMA_OR_CLOSE)
      expected = isArrayAt[isArrayAt.length - 1] ? VALUE : KEY;
    else if (byte === 0x3a && expected === COLON) expected = VALUE;
    // A byte order mark is no JSON, but Windows writes it.
    else if (before + at < 3 && (byte === 0xef || byte === 0xbb || byte === 0xbf)) return at + 1;
    else throw unexpected(`"${String.fromCharCode(byte)}"`, at);
    return at + 1;
  }

  function open(isArray: boolean, at: number): void {
    beginValue(at);
    if (isArrayAt.length >= MOST_DEPTH) {
      throw new JsonFault(`arrays and objects are nested more than ${MOST_DEPTH} deep`, before + at);
    }
    isArrayAt.push(isArray);
    expected = isArray ? VALUE_OR_CLOSE : KEY_OR_CLOSE;
    events.open(isArray);
  }

  function close(isArray: boolean, at: number): void {
    const mayClose = expected === COMMA_OR_CLOSE || expected === (isArray ? VALUE_OR_CLOSE : KEY_OR_CLOSE);
    if (!mayClose || isArrayAt.pop() !== isArray) throw unexpected(isArray ? '"]"' : '"}"', at);
    expected = isArrayAt.length === 0 ? NOTHING : COMMA_OR_CLOSE;
    events.close();
  }

  function unexpected(what: string, at: number): JsonFault {
    return new JsonFault(`${what} stands where it cannot`, before + at);
  }

  function tooLong(at: number): JsonFault {
    const what = isInString
      ? `a text is longer than ${MOST_STRING_BYTES / 1024} KB or never ends, most likely because a quote is not closed`
      : `a number is longer than ${MOST_TOKEN_BYTES} characters`;
    return new JsonFault(what, before + at);
  }
}

/** Where the token ends; −1 where the chunk ends first. */
function endOfToken(bytes: Buffer, start: number): number {
  for (let at = start; at < bytes.length; at++) if (IS_TOKEN[bytes[at]] === 0) return at;
  return -1;
}

/** Where the closing quote stands; −1 where the chunk ends first. */
function endOfString(bytes: Buffer, start: number, isEscaped: boolean): number {
  for (let at = isEscaped ? start + 1 : start; at < bytes.length; at++) {
    if (bytes[at] === QUOTE) return at;
    if (bytes[at] === BACKSLASH) at++;
  }
  return -1;
}

/** Whether the bytes end within an escape, so that the next byte is no closing quote. */
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
 * The number of a token; null where it is none. Up to 15 digits and 22 decimals both the digits and the power of ten
 * are exact doubles, so that one division rounds exactly as Number() does, at a fifth of its time.
 */
function numberOf(bytes: Buffer, start: number, end: number): number | null {
  const isNegative = bytes[start] === 0x2d;
  let at = isNegative ? start + 1 : start;
  const first = at;
  let digits = 0;
  let point = -1;
  for (; at < end; at++) {
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
