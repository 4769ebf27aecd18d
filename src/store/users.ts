import type { Transaction } from 'kysely';
import { isUniqueViolation } from './database-errors.ts';
import type { Database } from './database.ts';
import type { Store } from './store.ts';
import type { User } from './tables/accounts.ts';

export type { User };

export interface UserWithPassword extends User {
  /** The hash with its parameters. */
  readonly passwordHash: string;
}

type Reading = Pick<Store['db'], 'selectFrom'>;

/** The form of a name by which users are unique: NFKC, in lower case. */
export function foldName(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}

/** Whether an insert failed because the name is taken. */
export const isNameTaken = isUniqueViolation;

/** Throws an error for which `isNameTaken` is true if a user has this name. */
export async function insertUser(transaction: Transaction<Database>, user: UserWithPassword): Promise<void> {
  await transaction
    .insertInto('users')
    .values({ ...user, foldedName: foldName(user.name) })
    .execute();
}

const USER_COLUMNS = [
  'userId',
  'accountId',
  'name',
  'role',
  'createdAt',
  'passwordChangedAt',
  'disabledAt',
] as const;

/** Finds a user of any account by name, regardless of case. */
export async function findUserByName(db: Reading, name: string): Promise<UserWithPassword | null> {
  const row = await db
    .selectFrom('users')
    .select([...USER_COLUMNS, 'passwordHash'])
    .where('foldedName', '=', foldName(name))
    .executeTakeFirst();
  return row ?? null;
}

/** Null for an unknown id and, if an account is given, for a user of another account. */
export async function findUser(
  db: Reading,
  userId: string,
  accountId: string | null = null,
): Promise<UserWithPassword | null> {
  let query = db
    .selectFrom('users')
    .select([...USER_COLUMNS, 'passwordHash'])
    .where('userId', '=', userId);
  if (accountId !== null) query = query.where('accountId', '=', accountId);
  return (await query.executeTakeFirst()) ?? null;
}

/** Users of an account, or of all accounts, oldest first. */
export function listUsers({ db }: Pick<Store, 'db'>, accountId: string | null): Promise<User[]> {
  let query = db.selectFrom('users').select(USER_COLUMNS);
  if (accountId !== null) query = query.where('accountId', '=', accountId);
  return query.orderBy('userId').execute();
}

export async function countUsers(transaction: Transaction<Database>, accountId: string): Promise<number> {
  const row = await transaction
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('users'))
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(row.users);
}

/** The members of a user that may change; those left out stay. */
export type UserChange = Partial<
  Pick<UserWithPassword, 'role' | 'disabledAt' | 'passwordHash' | 'passwordChangedAt'>
>;

export async function updateUser(
  transaction: Transaction<Database>,
  userId: string,
  change: UserChange,
): Promise<void> {
  await transaction.updateTable('users').set(change).where('userId', '=', userId).execute();
}

/** Locks a user's row until the transaction ends, without changing it. */
export async function lockUser(transaction: Transaction<Database>, userId: string): Promise<void> {
  await transaction
    .updateTable('users')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('userId', '=', userId)
    .execute();
}

/**
 * Locks a user's row until the transaction ends, without changing it. False if the user is disabled or the password was
 * changed since it was read: no session may start from the old one.
 */
export async function lockActiveUser(
  transaction: Transaction<Database>,
  { userId, passwordHash }: Pick<UserWithPassword, 'userId' | 'passwordHash'>,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('users')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('userId', '=', userId)
    .where('passwordHash', '=', passwordHash)
    .where('disabledAt', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}
