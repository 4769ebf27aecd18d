import { sql } from 'kysely';
import { jsonText, parseJsonText } from './json-text.ts';
import type { Store, StoreTransaction, StoreDb } from './store.ts';
import type { Account, AccountLimits, ApiKeyRecord } from './tables/accounts.ts';

/** The account of a self-hosted installation, created with the schema. */
export const DEFAULT_ACCOUNT_ID = 'self';

/** False if an account with this id exists. */
export async function insertAccount({ db }: StoreDb, account: Omit<Account, 'limits'>): Promise<boolean> {
  const inserted = await db
    .insertInto('accounts')
    .values(account)
    .onConflict((conflict) => conflict.column('accountId').doNothing())
    .returning('accountId')
    .executeTakeFirst();
  return inserted !== undefined;
}

const COLUMNS = ['accountId', 'name', 'plan', 'createdAt', 'limits'] as const;

/** Null for an unknown id and for a deleted account. */
export async function findAccount({ db }: StoreDb, accountId: string): Promise<Account | null> {
  const row = await accountWithId(db, accountId).where('deletedAt', 'is', null).executeTakeFirst();
  return row ? withLimits(row) : null;
}

/** The same; also a deleted account. */
export async function findAnyAccount({ db }: StoreDb, accountId: string): Promise<Account | null> {
  const row = await accountWithId(db, accountId).executeTakeFirst();
  return row ? withLimits(row) : null;
}

function accountWithId(db: StoreDb['db'], accountId: string) {
  return db.selectFrom('accounts').select(COLUMNS).where('accountId', '=', accountId);
}

/** Every account that is not deleted, by id. */
export async function listAccounts({ db }: Store): Promise<Account[]> {
  const accounts = db.selectFrom('accounts').select(COLUMNS).where('deletedAt', 'is', null);
  return (await accounts.orderBy('accountId').execute()).map(withLimits);
}

/** A row whose limits are read from JSON. */
export function withLimits<Row extends { readonly limits: string | null }>(row: Row) {
  return { ...row, limits: row.limits === null ? null : parseJsonText<AccountLimits>(row.limits) };
}

/** The members of an account that may change; those left out stay. */
export type AccountChange = Partial<Pick<Account, 'name' | 'plan' | 'limits'>>;

export async function updateAccount(
  transaction: StoreTransaction,
  accountId: string,
  { limits, ...change }: AccountChange,
): Promise<void> {
  const text = limits === undefined ? {} : { limits: limits && jsonText(limits) };
  await transaction
    .updateTable('accounts')
    .set({ ...change, ...text })
    .where('accountId', '=', accountId)
    .execute();
}

/** Locks an account's row until the transaction ends, without changing it. */
export async function lockAccount(transaction: StoreTransaction, accountId: string): Promise<void> {
  await transaction
    .updateTable('accounts')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('accountId', '=', accountId)
    .execute();
}

export async function insertApiKey({ db }: StoreDb, key: ApiKeyRecord): Promise<void> {
  const row = { ...key, scopes: jsonText(key.scopes) };
  await db.insertInto('api_keys').values(row).execute();
}

/** A key with its account's plan and limits. */
export interface PlannedApiKey extends ApiKeyRecord, Pick<Account, 'plan' | 'limits'> {}

/** The key with its account's plan, in one lookup: what authentication reads. */
export async function findApiKey({ db }: Store, keyId: string): Promise<PlannedApiKey | null> {
  const row = await db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.accountId', 'api_keys.accountId')
    .selectAll('api_keys')
    .select(['accounts.plan', 'accounts.limits'])
    .where('keyId', '=', keyId)
    .executeTakeFirst();
  return row ? withLimits(withScopes(row)) : null;
}

/** Keys of an account, oldest first. */
export async function listApiKeys({ db }: Store, accountId: string): Promise<ApiKeyRecord[]> {
  const keys = db.selectFrom('api_keys').selectAll().where('accountId', '=', accountId);
  return (await keys.orderBy('createdAt').orderBy('keyId').execute()).map(withScopes);
}

function withScopes<Row extends { readonly scopes: string }>(row: Row) {
  return { ...row, scopes: parseJsonText<string[]>(row.scopes) };
}

/** Keys of an account that work at `now`, and keys created after `since`, revoked or not. */
export async function countApiKeys(
  transaction: StoreTransaction,
  accountId: string,
  { now, since }: { readonly now: number; readonly since: number },
): Promise<{ readonly active: number; readonly createdSince: number }> {
  const active = sql<number>`count(case when revoked_at is null and (expires_at is null or expires_at > ${now}) then 1 end)`;
  const createdSince = sql<number>`count(case when created_at > ${since} then 1 end)`;
  return transaction
    .selectFrom('api_keys')
    .select([active.as('active'), createdSince.as('createdSince')])
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow();
}

/** Sets when a key ends, or revokes it permanently. False if there is no such key, or it was revoked before. */
export async function endApiKey(
  { db }: StoreDb,
  keyId: string,
  end: Partial<Pick<ApiKeyRecord, 'expiresAt' | 'revokedAt'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('api_keys')
    .set(end)
    .where('keyId', '=', keyId)
    .where('revokedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** The last use is for people who clean up keys: a minute is exact enough, and saves a write per request. */
const TOUCH_EVERY_MS = 60_000;

/** Records that a key was used, at most once a minute. */
export async function recordApiKeyUse({ db }: Store, keyId: string, usedAt: number): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ lastUsedAt: usedAt })
    .where('keyId', '=', keyId)
    .where((eb) => eb.or([eb('lastUsedAt', 'is', null), eb('lastUsedAt', '<=', usedAt - TOUCH_EVERY_MS)]))
    .execute();
}
