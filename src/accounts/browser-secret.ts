import { createHash } from 'node:crypto';
import type { RandomBytes } from './api-key.ts';

/** The content of a cookie: 32 random bytes, as text. */
const SECRET_BYTES = 32;
const SECRET = /^[A-Za-z0-9_-]{43}$/;

export function newSecret(randomBytes: RandomBytes): string {
  return Buffer.from(randomBytes(SECRET_BYTES)).toString('base64url');
}

/** Malformed secrets never reach the database. */
export function isSecret(text: string): boolean {
  return SECRET.test(text);
}

/** The stored digest. A fast hash is sufficient, because 256 random bits cannot be guessed. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
