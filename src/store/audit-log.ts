import { randomBytes } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { JsonValue } from '../domain/json.ts';
import type { AuditLogTable } from './console-tables.ts';
import type { Database } from './database.ts';
import { jsonText, parseJsonText } from './json-text.ts';
import type { Store } from './store.ts';
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
  await transaction
    .insertInto('audit_log')
    .values({
      audit_id: uuidV7(at, randomBytes(10)),
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
}

export interface AuditFilter {
  /** Null = of every account. */
  readonly accountId: string | null;
  /** The last one of the page before. */
  readonly beforeId: string | null;
  readonly limit: number;
}

/** Newest first: ids sort by the time they were made. */
export async function listAudit(
  { db }: Pick<Store, 'db'>,
  { accountId, beforeId, limit }: AuditFilter,
): Promise<AuditEntry[]> {
  let query = db.selectFrom('audit_log').selectAll();
  if (accountId !== null) query = query.where('account_id', '=', accountId);
  if (beforeId !== null) query = query.where('audit_id', '<', beforeId);
  const rows = await query.orderBy('audit_id', 'desc').limit(limit).execute();
  return rows.map((row) => ({
    auditId: row.audit_id,
    accountId: row.account_id,
    at: row.at,
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    action: row.action,
    subject: row.subject,
    detail: parseJsonText<Record<string, JsonValue>>(row.detail),
  }));
}
