import type { Clock } from '../clock.ts';
import { PlumblineError } from '../errors.ts';
import { findAccount, DEFAULT_ACCOUNT_ID } from '../store/accounts.ts';
import { appendAudit, type Actor, type AuditNote } from '../store/audit-log.ts';
import {
  endApiKey,
  findApiKey,
  insertApiKey,
  listApiKeys,
  revokeApiKey,
  type ApiKeyRecord,
} from '../store/api-keys.ts';
import type { Store } from '../store/store.ts';
import { inTransaction } from '../store/transaction.ts';
import { rejectTooManyKeys } from './account-limits.ts';
import { createApiKey, type KeyEnvironment, type RandomBytes } from './api-key.ts';
import { holdActing } from './hold-acting.ts';
import { isScope, SCOPES } from './scopes.ts';

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

/** A key as its owner may see it later: everything except the secret and its digest. */
export type KeySummary = Omit<ApiKeyRecord, 'secretSha256'>;

export const KEY_NAME_LENGTH_MAX = 100;

/** Creates a key and stores its digest. `text` is the secret: show it once, it cannot be read again. */
export async function createKey(
  deps: KeyDeps,
  actor: Actor,
  options: KeyOptions,
): Promise<KeySummary & { text: string }> {
  const now = deps.clock().getTime();
  const accountId = options.accountId ?? DEFAULT_ACCOUNT_ID;
  await refuseWrongOptions(deps, options, accountId, now);
  const { record, text } = makeKey(deps, now, {
    accountId,
    name: options.name,
    environment: options.environment ?? 'live',
    scopes: options.scopes ?? ['*'],
    expiresAt: options.expiresAt?.getTime() ?? null,
  });
  await inTransaction(deps.store, async (transaction) => {
    await holdActing(transaction, actor);
    await rejectTooManyKeys(transaction, accountId, now);
    await insertApiKey({ db: transaction }, record);
    await appendAudit(transaction, { ...noteOf(record, actor, now), action: 'key.created' });
  });
  return { ...summaryOf(record), text };
}

/** The key's entry in the audit log: its scopes, without the secret. */
function noteOf(
  { accountId, keyId, name, environment, scopes, expiresAt }: ApiKeyRecord,
  actor: Actor,
  at: number,
): Omit<AuditNote, 'action'> {
  const ends = expiresAt === null ? null : new Date(expiresAt).toISOString();
  const detail = { name, environment, scopes, expires_at: ends };
  return { accountId, at, actor, subject: keyId, detail };
}

type KeyTerms = Pick<ApiKeyRecord, 'accountId' | 'name' | 'environment' | 'scopes' | 'expiresAt'>;

function makeKey(
  { randomBytes }: Pick<KeyDeps, 'randomBytes'>,
  now: number,
  terms: KeyTerms,
): { readonly record: ApiKeyRecord; readonly text: string } {
  const key = createApiKey(randomBytes, terms.environment);
  const record: ApiKeyRecord = {
    ...terms,
    keyId: key.keyId,
    secretSha256: key.sha256,
    lastCharacters: key.last4,
    createdAt: now,
    lastUsedAt: null,
    revokedAt: null,
  };
  return { record, text: key.text };
}

const MS_PER_DAY = 86_400_000;
export const OVERLAP_DAYS_MAX = 7;

/**
 * Replaces a key. The old one keeps working for `overlapDays` (0 ends it like `revokeKey`). The new key has
 * the same scopes and lifetime.
 */
