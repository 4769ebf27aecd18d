import type { Transaction } from 'kysely';
import type { Role } from '../domain/role.ts';
import type { UserTable } from './console-tables.ts';
import { isUniqueViolation } from './database-errors.ts';
import type { Database } from './database.ts';
import type { Store } from './store.ts';

/** Somebody who signs in to the console. Instants in ms. */
export interface User {
  readonly userId: string;
  readonly accountId: string;
  readonly name: string;
  readonly role: Role;
  readonly createdAt: number;
  readonly passwordChangedAt: number;
  readonly disabledAt: number | null;
}

export interface UserWithPassword extends User {
  /** The hash with its parameters. */
  readonly passwordHash: string;
}

type Reading = Pick<Store['db'], 'selectFrom'>;

/** The form of a name that tells people apart: NFKC, without capitals. */
export function foldName(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}

/** Whether an insert failed because there is somebody of this name. */
export const isNameTaken = isUniqueViolation;

/** Throws what `isNameTaken` knows where there is somebody of this name. */
export async function insertUser(transaction: Transaction<Database>, user: UserWithPassword): Promise<void> {
  await transaction
    .insertInto('users')
    .values({
      user_id: user.userId,
      account_id: user.accountId,
      name: user.name,
      folded_name: foldName(user.name),
      role: user.role,
      password_hash: user.passwordHash,
      created_at: user.createdAt,
      password_changed_at: user.passwordChangedAt,
      disabled_at: user.disabledAt,
    })
    .execute();
}

/** By the name in any spelling, of whatever account. */
export async function findUserByName(db: Reading, name: string): Promise<UserWithPassword | null> {
  const row = await db
    .selectFrom('users')
    .selectAll()
    .where('folded_name', '=', foldName(name))
    .executeTakeFirst();
  return row ? { ...userOf(row), passwordHash: row.password_hash } : null;
}

/** Null for an unknown id and, where an account is named, for somebody of another one. */
export async function findUser(
  db: Reading,
  userId: string,
  accountId: string | null = null,
): Promise<UserWithPassword | null> {
  let query = db.selectFrom('users').selectAll().where('user_id', '=', userId);
  if (accountId !== null) query = query.where('account_id', '=', accountId);
  const row = await query.executeTakeFirst();
  return row ? { ...userOf(row), passwordHash: row.password_hash } : null;
}

/** People of an account, or of all, oldest first. */
export async function listUsers({ db }: Pick<Store, 'db'>, accountId: string | null): Promise<User[]> {
  let query = db.selectFrom('users').selectAll();
  if (accountId !== null) query = query.where('account_id', '=', accountId);
  return (await query.orderBy('user_id').execute()).map(userOf);
}

export async function countUsers(transaction: Transaction<Database>, accountId: string): Promise<number> {
  const row = await transaction
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('users'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(row.users);
}

/** What may change of a user. */
export type UserChange = Partial<
  Pick<UserWithPassword, 'role' | 'disabledAt' | 'passwordHash' | 'passwordChangedAt'>
>;

export async function updateUser(
  transaction: Transaction<Database>,
  userId: string,
  { role, disabledAt, passwordHash, passwordChangedAt }: UserChange,
): Promise<void> {
  await transaction
    .updateTable('users')
    .set({
      ...(role === undefined ? {} : { role }),
      ...(disabledAt === undefined ? {} : { disabled_at: disabledAt }),
      ...(passwordHash === undefined ? {} : { password_hash: passwordHash }),
      ...(passwordChangedAt === undefined ? {} : { password_changed_at: passwordChangedAt }),
    })
    .where('user_id', '=', userId)
    .execute();
}

/** Writes nothing new, and holds a user's row until the end of the transaction: what is read of it then stays so. */
export async function holdRow(transaction: Transaction<Database>, userId: string): Promise<void> {
  await transaction
    .updateTable('users')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('user_id', '=', userId)
    .execute();
}

/**
 * Writes nothing new, and holds the user's row until the end of the transaction. False where the user is disabled or has another
 * password by now: a session must not begin by one that was changed meanwhile.
 */
export async function holdUser(
  transaction: Transaction<Database>,
  { userId, passwordHash }: Pick<UserWithPassword, 'userId' | 'passwordHash'>,
): Promise<boolean> {
  const result = await transaction
    .updateTable('users')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('user_id', '=', userId)
    .where('password_hash', '=', passwordHash)
    .where('disabled_at', 'is', null)
    .executeTakeFirstOrThrow();
  return result.numUpdatedRows === 1n;
}

function userOf(row: UserTable): User {
  return {
    userId: row.user_id,
    accountId: row.account_id,
    name: row.name,
    role: row.role,
    createdAt: row.created_at,
    passwordChangedAt: row.password_changed_at,
    disabledAt: row.disabled_at,
  };
}
