import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql, type Transaction } from 'kysely';
import type { JsonValue } from '../domain/json.ts';
import type { Database } from './database.ts';
import { jsonText, parseJsonText } from './json-text.ts';
import type { Store } from './store.ts';
import type { AuditLogTable } from './tables/accounts.ts';
import { foldName } from './users.ts';
import { uuidV7 } from './uuid-v7.ts';

/** Who made a change. */
export interface Actor {
  readonly kind: AuditLogTable['actorKind'];
  /** The id of the user or key; null at the command line, which anyone who can read the database can use. */
  readonly id: string | null;
  readonly name: string;
}

/** The account that a change is made for, and who makes it. */
export interface ActingFor {
  readonly accountId: string;
  readonly actor: Actor;
}

export const COMMAND_LINE: Actor = { kind: 'command_line', id: null, name: 'command line' };

/** Programs submit batches by the thousand, and the jobs record them: only batches of users are logged. */
export function isNoted({ kind }: Actor): boolean {
  return kind !== 'key';
}

/** The changes that are logged, by what they change. */
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

/** A change to log. */
export interface AuditNote {
  /** The account that was changed. */
  readonly accountId: string;
  /** Ms. */
  readonly at: number;
  readonly actor: Actor;
  readonly action: AuditAction;
  /** The id of what was changed; for users, the name. */
  readonly subject: string;
  /** What was changed. Never a secret. */
  readonly detail: Readonly<Record<string, JsonValue>>;
}

export interface AuditEntry extends Omit<AuditNote, 'action'> {
  readonly auditId: string;
  readonly action: string;
}

/** Writes a line in the transaction of the change, so that both are committed or neither. Lines are never changed. */
export async function appendAudit(
  transaction: Pick<Transaction<Database>, 'insertInto'>,
  { accountId, at, actor, action, subject, detail }: AuditNote,
): Promise<void> {
  await transaction
    .insertInto('audit_log')
    .values({
      auditId: uuidV7(at, randomBytes(10)),
      accountId,
      at,
      actorKind: actor.kind,
      actorId: actor.id,
      actorName: actor.name,
      action,
      subject,
      detail: jsonText(detail),
      words: wordsOf(actor, action, subject),
    })
    .execute();
}

/** Whether an actor has done something to a subject. */
export async function hasAudit(
  { db }: Pick<Store, 'db'>,
  { accountId, actor, action, subject }: Pick<AuditNote, 'accountId' | 'actor' | 'action' | 'subject'>,
): Promise<boolean> {
  const line = await db
    .selectFrom('audit_log')
    .select('auditId')
    .where('accountId', '=', accountId)
    .where('action', '=', action)
    .where('subject', '=', subject)
    .where('actorKind', '=', actor.kind)
    .where('actorName', '=', actor.name)
    .executeTakeFirst();
  return line !== undefined;
}

/** Whether an actor made the first entry; also where there is none. */
export async function isBegunBy({ db }: Pick<Store, 'db'>, { kind, name }: Actor): Promise<boolean> {
  const first = await db
    .selectFrom('audit_log')
    .select(['actorKind', 'actorName'])
    .orderBy('auditId')
    .executeTakeFirst();
  return first === undefined || (first.actorKind === kind && first.actorName === name);
}

/** The text that searches match. The word "key" precedes the name of a key, because people search for "key nightly". */
function wordsOf({ kind, name }: Actor, action: string, subject: string): string {
  return foldName([...(kind === 'key' ? [kind] : []), name, action, subject].join(' '));
}

export interface AuditFilter {
  /** Null = every account. */
  readonly accountId: string | null;
  /** Words that must all occur in the actor, the action or the subject. For every account, also in the account id. */
  readonly find: string;
  /** The last line of the previous page. */
  readonly beforeId: string | null;
  readonly limit: number;
}

/** Searched per statement: about 20 ms of SQLite, which reads on the main thread. All of 200,000 lines took 300 ms. */
const LINES_AT_ONCE = 10_000;

/** Newest first, because ids sort by creation time. A search goes back step by step until it has found enough. */
export async function listAudit(
  store: Pick<Store, 'db'>,
  { accountId, find, beforeId, limit }: AuditFilter,
  linesAtOnce = LINES_AT_ONCE,
): Promise<AuditEntry[]> {
  const words = foldName(find)
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) {
    return (await linesOf(store, { accountId, beforeId }).selectAll().limit(limit).execute()).map(entryOf);
  }
  const found: AuditEntry[] = [];
  for (let before = beforeId; ;) {
    const step = { accountId, beforeId: before };
    const last = await linesOf(store, step)
      .select('auditId')
      .limit(1)
      .offset(linesAtOnce - 1)
      .executeTakeFirst();
    let query = linesOf(store, step).selectAll();
    if (last) query = query.where('auditId', '>=', last.auditId);
    for (const word of words) query = query.where(hasWord(word, accountId === null));
    found.push(...(await query.limit(limit - found.length).execute()).map(entryOf));
    if (!last || found.length >= limit) return found;
    before = last.auditId;
    await nextTurn();
  }
}

function linesOf(
  { db }: Pick<Store, 'db'>,
  { accountId, beforeId }: Pick<AuditFilter, 'accountId' | 'beforeId'>,
) {
  let query = db.selectFrom('audit_log').orderBy('auditId', 'desc');
  if (accountId !== null) query = query.where('accountId', '=', accountId);
  if (beforeId !== null) query = query.where('auditId', '<', beforeId);
  return query;
}

/** Whether a line contains a text exactly as written: `%` and `_` have no special meaning. */
function hasWord(text: string, withAccount: boolean) {
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
  const isThere = sql<boolean>`words like ${pattern} escape '\\'`;
  return withAccount ? sql<boolean>`(${isThere} or account_id like ${pattern} escape '\\')` : isThere;
}

function entryOf({ actorKind, actorId, actorName, words: _words, ...row }: AuditLogTable): AuditEntry {
  return {
    ...row,
    actor: { kind: actorKind, id: actorId, name: actorName },
    detail: parseJsonText<Record<string, JsonValue>>(row.detail),
  };
}
