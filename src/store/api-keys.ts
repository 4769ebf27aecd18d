import { sql, type Transaction } from 'kysely';
import type { Database } from './database.ts';
import { jsonText, parseJsonText } from './json-text.ts';
import type { Store } from './store.ts';
import type { ApiKeyRecord, ApiKeyTable } from './tables/accounts.ts';

export type { ApiKeyRecord };

/** A key with the name of its account's plan. */
export interface PlannedApiKey extends ApiKeyRecord {
  readonly plan: string;
}

export async function insertApiKey({ db }: Pick<Store, 'db'>, key: ApiKeyRecord): Promise<void> {
  await db
    .insertInto('api_keys')
    .values({ ...key, scopes: jsonText(key.scopes) })
    .execute();
}

export async function findApiKey({ db }: Store, keyId: string): Promise<ApiKeyRecord | null> {
  const row = await db.selectFrom('api_keys').selectAll().where('keyId', '=', keyId).executeTakeFirst();
  return row ? apiKeyOf(row) : null;
}

/** The key with its account's plan, in one lookup: what authentication reads. */
export async function findPlannedApiKey({ db }: Store, keyId: string): Promise<PlannedApiKey | null> {
  const row = await db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.accountId', 'api_keys.accountId')
    .selectAll('api_keys')
    .select('accounts.plan')
    .where('keyId', '=', keyId)
    .executeTakeFirst();
  return row ? apiKeyOf(row) : null;
}

/** Keys of an account, oldest first. */
export async function listApiKeys({ db }: Store, accountId: string): Promise<ApiKeyRecord[]> {
  const rows = await db
    .selectFrom('api_keys')
    .selectAll()
    .where('accountId', '=', accountId)
    .orderBy('createdAt')
    .orderBy('keyId')
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
      sql<number>`count(case when created_at > ${since} then 1 end)`.as('createdSince'),
    ])
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow();
  return { active: Number(row.active), createdSince: Number(row.createdSince) };
}

/** Revokes a key permanently. False if there is no such key, or it was revoked before. */
export function revokeApiKey(store: Pick<Store, 'db'>, keyId: string, revokedAt: number): Promise<boolean> {
  return changeLiveKey(store, keyId, { revokedAt });
}

/** Sets when a key ends. False if it was revoked before. */
export function endApiKey(
  store: Pick<Store, 'db'>,
  keyId: string,
  { expiresAt, revokedAt }: Pick<ApiKeyRecord, 'expiresAt' | 'revokedAt'>,
): Promise<boolean> {
  return changeLiveKey(store, keyId, { expiresAt, revokedAt });
}

async function changeLiveKey(
  { db }: Pick<Store, 'db'>,
  keyId: string,
  change: Partial<Pick<ApiKeyRecord, 'expiresAt' | 'revokedAt'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('api_keys')
    .set(change)
    .where('keyId', '=', keyId)
    .where('revokedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** The last use is for people who clean up keys: a minute is exact enough, and saves a write per request. */
const TOUCH_EVERY_MS = 60_000;

/** Records that a key was used, at most once a minute. */
export async function touchApiKey({ db }: Store, keyId: string, usedAt: number): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ lastUsedAt: usedAt })
    .where('keyId', '=', keyId)
    .where((eb) => eb.or([eb('lastUsedAt', 'is', null), eb('lastUsedAt', '<=', usedAt - TOUCH_EVERY_MS)]))
    .execute();
}

function apiKeyOf<Row extends ApiKeyTable>(row: Row) {
  return { ...row, scopes: parseJsonText<string[]>(row.scopes) };
}
