import { randomBytes } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { sql } from 'kysely';
import type { JsonValue } from '../domain/json.ts';
import { DEFAULT_ACCOUNT_ID } from './accounts.ts';
import { containing, hasWord, wordsToFind } from './find-words.ts';
import { jsonText, parseJsonText } from './json-text.ts';
import { pageOf, placeOfCursor, UUID, type Page } from './pages.ts';
import type { StoreTransaction, StoreDb } from './store.ts';
import type { AuditLogTable } from './tables/accounts.ts';
import { foldName } from './users.ts';
import { firstUuidAt, uuidV7 } from './uuid-v7.ts';

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
/** Imports and trainings, which belong to the installation. */
export const BY_COMMAND_LINE: ActingFor = { accountId: DEFAULT_ACCOUNT_ID, actor: COMMAND_LINE };

/** Programs submit batches by the thousand, and the jobs record them: only batches of users are logged. */
export function isAudited({ kind }: Actor): boolean {
  return kind !== 'key';
}

/** The changes that are logged, by what they change. */
export type AuditAction =
  | 'account.created'
  | 'account.deleted'
  | 'account.limits_set'
  | 'account.logo_set'
  | 'account.name_set'
  | 'account.plan_set'
  | 'batch.cancelled'
  | 'batch.retried'
  | 'batch.submitted'
  | 'challenge.decided'
  | 'database.restored'
  | 'dataset.published'
  | 'import.submitted'
  | 'job.cancelled'
  | 'key.created'
  | 'key.revoked'
  | 'key.rotated'
  | 'market.backtest_requested'
  | 'market.deleted'
  | 'market.pruned'
  | 'market.training_failed'
  | 'market.training_requested'
  | 'model.activated'
  | 'model.held_back'
  | 'model.rolled_back'
  | 'sale.reviewed'
  | 'portfolio.alerts_dismissed'
  | 'portfolio.alerts_reopened'
  | 'portfolio.balances_changed'
  | 'portfolio.changed'
  | 'portfolio.created'
  | 'portfolio.deleted'
  | 'portfolio.homes_added'
  | 'portfolio.homes_removed'
  | 'portfolio.revalued'
  | 'second_factor.codes_replaced'
  | 'second_factor.turned_off'
  | 'second_factor.turned_on'
  | 'session.revoked'
  | 'sweep.submitted'
  | 'share.created'
  | 'share.revoked'
  | 'sign_in'
  | 'sign_in.refused'
  | 'sign_out'
  | 'user.created'
  | 'user.deleted'
  | 'user.disabled'
  | 'user.enabled'
  | 'user.identity_linked'
  | 'user.identity_unlinked'
  | 'user.password_set'
  | 'user.role_set'
  | 'user.second_factor_reset'
  | 'valuation.challenged'
  | 'valuation.saved'
  | 'valuation.unsaved'
  | 'webhook.endpoint_added'
  | 'webhook.endpoint_removed'
  | 'webhook.redelivered'
  | 'webhook.secret_rotated'
  | 'webhook.test_sent';

/** Who makes a change, when (ms), and for which account. */
export interface AuditedBy extends ActingFor {
  readonly at: number;
}

/** What was changed. Never a secret. */
export type AuditDetail = Readonly<Record<string, JsonValue>>;

/** An entry, as it is read. */
export interface AuditEntry extends AuditedBy {
  readonly auditId: string;
  readonly action: string;
  readonly subject: string;
  readonly detail: AuditDetail;
}

/**
 * Writes an entry in the transaction of the change, so that both are committed or neither. Entries are never
 * changed, except that a person's name is replaced when the person is deleted (erase-audit.ts).
 * `subject`: the id of what was changed; for users, the name.
 */
export async function appendAudit(
  transaction: Pick<StoreTransaction, 'insertInto'>,
  { accountId, at, actor }: AuditedBy,
  action: AuditAction,
  subject: string,
  detail: AuditDetail = {},
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
      words: wordsOf(actor, action, subject, detail),
    })
    .execute();
}

/** The entry of a change at an instant (ms); null if it was not logged, or is no longer kept. */
export async function findAuditAt(
  { db }: StoreDb,
  at: number,
  actions: readonly AuditAction[],
  subject: string,
): Promise<AuditEntry | null> {
  const row = await db
    .selectFrom('audit_log')
    .selectAll()
    .where('auditId', '>=', firstUuidAt(at))
    .where('auditId', '<', firstUuidAt(at + 1))
    .where('action', 'in', [...actions])
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row ? entryOf(row) : null;
}

