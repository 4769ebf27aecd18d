import { sql, type Transaction } from 'kysely';
import type { Database } from './database.ts';
import type { Store } from './store.ts';

/** Tries since an instant, the one just counted with them. */
export interface CountedTries {
  readonly tries: number;
  readonly firstAt: number;
}

/**
 * Counts a try, in one statement, so that processes share the count. Those before `since` are forgotten, and those after now,
 * which were counted before the clock was set back.
 */
export async function countTry(
  transaction: Transaction<Database>,
  subject: string,
  { now, since }: { readonly now: number; readonly since: number },
): Promise<CountedTries> {
  const isOver = sql<boolean>`(sign_in_attempts.first_at <= ${ms(since)} or sign_in_attempts.first_at > ${ms(now)})`;
  const row = await transaction
    .insertInto('sign_in_attempts')
    .values({ subject, first_at: now, tries: 1 })
    .onConflict((conflict) =>
      conflict.column('subject').doUpdateSet({
        tries: sql<number>`case when ${isOver} then 1 else sign_in_attempts.tries + 1 end`,
        first_at: sql<number>`case when ${isOver} then ${ms(now)} else sign_in_attempts.first_at end`,
      }),
    )
    .returning(['tries', 'first_at'])
    .executeTakeFirstOrThrow();
  return { tries: row.tries, firstAt: row.first_at };
}

/** Takes one back that did not fail. */
export async function forgiveTry(transaction: Transaction<Database>, subject: string): Promise<void> {
  await transaction
    .updateTable('sign_in_attempts')
    .set((eb) => ({ tries: eb('tries', '-', 1) }))
    .where('subject', '=', subject)
    .where('tries', '>', 0)
    .execute();
}

/** Forgets what was counted of a subject. */
export async function forgetTries(transaction: Transaction<Database>, subject: string): Promise<void> {
  await transaction.deleteFrom('sign_in_attempts').where('subject', '=', subject).execute();
}

export async function deleteOldTries({ db }: Pick<Store, 'db'>, before: number): Promise<void> {
  await db.deleteFrom('sign_in_attempts').where('first_at', '<=', before).execute();
}

/** PostgreSQL would take a parameter in a CASE for a text. */
function ms(value: number) {
  return sql<number>`cast(${value} as bigint)`;
}
