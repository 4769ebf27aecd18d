import type { Clock } from '../clock.ts';
import { PlumblineError } from '../errors.ts';
import { findAccount, DEFAULT_ACCOUNT_ID } from '../store/accounts.ts';
import { insertApiKey, listApiKeys, revokeApiKey, findApiKey, type ApiKeyRecord } from '../store/api-keys.ts';
import type { Store } from '../store/store.ts';
import { createApiKey, type KeyEnvironment, type RandomBytes } from './api-key.ts';

/** What a key may open: everything, a family, or one operation. */
export const SCOPES = [
  '*',
  'avm:*',
  'avm:property',
  'avm:rental',
  'avm:multifamily',
  'comprehensive',
  'places:*',
  'places:census',
  'places:crime',
  'places:fire',
  'places:flood',
  'valuations:read',
  'coverage:read',
] as const;
export type Scope = (typeof SCOPES)[number];

export interface KeyDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
}

export interface KeyOptions {
  readonly name: string;
  readonly environment?: KeyEnvironment;
  readonly scopes?: readonly string[];
  readonly expiresAt?: Date | null;
  readonly accountId?: string;
}

/** A key as its owner may see it again: all but the secret and its digest. */
export type KeySummary = Omit<ApiKeyRecord, 'secretSha256'>;

const NAME_LENGTH_MAX = 100;

/** Makes a key and stores its digest. `text` is the secret: show it once, it cannot be read again. */
export async function createKey(deps: KeyDeps, options: KeyOptions): Promise<KeySummary & { text: string }> {
  const now = deps.clock().getTime();
  const accountId = options.accountId ?? DEFAULT_ACCOUNT_ID;
  await refuseWrongOptions(deps, options, accountId, now);
  const key = createApiKey(deps.randomBytes, options.environment ?? 'live');
  const record: ApiKeyRecord = {
    keyId: key.keyId,
    accountId,
    name: options.name,
    environment: key.environment,
    scopes: options.scopes ?? ['*'],
    secretSha256: key.sha256,
    lastCharacters: key.last4,
    createdAt: now,
    expiresAt: options.expiresAt?.getTime() ?? null,
    lastUsedAt: null,
    revokedAt: null,
  };
  await insertApiKey(deps.store, record);
  return { ...summaryOf(record), text: key.text };
}

/** Every key of an account, oldest first. */
export async function listKeys(
  deps: { store: Store },
  accountId = DEFAULT_ACCOUNT_ID,
): Promise<KeySummary[]> {
  return (await listApiKeys(deps.store, accountId)).map(summaryOf);
}

/** Ends a key for good: within 10 s wherever it was just used (src/accounts/authenticate.ts), at once elsewhere. */
export async function revokeKey(
  deps: { store: Store; clock: Clock },
  keyId: string,
  accountId = DEFAULT_ACCOUNT_ID,
): Promise<void> {
  const key = await findApiKey(deps.store, keyId);
  if (!key || key.accountId !== accountId) {
    throw new PlumblineError(
      'not_found',
      `There is no key "${keyId}". "plumbline keys list" shows them all.`,
    );
  }
  const isRevokedNow = await revokeApiKey(deps.store, keyId, deps.clock().getTime());
  if (!isRevokedNow) throw new PlumblineError('conflict', `Key "${keyId}" was revoked before.`);
}

async function refuseWrongOptions(
  deps: KeyDeps,
  options: KeyOptions,
  accountId: string,
  now: number,
): Promise<void> {
  if (options.name.trim() === '' || options.name.length > NAME_LENGTH_MAX) {
    throw new PlumblineError('usage', `A key needs a name of 1 to ${NAME_LENGTH_MAX} characters.`);
  }
  const unknown = options.scopes?.find((scope) => !SCOPES.some((known) => known === scope));
  if (unknown !== undefined || options.scopes?.length === 0) {
    throw new PlumblineError(
      'usage',
      `There is no scope "${unknown ?? ''}"; scopes are ${SCOPES.join(', ')}.`,
    );
  }
  const expiresAt = options.expiresAt?.getTime();
  if (expiresAt !== undefined && !(expiresAt > now)) {
    throw new PlumblineError('usage', 'The expiry of a key must be in the future.');
  }
  if (!(await findAccount(deps.store, accountId))) {
    throw new PlumblineError('usage', `There is no account "${accountId}".`);
  }
}

function summaryOf({ secretSha256: _digest, ...summary }: ApiKeyRecord): KeySummary {
  return summary;
}