export async function rotateKey(
  deps: KeyDeps,
  actor: Actor,
  keyId: string,
  overlapDays: number,
  accountId = DEFAULT_ACCOUNT_ID,
): Promise<KeySummary & { text: string }> {
  if (!(overlapDays >= 0 && overlapDays <= OVERLAP_DAYS_MAX)) {
    throw new PlumblineError(
      'bad_request',
      `The overlap is 0 to ${OVERLAP_DAYS_MAX} days, not ${overlapDays}.`,
    );
  }
  const now = deps.clock().getTime();
  const old = await keyOf(deps.store, keyId, accountId);
  const { name, environment, scopes, createdAt, expiresAt } = old;
  if (expiresAt !== null && expiresAt <= now) throw notInForce(keyId, 'expired');
  const { record, text } = makeKey(deps, now, {
    accountId,
    name,
    environment,
    scopes,
    expiresAt: expiresAt === null ? null : now + (expiresAt - createdAt),
  });
  const oldEnds =
    overlapDays === 0
      ? { expiresAt, revokedAt: now }
      : { expiresAt: Math.min(expiresAt ?? Infinity, now + overlapDays * MS_PER_DAY), revokedAt: null };
  await inTransaction(deps.store, async (transaction) => {
    await holdActing(transaction, actor);
    if (!(await endApiKey({ db: transaction }, keyId, oldEnds))) throw notInForce(keyId, 'revoked');
    await rejectTooManyKeys(transaction, accountId, now);
    await insertApiKey({ db: transaction }, record);
    const note = noteOf(record, actor, now);
    const detail = { ...note.detail, replaces: keyId, overlap_days: overlapDays };
    await appendAudit(transaction, { ...note, detail, action: 'key.rotated' });
  });
  return { ...summaryOf(record), text };
}

function notInForce(keyId: string, why: 'expired' | 'revoked'): PlumblineError {
  return new PlumblineError('conflict', `Key "${keyId}" was ${why} before. Make a new one instead.`);
}

/** Another account's key is reported as not found. */
async function keyOf(store: Store, keyId: string, accountId: string): Promise<ApiKeyRecord> {
  const key = await findApiKey(store, keyId);
  if (key && key.accountId === accountId) return key;
  throw new PlumblineError(
    'not_found',
    `Account "${accountId}" has no key "${keyId}". "plumbline keys list" shows them all.`,
  );
}

/** Every key of an account, oldest first. */
export async function listKeys(
  deps: { store: Store },
  accountId = DEFAULT_ACCOUNT_ID,
): Promise<KeySummary[]> {
  return (await listApiKeys(deps.store, accountId)).map(summaryOf);
}

/**
 * Ends a key permanently: within 10 s where it was just used (src/accounts/authenticate.ts), at once
 * elsewhere.
 */
export async function revokeKey(
  deps: { store: Store; clock: Clock },
  actor: Actor,
  keyId: string,
  accountId = DEFAULT_ACCOUNT_ID,
): Promise<KeySummary> {
  const key = await keyOf(deps.store, keyId, accountId);
  const now = deps.clock().getTime();
  await inTransaction(deps.store, async (transaction) => {
    await holdActing(transaction, actor);
    if (!(await revokeApiKey({ db: transaction }, keyId, now))) {
      throw new PlumblineError('conflict', `Key "${keyId}" was revoked before.`);
    }
    await appendAudit(transaction, { ...noteOf(key, actor, now), action: 'key.revoked' });
  });
  return { ...summaryOf(key), revokedAt: now };
}

async function refuseWrongOptions(
  deps: KeyDeps,
  options: KeyOptions,
  accountId: string,
  now: number,
): Promise<void> {
  if (options.name.trim() === '' || options.name.length > KEY_NAME_LENGTH_MAX) {
    throw new PlumblineError('bad_request', `A key needs a name of 1 to ${KEY_NAME_LENGTH_MAX} characters.`);
  }
  const unknown = options.scopes?.find((scope) => !isScope(scope));
  if (unknown !== undefined || options.scopes?.length === 0) {
    throw new PlumblineError(
      'bad_request',
      `There is no scope "${unknown ?? ''}"; scopes are ${SCOPES.join(', ')}.`,
    );
  }
  const expiresAt = options.expiresAt?.getTime();
  if (expiresAt !== undefined && !(expiresAt > now)) {
    throw new PlumblineError('bad_request', 'The expiry of a key must be in the future.');
  }
  if (!(await findAccount(deps.store, accountId))) {
    throw new PlumblineError('bad_request', `There is no account "${accountId}".`);
  }
}

function summaryOf({ secretSha256: _digest, ...summary }: ApiKeyRecord): KeySummary {
  return summary;
}
