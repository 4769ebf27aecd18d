import { jsonText, parseJsonText } from './json-text.ts';
import { wordsOf, type Actor, type AuditDetail } from './audit-log.ts';
import { containing } from './find-words.ts';
import type { Store } from './store.ts';
import type { AuditLogTable, User } from './tables/accounts.ts';
import { inTransaction } from './transaction.ts';
import { foldName } from './users.ts';
import { sql } from 'kysely';

/** What takes the place of a person's name: the same in every entry, so that they still belong together. */
export function pseudonymOf(userId: string): string {
  return `deleted user ${userId.slice(-8)}`;
}

/** Entries read per transaction. */
const ENTRIES_AT_ONCE = 500;

/** Replaces the name of a person in the audit log, and deletes the network addresses of their sign-ins. */
export async function eraseUserFromAudit(store: Store, user: Pick<User, 'userId' | 'name'>): Promise<void> {
  const { userId, name } = user;
  const folded = foldName(name);
  const isOfUser = sql<boolean>`(actor_id = ${userId} or words like ${containing(folded)} escape '\\')`;
  const pseudonym = pseudonymOf(userId);
  await eraseInSteps(store, isOfUser, async (entry) => {
    const isActor = entry.actorId === userId;
    const isSubject = foldName(entry.subject) === folded;
    if (!isActor && !isSubject) return null;
    const { address: _address, ...detail } = parseJsonText<AuditDetail>(entry.detail);
    return {
      actorName: isActor ? pseudonym : entry.actorName,
      subject: isSubject ? pseudonym : entry.subject,
      detail: jsonText(detail),
    };
  });
}

/**
 * Replaces the names of people and keys in the entries of an account, and deletes their details, which can have names and
 * addresses of homes. What an operator of another account did stays under the operator's name.
 */
export async function eraseAccountFromAudit(store: Store, accountId: string): Promise<void> {
  const isOfAccount = sql<boolean>`(account_id = ${accountId} and action <> 'account.deleted' and detail <> '{}')`;
  await eraseInSteps(store, isOfAccount, async ({ actorKind, actorId, actorName, action, subject }) => {
    const isOwn =
      actorKind === 'key' || (actorKind === 'user' && !(await isUserOfOther(store, accountId, actorId)));
    const isAboutPerson = /^(user|session|sign_in|sign_out|second_factor)/.test(action);
    const ownName = actorKind === 'key' || actorId === null ? 'deleted' : pseudonymOf(actorId);
    return {
      actorName: isOwn ? ownName : actorName,
      subject: isAboutPerson ? 'deleted user' : subject,
      detail: '{}',
    };
  });
}

async function isUserOfOther({ db }: Store, accountId: string, userId: string | null): Promise<boolean> {
  if (userId === null) return false;
  const user = await db
    .selectFrom('users')
    .select('userId')
    .where('userId', '=', userId)
    .where('accountId', '!=', accountId)
    .executeTakeFirst();
  return user !== undefined;
}

type Erased = Pick<AuditLogTable, 'actorName' | 'subject' | 'detail'>;

/** Goes through the log once, a few entries per transaction. `erase` returns null for an entry that stays as it is. */
async function eraseInSteps(
  store: Store,
  isConcerned: ReturnType<typeof sql<boolean>>,
  erase: (entry: AuditLogTable) => Promise<Erased | null>,
): Promise<void> {
  for (let after = ''; ;) {
    const entries = await store.db
      .selectFrom('audit_log')
      .selectAll()
      .where('auditId', '>', after)
      .where(isConcerned)
      .orderBy('auditId')
      .limit(ENTRIES_AT_ONCE)
      .execute();
    const last = entries.at(-1);
    if (last === undefined) return;
    after = last.auditId;
    const erased: (Erased & Pick<AuditLogTable, 'auditId' | 'words'>)[] = [];
    for (const entry of entries) {
      const changed = await erase(entry);
      if (changed === null) continue;
      const actor: Actor = { kind: entry.actorKind, id: entry.actorId, name: changed.actorName };
      const detail = parseJsonText<AuditDetail>(changed.detail);
      const words = wordsOf(actor, entry.action, changed.subject, detail);
      erased.push({ ...changed, words, auditId: entry.auditId });
    }
    await inTransaction(store, async (transaction) => {
      for (const { auditId, ...changed } of erased) {
        await transaction.updateTable('audit_log').set(changed).where('auditId', '=', auditId).execute();
      }
    });
  }
}