/** Whether an actor has done something to a subject. */
export async function hasAudit(
  { db }: StoreDb,
  { accountId, actor }: ActingFor,
  action: AuditAction,
  subject: string,
): Promise<boolean> {
  const entry = await db
    .selectFrom('audit_log')
    .select('auditId')
    .where((eb) => eb.and({ accountId, action, subject, actorKind: actor.kind, actorName: actor.name }))
    .executeTakeFirst();
  return entry !== undefined;
}

/** Whether an actor wrote the first entry; true also if there is none. */
export async function isBegunBy({ db }: StoreDb, { kind, name }: Actor): Promise<boolean> {
  const entries = db.selectFrom('audit_log').select(['actorKind', 'actorName']).orderBy('auditId');
  const first = await entries.executeTakeFirst();
  return first === undefined || (first.actorKind === kind && first.actorName === name);
}

/** The text that searches match. The word "key" precedes the name of a key, because people search for "key nightly". */
export function wordsOf({ kind, name }: Actor, action: string, subject: string, detail: AuditDetail): string {
  return foldName([...(kind === 'key' ? [kind] : []), name, action, subject, ...textsOf(detail)].join(' '));
}

/** Names and values, without those that are null, which the console does not show. */
function textsOf(value: JsonValue): string[] {
  if (value === null) return [];
  if (typeof value !== 'object') return [String(value)];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return Object.entries(value).flatMap(([name, member = null]) =>
    member === null ? [] : [name, ...textsOf(member)],
  );
}

export interface AuditSearch {
  /** Null = every account. */
  readonly accountId: string | null;
  /** Words that must all occur in the actor, the action, the subject or the details. For every account, also in the account id. */
  readonly find: string;
  /** Only entries from this instant on, and before that one, in ms; null: all. */
  readonly fromMs?: number | null;
  readonly beforeMs?: number | null;
  readonly limit: number;
  readonly cursor: string | null;
}

/** Searched per statement: about 20 ms of SQLite, which reads on the main thread. All of 200,000 lines took 300 ms. */
const LINES_AT_ONCE = 10_000;

/** Newest first, because ids sort by creation time. A search goes back step by step until it has found enough. */
export async function readAudit(
  store: StoreDb,
  { accountId, find, fromMs = null, beforeMs = null, limit, cursor }: AuditSearch,
  linesAtOnce = LINES_AT_ONCE,
): Promise<Page<AuditEntry>> {
  const words = wordsToFind(find);
  const found: AuditEntry[] = [];
  for (let before = placeOfCursor(cursor, UUID)?.[0] ?? null; ;) {
    let lines = linesBefore(store, accountId, before);
    if (fromMs !== null) lines = lines.where('auditId', '>=', firstUuidAt(fromMs));
    if (beforeMs !== null) lines = lines.where('auditId', '<', firstUuidAt(beforeMs));
    const step = lines
      .select('auditId')
      .limit(1)
      .offset(linesAtOnce - 1);
    const last = words.length === 0 ? undefined : await step.executeTakeFirst();
    let query = lines.selectAll().limit(limit + 1 - found.length);
    if (last) query = query.where('auditId', '>=', last.auditId);
    for (const word of words)
      query = query.where(accountId === null ? isInLineOrAccount(word) : isInLine(word));
    found.push(...(await query.execute()).map(entryOf));
    if (!last || found.length > limit) return pageOf(found, limit, ({ auditId }) => auditId);
    before = last.auditId;
    await yieldToEventLoop();
  }
}

function linesBefore({ db }: StoreDb, accountId: string | null, beforeId: string | null) {
  let query = db.selectFrom('audit_log').orderBy('auditId', 'desc');
  if (accountId !== null) query = query.where('accountId', '=', accountId);
  if (beforeId !== null) query = query.where('auditId', '<', beforeId);
  return query;
}

/** Earlier entries, which are never changed, have their details only as JSON: quotes are escaped, and SQLite folds only ASCII. */
function isInLine(text: string) {
  return sql<boolean>`(${hasWord(text)} or lower(detail) like ${containing(text)} escape '\\')`;
}

function isInLineOrAccount(text: string) {
  return sql<boolean>`(${isInLine(text)} or account_id like ${containing(text)} escape '\\')`;
}

function entryOf({ actorKind, actorId, actorName, words: _words, ...row }: AuditLogTable): AuditEntry {
  return {
    ...row,
    actor: { kind: actorKind, id: actorId, name: actorName },
    detail: parseJsonText<AuditDetail>(row.detail),
  };
}
