import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * An API key is `plb_live_k3J9xQ2a_<32 characters><6 characters>`: environment, public id, 190 random bits,
 * checksum. The checksum detects a mistyped or invented key without a database read, and lets secret scanners
 * recognize one (GitHub's token format).
 */
export type KeyEnvironment = 'live' | 'test';

interface ParsedApiKey {
  readonly environment: KeyEnvironment;
  /** The public part: it names the key in lists and logs, and reveals nothing. */
  readonly keyId: string;
}

interface NewApiKey extends ParsedApiKey {
  /** The whole secret: shown once, stored nowhere. */
  readonly text: string;
  readonly sha256: string;
  /** The last characters, so that the owner can recognize the key. */
  readonly last4: string;
}

export type RandomBytes = (length: number) => Uint8Array;

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 8;
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const KEY = /^plb_(live|test)_([0-9A-Za-z]{8})_[0-9A-Za-z]{38}$/;
/** 4 · 62: larger bytes are discarded, so that each character is equally likely. */
const UNBIASED_BYTES = 248;

/** A new key from `randomBytes`. */
export function createApiKey(randomBytes: RandomBytes, environment: KeyEnvironment): NewApiKey {
  const keyId = randomBase62(randomBytes, ID_LENGTH);
  const body = `plb_${environment}_${keyId}_${randomBase62(randomBytes, SECRET_LENGTH)}`;
  const text = body + checksum(body);
  return { environment, keyId, text, sha256: hashApiKey(text), last4: text.slice(-4) };
}

/** The parts of a well-formed key; null for anything else. */
export function parseApiKey(text: string): ParsedApiKey | null {
  const match = KEY.exec(text);
  const keyId = match?.[2];
  if (!keyId) return null;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  if (checksum(body) !== text.slice(-CHECKSUM_LENGTH)) return null;
  return { environment: match[1] === 'live' ? 'live' : 'test', keyId };
}

/**
 * The stored digest of a key, as hex. A fast hash is sufficient, because 190 random bits cannot be guessed.
 */
export function hashApiKey(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Whether a text looks like an API key, valid or not: used to keep keys out of URLs and logs. */
export function resemblesApiKey(text: string): boolean {
  return /plb_(live|test)_/i.test(text);
}

function checksum(body: string): string {
  let rest = crc32(body);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

function randomBase62(randomBytes: RandomBytes, length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < UNBIASED_BYTES && text.length < length) text += BASE62.charAt(byte % 62);
    }
  }
  return text;
}
