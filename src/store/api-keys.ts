import { sql, type Transaction } from 'kysely';
import type { ApiKeyTable, Database } from './database.ts';
import { jsonText, parseJsonText } from './json-text.ts';
import type { Store } from './store.ts';

/** A key as stored: never the key itself, only its SHA-256 and what helps to tell it from others. Instants in ms. */
export interface ApiKeyRecord {
  /** The public 8-character id inside the key. */
  readonly keyId: string;
  readonly accountId: string;
  readonly name: string;
  readonly environment: 'live' | 'test';
  readonly scopes: readonly string[];
  readonly secretSha256: string;
  readonly lastCharacters: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
}

/** A key with the name of its account's plan. */
export interface PlannedApiKey extends ApiKeyRecord {
  readonly plan: string;
}

export async function insertApiKey({ db }: Pick<Store, 'db'>, key: ApiKeyRecord): Promise<void> {
  await db
    .insertInto('api_keys')
    .values({
      key_id: key.keyId,
      account_id: key.accountId,
      name: key.name,
      environment: key.environment,
      scopes: jsonText(key.scopes),
      secret_sha256: key.secretSha256,
      last_characters: key.lastCharacters,
      created_at: key.createdAt,
      expires_at: key.expiresAt,
      last_used_at: key.lastUsedAt,
      revoked_at: key.revokedAt,
    })
    .execute();
}

export async function findApiKey(store: Store, keyId: string): Promise<ApiKeyRecord | null> {
  const row = await store.db
    .selectFrom('api_keys')
    .selectAll()
    .where('key_id', '=', keyId)
    .executeTakeFirst();
  return row ? apiKeyOf(row) : null;
}

/** The same with the account's plan, in one look-up: what authentication reads. */
export async function findPlannedApiKey(store: Store, keyId: string): Promise<PlannedApiKey | null> {
  const row = await store.db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.account_id', 'api_keys.account_id')
    .selectAll('api_keys')
    .select('accounts.plan')
    .where('key_id', '=', keyId)
    .executeTakeFirst();
  return row ? { ...apiKeyOf(row), plan: row.plan } : null;
}

/** Keys of an account, oldest first. */
export async function listApiKeys(store: Store, accountId: string): Promise<ApiKeyRecord[]> {
  const rows = await store.db
    .selectFrom('api_keys')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('key_id')
    .execute();
  return rows.map(apiKeyOf);
}

/** Keys of an account that work at `now`, and keys created after `since`, revoked or not. */
export async function countApiKeys(
  transaction: Transaction<Database>,
  accountId: string,
  { now, since }: { readonly now: number; readonly since: number },
): Promise<{ readonly active: number; readonly createdSince: number }> {
  const row = await transaction
    .selectFrom('api_keys')
    .select([
      sql<number>`count(case when revoked_at is null and (expires_at is null or expires_at > ${now}) then 1 end)`.as(
        'active',
      ),
      sql<number>`count(case when created_at > ${since} then 1 end)`.as('created_since'),
    ])
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return { active: Number(row.active), createdSince: Number(row.created_since) };
}

/** Revokes a key for good. False where there is no such key, or it is revoked already. */
export async function revokeApiKey(
  store: Pick<Store, 'db'>,
  keyId: string,
  revokedAt: number,
): Promise<boolean> {
  const result = await store.db
    .updateTable('api_keys')
    .set({ revoked_at: revokedAt })
    .where('key_id', '=', keyId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  return result.numUpdatedRows === 1n;
}

/** Lets a key run until an instant. False where it is revoked already. */
export async function endApiKey(
  { db }: Pick<Store, 'db'>,
  keyId: string,
  { expiresAt, revokedAt }: Pick<ApiKeyRecord, 'expiresAt' | 'revokedAt'>,
): Promise<boolean> {
  const result = await db
    .updateTable('api_keys')
    .set({ expires_at: expiresAt, revoked_at: revokedAt })
    .where('key_id', '=', keyId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  return result.numUpdatedRows === 1n;
}

/** Last use is for people who tidy up keys: a minute is exact enough, and saves a write a request. */
const TOUCH_EVERY_MS = 60_000;

/** Notes that a key was used, at most once a minute. */
export async function touchApiKey(store: Store, keyId: string, usedAt: number): Promise<void> {
  await store.db
    .updateTable('api_keys')
    .set({ last_used_at: usedAt })
    .where('key_id', '=', keyId)
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<=', usedAt - TOUCH_EVERY_MS)]))
    .execute();
}

function apiKeyOf(row: ApiKeyTable): ApiKeyRecord {
  return {
    keyId: row.key_id,
    accountId: row.account_id,
    name: row.name,
    environment: row.environment === 'test' ? 'test' : 'live',
    scopes: parseJsonText<string[]>(row.scopes),
    secretSha256: row.secret_sha256,
    lastCharacters: row.last_characters,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
  };
}
