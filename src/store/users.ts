import type { Preparation } from '../domain/report.ts';
import { isUniqueViolation } from './database-errors.ts';
import type { StoreTransaction, Reader, StoreDb } from './store.ts';
import { parseJsonText } from './json-text.ts';
import type { AccountTables, User } from './tables/accounts.ts';

export interface UserWithPassword extends User {
  /** The hash with its parameters. */
  readonly passwordHash: string;
}

/** The form of a name by which users are unique: NFKC, in lower case. */
export function foldName(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}

/** Whether an insert failed because the name is taken. */
export const isNameTaken = isUniqueViolation;

/** Throws an error for which `isNameTaken` is true if a user has this name. */
export async function insertUser(transaction: StoreTransaction, user: UserWithPassword): Promise<void> {
  const row = {
    ...NO_SECOND_FACTOR,
    ...NO_IDENTITY,
    reportPreparer: null,
    ...user,
    foldedName: foldName(user.name),
  };
  await transaction.insertInto('users').values(row).execute();
}

const USER_COLUMNS = [
  'userId',
  'accountId',
  'name',
  'role',
  'createdAt',
  'passwordChangedAt',
  'disabledAt',
  'secondFactorSince',
  'identitySince',
] as const;

function usersWithPassword(db: Reader) {
  return db.selectFrom('users').select([...USER_COLUMNS, 'passwordHash']);
}

/** Finds a user of any account by name, regardless of case. */
export async function findUserByName(db: Reader, name: string): Promise<UserWithPassword | null> {
  const user = usersWithPassword(db).where('foldedName', '=', foldName(name));
  return (await user.executeTakeFirst()) ?? null;
}

/** Null for an unknown id and, if an account is given, for a user of another account. */
export async function findUser(
  db: Reader,
  userId: string,
  accountId?: string,
): Promise<UserWithPassword | null> {
  const user = usersWithPassword(db).where((eb) => eb.and({ userId, accountId }));
  return (await user.executeTakeFirst()) ?? null;
}

/** Users of an account, or of all accounts, oldest first. */
export function listUsers({ db }: StoreDb, accountId: string | null): Promise<User[]> {
  const users = db.selectFrom('users').select(USER_COLUMNS).orderBy('userId');
  return (accountId === null ? users : users.where('accountId', '=', accountId)).execute();
}

export async function countUsers(transaction: StoreTransaction, accountId: string): Promise<number> {
  const { users } = await transaction
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('users'))
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow();
  return users;
}

/** The members of a user that may change; those left out stay. */
export type UserChange = Partial<
  Pick<UserWithPassword, 'role' | 'disabledAt' | 'passwordHash' | 'passwordChangedAt'> &
    SecondFactorColumns &
    IdentityColumns &
    Pick<AccountTables['users'], 'reportPreparer'>
>;

type SecondFactorColumns = Pick<
  AccountTables['users'],
  'secondFactorSecret' | 'secondFactorSince' | 'secondFactorStep' | 'recoveryCodes'
>;

/** No second factor: sign-in asks for the password only. */
export const NO_SECOND_FACTOR: SecondFactorColumns = {
  secondFactorSecret: null,
  secondFactorSince: null,
  secondFactorStep: null,
  recoveryCodes: null,
};

/** The second factor of a user, which is not on before `since`. */
interface SecondFactor {
  readonly sealedSecret: string;
  readonly since: number | null;
  /** The time step of the last accepted code. */
  readonly step: number;
  /** SHA-256 of each unused recovery code, in hex. */
  readonly recoveryCodes: readonly string[];
}

/** Null if none was started. */
export async function findSecondFactor(db: Reader, userId: string): Promise<SecondFactor | null> {
  const row = await db
    .selectFrom('users')
    .select(['secondFactorSecret', 'secondFactorSince', 'secondFactorStep', 'recoveryCodes'])
    .where('userId', '=', userId)
    .executeTakeFirst();
  if (!row || row.secondFactorSecret === null) return null;
  return {
    sealedSecret: row.secondFactorSecret,
    since: row.secondFactorSince,
    step: row.secondFactorStep ?? 0,
    recoveryCodes: parseJsonText(row.recoveryCodes ?? '[]'),
  };
}

type IdentityColumns = Pick<AccountTables['users'], 'identityIssuer' | 'identitySubject' | 'identitySince'>;

/** Not linked to a user of the identity provider. */
export const NO_IDENTITY: IdentityColumns = {
  identityIssuer: null,
  identitySubject: null,
  identitySince: null,
};

/** A user of an identity provider: the subject is unique among those of the issuer, and never reused. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

/** The user that is linked to a user of an identity provider. */
export async function findUserByIdentity(
  db: Reader,
  { issuer: identityIssuer, subject: identitySubject }: Identity,
): Promise<UserWithPassword | null> {
  const user = usersWithPassword(db).where((eb) => eb.and({ identityIssuer, identitySubject }));
  return (await user.executeTakeFirst()) ?? null;
}

/** Name and license of the user as the preparer of reports. */
export async function findReportPreparer({ db }: StoreDb, userId: string): Promise<Preparation> {
  const row = await db
    .selectFrom('users')
    .select('reportPreparer')
    .where('userId', '=', userId)
    .executeTakeFirst();
  return parseJsonText<Preparation>(row?.reportPreparer ?? '{}');
}

export async function updateUser(
  transaction: StoreTransaction,
  userId: string,
  change: UserChange,
): Promise<void> {
  await transaction.updateTable('users').set(change).where('userId', '=', userId).execute();
}

/** Locks a user's row until the transaction ends, without changing it. */
export async function lockUser(transaction: StoreTransaction, userId: string): Promise<void> {
  await lockedUser(transaction, userId).execute();
}

/**
 * Locks a user's row. False if the user is disabled or the password was changed since it was read: no session may start
 * from the old one.
 */
export async function lockActiveUser(
  transaction: StoreTransaction,
  { userId, passwordHash }: Pick<UserWithPassword, 'userId' | 'passwordHash'>,
): Promise<boolean> {
  const { numUpdatedRows } = await lockedUser(transaction, userId)
    .where((eb) => eb.and({ passwordHash, disabledAt: null }))
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

function lockedUser(transaction: StoreTransaction, userId: string) {
  return transaction
    .updateTable('users')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('userId', '=', userId);
}
