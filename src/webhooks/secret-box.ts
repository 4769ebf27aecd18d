import { createCipheriv, createDecipheriv } from 'node:crypto';
import { PlumblineError } from '../errors.ts';

export const BOX_KEY_BYTES = 32;
const CIPHER = 'aes-256-gcm';
/** NIST SP 800-38D: 96 bits, random for each encryption. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Names the format, so that another can follow. */
const FORM = 'v1.';

export type RandomBytes = (count: number) => Uint8Array;

/**
 * Encrypts secrets for the database. `place` identifies the owner and number: a secret encrypted for one
 * place cannot be decrypted for another.
 */
export interface SecretBox {
  readonly seal: (secret: Uint8Array, place: string) => string;
  /**
   * Throws `unavailable` if the text was encrypted with another key or for another place, or was changed.
   */
  readonly open: (sealed: string, place: string) => Uint8Array;
}

export function createSecretBox(key: Uint8Array, randomBytes: RandomBytes): SecretBox {
  return {
    seal(secret, place) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(place));
      const hidden = Buffer.concat([cipher.update(secret), cipher.final()]);
      return FORM + Buffer.concat([nonce, cipher.getAuthTag(), hidden]).toString('base64');
    },
    open(sealed, place) {
      const bytes = Buffer.from(sealed.startsWith(FORM) ? sealed.slice(FORM.length) : '', 'base64');
      try {
        const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), {
          authTagLength: TAG_BYTES,
        });
        decipher.setAAD(Buffer.from(place));
        decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
      } catch (cause) {
        throw new PlumblineError(
          'unavailable',
          'A webhook secret cannot be read: it was stored under another key. Set WEBHOOK_KEY (or bring back the file ' +
            'webhook-key of the data folder) as it was, or issue a new secret with "plumbline webhooks rotate --now".',
          { cause },
        );
      }
    },
  };
}
