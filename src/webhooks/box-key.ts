import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { PlumblineError } from '../errors.ts';
import { BOX_KEY_BYTES, type RandomBytes } from './secret-box.ts';

const FILE_NAME = 'webhook-key';

/**
 * The key that encrypts webhook secrets: WEBHOOK_KEY, otherwise the key in a file in the data folder, which
 * the first start creates, readable by its owner only. Several machines need the setting, because each would
 * create its own file.
 */
export function readBoxKey(
  { webhookKey, dataDir }: Pick<Config, 'webhookKey' | 'dataDir'>,
  randomBytes: RandomBytes,
): Uint8Array {
  if (webhookKey !== null) return Buffer.from(webhookKey, 'base64');
  const path = join(dataDir, FILE_NAME);
  const text = readKeyFile(path) ?? makeKeyFile(dataDir, path, randomBytes);
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length === BOX_KEY_BYTES) return key;
  throw new PlumblineError(
    'usage',
    `${path} does not hold a key (${BOX_KEY_BYTES} bytes in base64). Bring it back from a backup; without it, delete it and ` +
      'issue new webhook secrets with "plumbline webhooks rotate --now".',
  );
}

function readKeyFile(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    throw unusable(path, error);
  }
}

/**
 * Written completely under another name, then linked: if processes start together, one creates the key and
 * all read it.
 */
function makeKeyFile(dataDir: string, path: string, randomBytes: RandomBytes): string {
  const draft = `${path}.${Buffer.from(randomBytes(8)).toString('hex')}`;
  try {
    mkdirSync(dataDir, { recursive: true });
    const text = `${Buffer.from(randomBytes(BOX_KEY_BYTES)).toString('base64')}\n`;
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true });
    chmodSync(draft, 0o600);
    linkSync(draft, path);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw unusable(path, error);
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(path, 'utf8');
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function unusable(path: string, cause: unknown): PlumblineError {
  return new PlumblineError(
    'usage',
    `The key file ${path} can be neither read nor made. Let this user read and write it, or set WEBHOOK_KEY.`,
    { cause },
  );
}
