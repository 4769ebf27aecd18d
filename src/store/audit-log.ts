import { randomBytes } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { JsonValue } from '../domain/json.ts';
import type { AuditLogTable } from './console-tables.ts';
import type { Database } from './database.ts';
import { jsonText } from './json-text.ts';
import type { Store } from './store.ts';
import { foldName } from './users.ts';
import { uuidV7 } from './uuid-v7.ts';

/** Who changed something. */
export interface Actor {
  readonly kind: AuditLogTable['actor_kind'];
  /** Of the user or the key; null on the command line, which is whoever may read the database. */
  readonly id: string | null;
  readonly name: string;
}

/** On whose behalf something is changed, and by whom. */
export interface ActingFor {
  readonly accountId: string;
  readonly actor: Actor;
}

export const COMMAND_LINE: Actor = { kind: 'command_line', id: null, name: 'command line' };

/** Batches of programs come and go by the thousand and stand in the jobs themselves: only what people do with them is noted. */
export function isNoted({ kind }: Actor): boolean {
  return kind !== 'key';
}

/** What is written down, by what it is of. */
export type AuditAction =
  | 'account.created'
  | 'account.plan_set'
  | 'batch.cancelled'
  | 'batch.retried'
  | 'batch.submitted'
  | 'dataset.published'
  | 'key.created'
  | 'key.revoked'
  | 'key.rotated'
  | 'model.put_in_force'
  | 'session.revoked'
  | 'sign_in'
  | 'sign_in.refused'
  | 'sign_out'
  | 'user.created'
  | 'user.disabled'
  | 'user.enabled'
  | 'user.password_set'
  | 'user.role_set'
  | 'webhook.redelivered'
  | 'webhook.secret_rotated'
  | 'webhook.test_sent';

/** One change as it is noted. */
export interface AuditNote {
  /** Whose matter it is. */
  readonly accountId: string;
  /** Ms. */
  readonly at: number;
  readonly actor: Actor;
  readonly action: AuditAction;
  /** The id, or of people the name, of what was changed. */
  readonly subject: string;
  /** What was changed of it. Never a secret. */
  readonly detail: Readonly<Record<string, JsonValue>>;
}

export interface AuditEntry extends Omit<AuditNote, 'action'> {
  readonly auditId: string;
  readonly action: string;
}

/** Writes a line, in the transaction of the change: both are there, or neither. Nothing ever changes or deletes one. */
export async function appendAudit(
  transaction: Pick<Transaction<Database>, 'insertInto'>,
  { accountId, at, actor, action, subject, detail }: AuditNote,
): Promise<void> {
  const auditId = uuidV7(at, randomBytes(10));
  await transaction
    .insertInto('audit_log')
    .values({
      audit_id: auditId,
      account_id: accountId,
      at,
      actor_kind: actor.kind,
      actor_id: actor.id,
      actor_name: actor.name,
      action,
      subject,
      detail: jsonText(detail),
    })
    .execute();
  const words = wordsOf(actor, action, subject);
  await transaction.insertInto('audit_words').values({ audit_id: auditId, words }).execute();
}

/** Whether there is a line of somebody's doing something to a subject. */
export async function hasAudit(
  { db }: Pick<Store, 'db'>,
  { accountId, actor, action, subject }: Pick<AuditNote, 'accountId' | 'actor' | 'action' | 'subject'>,
): Promise<boolean> {
  const line = await db
    .selectFrom('audit_log')
    .select('audit_id')
    .where('account_id', '=', accountId)
    .where('action', '=', action)
    .where('subject', '=', subject)
    .where('actor_kind', '=', actor.kind)
    .where('actor_name', '=', actor.name)
    .executeTakeFirst();
  return line !== undefined;
}

/** What a line is found by. Of a key the word stands before its name, as people call it. */
function wordsOf({ kind, name }: Actor, action: string, subject: string): string {
  return foldName([...(kind === 'key' ? [kind] : []), name, action, subject].join(' '));
}
