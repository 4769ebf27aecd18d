import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RandomBytes } from './api-key.ts';
import type { Config } from '../config.ts';
import type { JsonValue } from '../domain/json.ts';
import { isFailure, PlumblineError, systemCodeOf } from '../errors.ts';
import { jsonText, parseJsonText } from '../store/json-text.ts';

const BOX_KEY_BYTES = 32;
const CIPHER = 'aes-256-gcm';
/** NIST SP 800-38D: 96 bits, random for each encryption. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** The version of the format, so that it can change later. */
const FORMAT = 'v1.';

/**
 * Encrypts secrets for the database. `place` names the account and the number of the secret: text that
 * was encrypted for one place cannot be decrypted for another.
 */
export interface SecretBox {
  readonly seal: (secret: Uint8Array, place: string) => string;
  /** Throws `unavailable` if the text was encrypted with another key or for another place, or was changed. */
  readonly open: (sealed: string, place: string) => Uint8Array;
}

export function createSecretBox(key: Uint8Array, randomBytes: RandomBytes): SecretBox {
  return {
    seal(secret, place) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(place));
      const hidden = Buffer.concat([cipher.update(secret), cipher.final()]);
      return FORMAT + Buffer.concat([nonce, cipher.getAuthTag(), hidden]).toString('base64');
    },
    open(sealed, place) {
      const bytes = Buffer.from(sealed.startsWith(FORMAT) ? sealed.slice(FORMAT.length) : '', 'base64');
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
          'A stored secret cannot be read: it was stored under another key. Restore the previous WEBHOOK_KEY (or the ' +
            'file webhook-key in the data folder). Without it, issue new webhook secrets with "plumbline webhooks ' +
            'rotate --now", and reset second factors with "plumbline users reset-second-factor".',
          { cause },
        );
      }
    },
  };
}

/** Seals what a browser keeps between two steps of a sign-in, so that it needs no table. */
export function sealJson(box: SecretBox, value: JsonValue, place: string): string {
  return box.seal(Buffer.from(jsonText(value)), place);
}

/** What `sealJson` sealed for this place; null for anything else. */
export function openJson(box: SecretBox, sealed: string, place: string): unknown {
  try {
    return parseJsonText(Buffer.from(box.open(sealed, place)).toString());
  } catch (error) {
    if (isFailure(error, 'unavailable')) return null;
    throw error;
  }
}

const KEY_FILE = 'webhook-key';

/**
 * The key that encrypts webhook secrets and second factors: WEBHOOK_KEY, otherwise the key in a file in the data folder, which
 * the first start creates, readable by its owner only. Several machines need the setting, because each would
 * create its own file.
 */
export function readBoxKey(config: KeyConfig, randomBytes: RandomBytes): Uint8Array {
  const { dataDir } = config;
  return findBoxKey(config) ?? parseKeyFile(boxKeyPath(dataDir), makeKeyFile(dataDir, randomBytes));
}

type KeyConfig = Pick<Config, 'webhookKey' | 'dataDir'>;

/** The same key; null if there is none yet. */
export function findBoxKey({ webhookKey, dataDir }: KeyConfig): Uint8Array | null {
  if (webhookKey !== null) return Buffer.from(webhookKey, 'base64');
  const path = boxKeyPath(dataDir);
  const text = readKeyFile(path);
  return text === null ? null : parseKeyFile(path, text);
}

/** The file of the key, unless WEBHOOK_KEY is set. */
export function boxKeyPath(dataDir: string): string {
  return join(dataDir, KEY_FILE);
}

/** Identifies a key, and reveals nothing about it: it is the beginning of the SHA-256 of 32 random bytes. */
export function fingerprintOfKey(key: Uint8Array): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 16);
}

function parseKeyFile(path: string, text: string): Uint8Array {
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length === BOX_KEY_BYTES) return key;
  throw new PlumblineError(
    'usage',
    `${path} does not contain a key (${BOX_KEY_BYTES} bytes in base64). Restore the file from a backup. If there is ` +
      'none, delete the file and issue new webhook secrets with "plumbline webhooks rotate --now".',
  );
}

function readKeyFile(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return null;
    throw unusable(path, error);
  }
}

/**
 * Written completely under another name, then linked: if processes start together, one creates the key and
 * all read it.
 */
function makeKeyFile(dataDir: string, randomBytes: RandomBytes): string {
  const path = boxKeyPath(dataDir);
  const draft = `${path}.${Buffer.from(randomBytes(8)).toString('hex')}`;
  try {
    mkdirSync(dataDir, { recursive: true });
    const text = `${Buffer.from(randomBytes(BOX_KEY_BYTES)).toString('base64')}\n`;
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true });
    chmodSync(draft, 0o600);
    linkSync(draft, path);
  } catch (error) {
    if (systemCodeOf(error) !== 'EEXIST') throw unusable(path, error);
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(path, 'utf8');
}

function unusable(path: string, cause: unknown): PlumblineError {
  return new PlumblineError(
    'usage',
    `The key file ${path} can be neither read nor created. Give this user read and write access, or set WEBHOOK_KEY.`,
    { cause },
  );
}
