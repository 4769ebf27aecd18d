import { sql, type Transaction } from 'kysely';
import type { Database } from './database.ts';
import type { Store } from './store.ts';
import type { SignInAttemptTable } from './tables/accounts.ts';

/** The sign-in attempts since an instant, including the one just counted. */
export type CountedTries = Pick<SignInAttemptTable, 'tries' | 'firstAt'>;

/**
 * Counts an attempt in one statement, so that processes share the count. Attempts before `since` expire. Attempts in the
 * future were counted before the clock was set back, and expire too.
 */
export function countTry(
  transaction: Transaction<Database>,
  subject: string,
  { now, since }: { readonly now: number; readonly since: number },
): Promise<CountedTries> {
  const isOver = sql<boolean>`(sign_in_attempts.first_at <= ${ms(since)} or sign_in_attempts.first_at > ${ms(now)})`;
  return transaction
    .insertInto('sign_in_attempts')
    .values({ subject, firstAt: now, tries: 1 })
    .onConflict((conflict) =>
      conflict.column('subject').doUpdateSet({
        tries: sql<number>`case when ${isOver} then 1 else sign_in_attempts.tries + 1 end`,
        firstAt: sql<number>`case when ${isOver} then ${ms(now)} else sign_in_attempts.first_at end`,
      }),
    )
    .returning(['tries', 'firstAt'])
    .executeTakeFirstOrThrow();
}

/** Uncounts an attempt that succeeded. */
export async function forgiveTry(transaction: Transaction<Database>, subject: string): Promise<void> {
  await transaction
    .updateTable('sign_in_attempts')
    .set((eb) => ({ tries: eb('tries', '-', 1) }))
    .where('subject', '=', subject)
    .where('tries', '>', 0)
    .execute();
}

/** Deletes the count of a subject. */
export async function forgetTries(transaction: Transaction<Database>, subject: string): Promise<void> {
  await transaction.deleteFrom('sign_in_attempts').where('subject', '=', subject).execute();
}

export async function deleteOldTries({ db }: Pick<Store, 'db'>, before: number): Promise<void> {
  await db.deleteFrom('sign_in_attempts').where('firstAt', '<=', before).execute();
}

/** Without the cast, PostgreSQL takes a parameter in a CASE for text. */
function ms(value: number) {
  return sql<number>`cast(${value} as bigint)`;
}
