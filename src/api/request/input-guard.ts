import { isUtf8 } from 'node:buffer';
import { PlumblineError } from '../../errors.ts';

/**
 * Limits are checked before JSON is parsed, because parsing or walking such input would do the harm: 250,000
 * nested arrays fit into 500 KB and overflow the stack of any recursive function; 60,000 keys block the event
 * loop for up to 0.4 s.
 */
const MAX_DEPTH = 32;

export interface BodyLimits {
  /** A larger Content-Length is rejected before any byte is read. */
  readonly bytesMax: number;
  readonly keysMax: number;
}

/** Limits of a single request. */
export const SINGLE_BODY: BodyLimits = { bytesMax: 1_048_576, keysMax: 20_000 };
export const BATCH_BODY: BodyLimits = { bytesMax: 5_242_880, keysMax: 400_000 };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** Counts levels and keys in one pass. In well-formed JSON, each colon outside a string belongs to one key. */
export function measureJson(bytes: Uint8Array): { depth: number; keys: number } {
  let depth = 0;
  let deepest = 0;
  let keys = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) {
      for (i++; i < bytes.length && bytes[i] !== QUOTE; i++) if (bytes[i] === BACKSLASH) i++;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth++;
      if (depth > deepest) deepest = depth;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth--;
    } else if (byte === COLON) {
      keys++;
    }
  }
  return { depth: deepest, keys };
}

/**
 * Parses bytes to a JSON value, or throws a PlumblineError with status 400. If a name is repeated, its last
 * value counts.
 */
export function parseJsonBody(
  bytes: Uint8Array,
  { keysMax }: Pick<BodyLimits, 'keysMax'> = SINGLE_BODY,
): unknown {
  if (!isUtf8(bytes)) {
    throw new PlumblineError('malformed_json', 'The body is not UTF-8 text. Send JSON encoded as UTF-8.');
  }
  const { depth, keys } = measureJson(bytes);
  if (depth > MAX_DEPTH) {
    throw new PlumblineError(
      'json_too_deep',
      `The body is nested ${depth} levels deep; at most ${MAX_DEPTH} are accepted.`,
    );
  }
  if (keys > keysMax) {
    throw new PlumblineError(
      'json_too_many_keys',
      `The body has ${keys} object members; at most ${keysMax} are accepted.`,
    );
  }
  return parseText(new TextDecoder().decode(bytes));
}

/** Text that may name a prototype, directly or by escapes. Only such a body is walked. */
const SUSPECT = /__proto__|constructor|\\u/;

/**
 * Throws if a member names a prototype. For 390,000 members, this loop blocks the event loop for 0.1 s; a
 * JSON.parse reviver would for 0.43 s.
 */
function rejectPrototypes(parsed: unknown): void {
  const waiting = [parsed];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    const name = prototypeNamedBy(value);
    if (name !== null) {
      throw new PlumblineError(
        'malformed_json',
        `The body has a member named "${name}", which is not accepted.`,
      );
    }
    for (const member of Object.values(value)) {
      if (typeof member === 'object' && member !== null) waiting.push(member);
    }
  }
}

function prototypeNamedBy(value: object): string | null {
  if (Object.hasOwn(value, '__proto__')) return '__proto__';
  const named: unknown = Object.hasOwn(value, 'constructor') ? value.constructor : null;
  return typeof named === 'object' && named !== null && 'prototype' in named ? 'constructor' : null;
}

function parseText(text: string): unknown {
  if (text.trim() === '') {
    throw new PlumblineError('malformed_json', 'The body is empty. Send a JSON object.');
  }
  try {
    const parsed: unknown = JSON.parse(text);
    if (SUSPECT.test(text)) rejectPrototypes(parsed);
    return parsed;
  } catch (cause) {
    if (cause instanceof PlumblineError) throw cause;
    const reason = cause instanceof Error ? cause.message : 'it cannot be parsed';
    throw new PlumblineError('malformed_json', `The body is not JSON: ${reason.slice(0, 200)}.`, { cause });
  }
}
