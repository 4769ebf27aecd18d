import type { Clock } from '../clock.ts';
import { MS_PER_DAY, parseDay } from '../domain/day.ts';
import { PlumblineError } from '../errors.ts';
import {
  countApiKeys,
  DEFAULT_ACCOUNT_ID,
  endApiKey,
  findApiKey,
  insertApiKey,
  listApiKeys,
  lockAccount,
} from '../store/accounts.ts';
import { appendAudit, type Actor, type AuditAction } from '../store/audit-log.ts';
import type { Store, StoreTransaction } from '../store/store.ts';
import type { ApiKeyRecord } from '../store/tables/accounts.ts';
import { inTransaction } from '../store/transaction.ts';
import { accountOf } from './account-of.ts';
import { createApiKey, type RandomBytes } from './api-key.ts';
import { recheckActingUser } from './recheck-acting-user.ts';
import { isScope, SCOPES } from './scopes.ts';

interface KeyDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
}

type KeyTerms = Pick<ApiKeyRecord, 'accountId' | 'name' | 'environment' | 'scopes'>;

interface KeyOptions extends Pick<KeyTerms, 'name'>, Partial<Omit<KeyTerms, 'name'>> {
  readonly expiresAt?: Date | null;
}

/** A key as its owner may see it later: everything except the secret and its digest. */
export type KeySummary = Omit<ApiKeyRecord, 'secretSha256'>;

export const MAX_KEY_NAME_LENGTH = 100;

/**
 * Administrators of a tenant create keys without the operator, so the number of rows must be bounded. Ended keys are never
 * deleted, which is why the keys created in a day are limited as well.
 */
export const KEY_LIMITS = { active: 200, createdPerDay: 1000 } as const;

/** Creates a key and stores its digest. `text` is the secret: show it once, it cannot be read again. */
export async function createKey(
  deps: KeyDeps,
  actor: Actor,
  options: KeyOptions,
): Promise<KeySummary & { text: string }> {
  const now = deps.clock().getTime();
  const { name, accountId = DEFAULT_ACCOUNT_ID, environment = 'live', scopes = ['*'] } = options;
  const expiresAt = options.expiresAt?.getTime() ?? null;
  rejectWrongOptions(name, scopes, expiresAt, now);
  await accountOf(deps.store, accountId);
  const { record, text } = buildKey(deps, now, { accountId, name, environment, scopes, expiresAt });
  await inTransaction(deps.store, async (transaction) => {
    await recheckActingUser(transaction, actor);
    await rejectTooManyKeys(transaction, accountId, now);
    await insertApiKey({ db: transaction }, record);
    await recordInAuditLog(transaction, actor, now, 'key.created', record);
  });
  return { ...summaryOf(record), text };
}

/** Appends the key's entry to the audit log: its terms, without the secret. */
function recordInAuditLog(
  transaction: StoreTransaction,
  actor: Actor,
  at: number,
  action: AuditAction,
  { accountId, keyId, name, environment, scopes, expiresAt }: ApiKeyRecord,
  more: Readonly<Record<string, string | number>> = {},
): Promise<void> {
  const ends = expiresAt === null ? null : new Date(expiresAt).toISOString();
  const detail = { name, environment, scopes, expires_at: ends, ...more };
  return appendAudit(transaction, { accountId, at, actor }, action, keyId, detail);
}

function buildKey(
  { randomBytes }: Pick<KeyDeps, 'randomBytes'>,
  now: number,
  terms: KeyTerms & Pick<ApiKeyRecord, 'expiresAt'>,
): { readonly record: ApiKeyRecord; readonly text: string } {
  const { keyId, sha256, last4, text } = createApiKey(randomBytes, terms.environment);
  const secret = { keyId, secretSha256: sha256, lastCharacters: last4 };
  return { record: { ...terms, ...secret, createdAt: now, lastUsedAt: null, revokedAt: null }, text };
}

/** Locks the account, so that two concurrent requests cannot both take the last place. Throws `conflict`. */
async function rejectTooManyKeys(
  transaction: StoreTransaction,
  accountId: string,
  now: number,
): Promise<void> {
  await lockAccount(transaction, accountId);
  const { active, createdSince } = await countApiKeys(transaction, accountId, {
    now,
    since: now - MS_PER_DAY,
  });
  if (active >= KEY_LIMITS.active) {
    throw new PlumblineError(
      'conflict',
      `This account has ${active} active API keys, the maximum. Revoke one that is no longer used.`,
    );
  }
  if (createdSince >= KEY_LIMITS.createdPerDay) {
    throw new PlumblineError(
      'conflict',
      `This account created ${createdSince} API keys within 24 hours, the maximum. Try again later.`,
    );
  }
}

