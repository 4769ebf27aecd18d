import { JsonFault } from './json-fault.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Whether a byte belongs to a number or a word: letters, digits, + - . */
export const IS_TOKEN = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[-+.0-9A-Za-z]/.test(String.fromCharCode(byte)) ? 1 : 0,
);

/** Where the token ends; −1 where the chunk ends first. */
export function endOfToken(bytes: Buffer, start: number): number {
  for (let at = start; at < bytes.length; at++) if (IS_TOKEN[bytes[at]] === 0) return at;
  return -1;
}

/** Where the closing quote stands; −1 where the chunk ends first. */
export function endOfString(bytes: Buffer, start: number, isEscaped: boolean): number {
  for (let at = isEscaped ? start + 1 : start; at < bytes.length; at++) {
    if (bytes[at] === QUOTE) return at;
    if (bytes[at] === BACKSLASH) at++;
  }
  return -1;
}

/** Whether the bytes end within an escape, so that the next byte is no closing quote. */
export function endsInEscape(bytes: Buffer): boolean {
  let count = 0;
  while (count < bytes.length && bytes[bytes.length - 1 - count] === BACKSLASH) count++;
  return count % 2 === 1;
}

export function textOf(bytes: Buffer, start: number, end: number, atByte: number): string {
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
export function numberOf(bytes: Buffer, start: number, end: number): number | null {
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
