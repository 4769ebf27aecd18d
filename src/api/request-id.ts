import type { RandomBytes } from '../accounts/api-key.ts';

const PRINTABLE = /^[\x21-\x7e]{1,128}$/;

/** The caller's X-Request-Id where it is usable (printable ASCII, at most 128 characters), else a new one. */
export function requestIdOf(given: string | string[] | undefined, randomBytes: RandomBytes): string {
  if (typeof given === 'string' && PRINTABLE.test(given)) return given;
  return `req_${Buffer.from(randomBytes(12)).toString('hex')}`;
}