export const MAX_OVERLAP_DAYS = 7;

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
  if (!(overlapDays >= 0 && overlapDays <= MAX_OVERLAP_DAYS)) {
    throw new PlumblineError(
      'bad_request',
      `The overlap is 0 to ${MAX_OVERLAP_DAYS} days, not ${overlapDays}.`,
    );
  }
  const now = deps.clock().getTime();
  const { name, environment, scopes, createdAt, expiresAt } = await keyOf(deps.store, keyId, accountId);
  if (expiresAt !== null && expiresAt <= now) throw endedBefore(keyId, 'expired');
  const newExpiresAt = expiresAt === null ? null : now + (expiresAt - createdAt);
  const terms = { accountId, name, environment, scopes, expiresAt: newExpiresAt };
  const { record, text } = buildKey(deps, now, terms);
  const oldEnds =
    overlapDays === 0
      ? { revokedAt: now }
      : { expiresAt: Math.min(expiresAt ?? Infinity, now + overlapDays * MS_PER_DAY) };
  await inTransaction(deps.store, async (transaction) => {
    await recheckActingUser(transaction, actor);
    if (!(await endApiKey({ db: transaction }, keyId, oldEnds))) throw endedBefore(keyId, 'revoked');
    await rejectTooManyKeys(transaction, accountId, now);
    await insertApiKey({ db: transaction }, record);
    const replaced = { replaces: keyId, overlap_days: overlapDays };
    await recordInAuditLog(transaction, actor, now, 'key.rotated', record, replaced);
  });
  return { ...summaryOf(record), text };
}

function endedBefore(keyId: string, why: 'expired' | 'revoked'): PlumblineError {
  return new PlumblineError('conflict', `Key "${keyId}" is already ${why}. Create a new key instead.`);
}

/** Another account's key is reported as not found. */
async function keyOf(store: Store, keyId: string, accountId: string): Promise<ApiKeyRecord> {
  const found = await findApiKey(store, keyId);
  if (found?.accountId === accountId) {
    const { plan: _plan, ...key } = found;
    return key;
  }
  throw new PlumblineError(
    'not_found',
    `Account "${accountId}" has no key "${keyId}". "plumbline keys list" shows them all.`,
  );
}

/** Every key of an account, oldest first. */
export async function listKeys(
  { store }: Pick<KeyDeps, 'store'>,
  accountId = DEFAULT_ACCOUNT_ID,
): Promise<KeySummary[]> {
  return (await listApiKeys(store, accountId)).map(summaryOf);
}

/**
 * Ends a key permanently: within 10 s where it was just used (src/accounts/authenticate.ts), at once
 * elsewhere.
 */
export async function revokeKey(
  { store, clock }: Pick<KeyDeps, 'store' | 'clock'>,
  actor: Actor,
  keyId: string,
  accountId = DEFAULT_ACCOUNT_ID,
): Promise<KeySummary> {
  const key = await keyOf(store, keyId, accountId);
  const now = clock().getTime();
  await inTransaction(store, async (transaction) => {
    await recheckActingUser(transaction, actor);
    if (!(await endApiKey({ db: transaction }, keyId, { revokedAt: now }))) {
      throw new PlumblineError('conflict', `Key "${keyId}" is already revoked.`);
    }
    await recordInAuditLog(transaction, actor, now, 'key.revoked', key);
  });
  return { ...summaryOf(key), revokedAt: now };
}

function rejectWrongOptions(
  name: string,
  scopes: readonly string[],
  expiresAt: number | null,
  now: number,
): void {
  if (name.trim() === '' || name.length > MAX_KEY_NAME_LENGTH) {
    throw new PlumblineError('bad_request', `A key needs a name of 1 to ${MAX_KEY_NAME_LENGTH} characters.`);
  }
  const unknown = scopes.find((scope) => !isScope(scope));
  if (unknown !== undefined || scopes.length === 0) {
    throw new PlumblineError(
      'bad_request',
      `There is no scope "${unknown ?? ''}"; scopes are ${SCOPES.join(', ')}.`,
    );
  }
  if (expiresAt !== null && !(expiresAt > now)) {
    throw new PlumblineError('bad_request', 'The expiry of a key must be in the future.');
  }
}

function summaryOf({ secretSha256: _digest, ...summary }: ApiKeyRecord): KeySummary {
  return summary;
}

const INSTANT = /^(\d{4}-\d{2}-\d{2})T[\d:.]+(Z|[+-]\d{2}:\d{2})$/;

/**
 * Parses the expiry of a key: `YYYY-MM-DD` (the key works until the end of that UTC day) or an instant.
 * Returns null if the text is neither, or names a date that does not exist: `new Date` alone turns 2027-02-30
 * into March 2.
 */
export function parseKeyExpiry(text: string): Date | null {
  if (parseDay(text) !== null) return new Date(`${text}T23:59:59.999Z`);
  const [, day] = INSTANT.exec(text) ?? [];
  if (day === undefined || parseDay(day) === null) return null;
  const instant = new Date(text);
  return Number.isNaN(instant.getTime()) ? null : instant;
}
