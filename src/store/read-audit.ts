import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { JsonValue } from '../domain/json.ts';
import type { AuditEntry } from './audit-log.ts';
import type { AuditLogTable } from './console-tables.ts';
import { parseJsonText } from './json-text.ts';
import type { Store } from './store.ts';
import { foldName } from './users.ts';

export interface AuditFilter {
  /** Null = of every account. */
  readonly accountId: string | null;
  /** Words, in any spelling, of which each stands in who did it, what was done or of what; of every account, also in whose matter it is. */
  readonly find: string;
  /** The last one of the page before. */
  readonly beforeId: string | null;
  readonly limit: number;
}

/** Looked through in one statement: some 20 ms of SQLite, which reads in the thread that answers. All of 200,000 lines at once took 300. */
const LINES_AT_ONCE = 10_000;

/** Newest first: ids sort by the time they were made. What is looked for is, step by step, until there is enough. */
export async function listAudit(
  store: Pick<Store, 'db'>,
  { accountId, find, beforeId, limit }: AuditFilter,
  linesAtOnce = LINES_AT_ONCE,
): Promise<AuditEntry[]> {
  const words = foldName(find)
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) {
    const rows = await linesOf(store, { accountId, beforeId }).selectAll('audit_log').limit(limit).execute();
    return rows.map(entryOf);
  }
  const found: AuditEntry[] = [];
  for (let before = beforeId; ;) {
    const step = { accountId, beforeId: before };
    const last = await linesOf(store, step)
      .select('audit_log.audit_id')
      .limit(1)
      .offset(linesAtOnce - 1)
      .executeTakeFirst();
    let query = linesOf(store, step)
      .leftJoin('audit_words', 'audit_words.audit_id', 'audit_log.audit_id')
      .selectAll('audit_log');
    if (last) query = query.where('audit_log.audit_id', '>=', last.audit_id);
    for (const word of words) query = query.where(hasWord(word, accountId === null));
    found.push(...(await query.limit(limit - found.length).execute()).map(entryOf));
    if (!last || found.length >= limit) return found;
    before = last.audit_id;
    await nextTurn();
  }
}

function linesOf(
  { db }: Pick<Store, 'db'>,
  { accountId, beforeId }: Pick<AuditFilter, 'accountId' | 'beforeId'>,
) {
  let query = db.selectFrom('audit_log').orderBy('audit_log.audit_id', 'desc');
  if (accountId !== null) query = query.where('account_id', '=', accountId);
  if (beforeId !== null) query = query.where('audit_log.audit_id', '<', beforeId);
  return query;
}

/** Whether a text stands in what a line is found by, as it is written: `%` and `_` mean themselves. */
function hasWord(text: string, withAccount: boolean) {
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
  // As `wordsOf` has it, of a line that was written without.
  const ownWords = sql`lower(case actor_kind when 'key' then 'key ' else '' end || actor_name || ' ' || action || ' ' || subject)`;
  const isThere = sql<boolean>`coalesce(words, ${ownWords}) like ${pattern} escape '\\'`;
  return withAccount ? sql<boolean>`(${isThere} or account_id like ${pattern} escape '\\')` : isThere;
}

function entryOf(row: AuditLogTable): AuditEntry {
  return {
    auditId: row.audit_id,
    accountId: row.account_id,
    at: row.at,
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    action: row.action,
    subject: row.subject,
    detail: parseJsonText<Record<string, JsonValue>>(row.detail),
  };
}
