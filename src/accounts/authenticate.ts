import { timingSafeEqual } from 'node:crypto';
import type { Clock, MonotonicClock } from '../clock.ts';
import { PlumblineError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Actor } from '../store/audit-log.ts';
import { findApiKey, type PlannedApiKey, recordApiKeyUse } from '../store/accounts.ts';
import type { Store } from '../store/store.ts';
import { hashApiKey, parseApiKey, type KeyEnvironment } from './api-key.ts';
import { withLimits, type Plan, type Plans } from './plans.ts';
import type { ApiKeyRecord } from '../store/tables/accounts.ts';

/** The database queries that authentication needs. */
export interface KeyStore {
  readonly find: (keyId: string) => Promise<PlannedApiKey | null>;
  readonly recordUse: (keyId: string, usedAtMs: number) => Promise<void>;
}

/** API keys in a database. */
export function keyStoreOf(store: Store): KeyStore {
  return {
    find: (keyId) => findApiKey(store, keyId),
    recordUse: (keyId, usedAtMs) => recordApiKeyUse(store, keyId, usedAtMs),
  };
}

/** The authenticated caller. */
export interface AuthenticatedCaller {
  /** Id of the key; `user:…` for a person in the console, so that usage can be separated. */
  readonly keyId: string;
  readonly accountId: string;
  readonly environment: KeyEnvironment;
  readonly scopes: readonly string[];
  readonly plan: Plan;
  /** The caller's name in the audit log. */
  readonly actor: Actor;
}

export type Authenticate = (keyText: string | undefined) => Promise<AuthenticatedCaller>;

/** How long a key is cached. With a database read, a revoked key or former plan stays in effect for at most 10 s. */
const CACHE_MS = 9000;
const CACHE_ENTRIES = 10_000;
const RECORD_USE_EVERY_MS = 60_000;
/** Compared with the given key if its id is unknown, so that the response takes as long as for a wrong key. */
const NO_DIGEST = Buffer.alloc(32);

interface CacheEntry {
  readonly caller: AuthenticatedCaller;
  /** Monotonic time, because a wall clock that steps back must not keep a revoked key working. */
  readonly cachedUntilMs: number;
  /** Wall-clock time; null for a key without an expiry. */
  readonly expiresAt: number | null;
}

/**
 * Creates the check of an X-API-Key value. It throws 401 `missing_api_key`, `malformed_api_key` (detected
 * without a database read) or `invalid_api_key`, which is the same for unknown, revoked and expired keys. Valid
 * keys are cached for 9 s. Throws 403 `plan_forbidden` if this service does not know the account's plan.
 */
export function createAuthenticate(deps: {
  keys: KeyStore;
  plans: Plans;
  clock: Clock;
  monotonicClock: MonotonicClock;
  log: Log;
}): Authenticate {
  const cache = new Map<string, CacheEntry>();
  const useRecordedAt = new Map<string, number>();

  return async (keyText) => {
    if (keyText === undefined || keyText === '') {
      throw new PlumblineError('missing_api_key', 'Send your API key in the X-API-Key header.');
    }
    const parsed = parseApiKey(keyText);
    if (!parsed) {
      throw new PlumblineError(
        'malformed_api_key',
        'This is not an API key of this service: its form or checksum is wrong. Check that it was copied whole.',
      );
    }
    const now = deps.clock().getTime();
    const digest = hashApiKey(keyText);
    const cached = cache.get(digest);
    if (cached && deps.monotonicClock() < cached.cachedUntilMs && !isExpired(cached, now))
      return cached.caller;
    cache.delete(digest);

    const stored = await deps.keys.find(parsed.keyId);
    const isSame = timingSafeEqual(Buffer.from(digest, 'hex'), storedDigest(stored));
    if (!stored || !isSame || !isActive(stored, now)) throw invalidKey();
    const { keyId, accountId, environment, scopes, name } = stored;
    const actor = { kind: 'key', id: keyId, name } as const;
    const plan = planOf(deps.plans, stored);
    const caller: AuthenticatedCaller = { keyId, accountId, environment, scopes, plan, actor };
    if (cache.size >= CACHE_ENTRIES) cache.clear();
    const cachedUntilMs = deps.monotonicClock() + CACHE_MS;
    cache.set(digest, { caller, cachedUntilMs, expiresAt: stored.expiresAt });
    recordUse(keyId, now);
    return caller;
  };

  /** Not awaited, because losing a last-use time does no harm. */
  function recordUse(keyId: string, now: number): void {
    const elapsedMs = deps.monotonicClock();
    if (elapsedMs - (useRecordedAt.get(keyId) ?? -Infinity) < RECORD_USE_EVERY_MS) return;
    if (useRecordedAt.size >= CACHE_ENTRIES) useRecordedAt.clear();
    useRecordedAt.set(keyId, elapsedMs);
    deps.keys
      .recordUse(keyId, now)
      .catch((error: unknown) =>
        deps.log.warn({ err: error, keyId }, 'the last use of a key could not be recorded'),
      );
  }
}

/**
 * The account's plan, with its own limits in place of the plan's.
 *
 * @throws PlumblineError `plan_forbidden` if the service does not know the plan
 */
export function planOf(
  plans: Plans,
  { accountId, plan, limits }: Pick<PlannedApiKey, 'accountId' | 'plan' | 'limits'>,
): Plan {
  const known = plans.get(plan);
  if (known) return limits === null ? known : withLimits(known, limits);
  throw new PlumblineError(
    'plan_forbidden',
    `The plan "${plan}" of account "${accountId}" does not exist on this service. Ask the operator to assign another plan.`,
  );
}

function storedDigest(stored: ApiKeyRecord | null): Uint8Array {
  const digest = stored ? Buffer.from(stored.secretSha256, 'hex') : NO_DIGEST;
  return digest.length === NO_DIGEST.length ? digest : NO_DIGEST;
}

function isActive(stored: ApiKeyRecord, now: number): boolean {
  return stored.revokedAt === null && !isExpired(stored, now);
}

function isExpired({ expiresAt }: Pick<ApiKeyRecord, 'expiresAt'>, now: number): boolean {
  return expiresAt !== null && now >= expiresAt;
}

function invalidKey(): PlumblineError {
  return new PlumblineError(
    'invalid_api_key',
    'This API key is unknown, revoked or expired. Ask the operator of this service for a new one.',
  );
}
