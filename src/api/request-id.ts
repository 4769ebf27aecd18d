import { resemblesApiKey, type RandomBytes } from '../accounts/api-key.ts';

const PRINTABLE = /^[\x21-\x7e]{1,128}$/;

/**
 * The caller's X-Request-Id if it is usable (printable ASCII, at most 128 characters), otherwise a new one.
 * An API key sent in this header by mistake is never used, because request ids are logged and stored.
 */
export function requestIdOf(given: string | string[] | undefined, randomBytes: RandomBytes): string {
  if (typeof given === 'string' && PRINTABLE.test(given) && !resemblesApiKey(given)) return given;
  return `req_${Buffer.from(randomBytes(12)).toString('hex')}`;
}
