import { sql } from 'kysely';
import { appendAudit, type AuditedBy } from './audit-log.ts';
import { containing, hasWord, wordsToFind } from './find-words.ts';
import { jsonText, parseJsonText } from './json-text.ts';
import { pageOf, placeOfCursor, UUID, type Page } from './pages.ts';
import type { Store, StoreDb } from './store.ts';
import type { SavedValuation, SavedValuationTable } from './tables/accounts.ts';
import { inTransaction } from './transaction.ts';
import { foldName } from './users.ts';

/** Saves a valuation, or replaces what was saved of it, with the audit entry. */
export async function saveValuation(store: Store, by: AuditedBy, saved: SavedValuation): Promise<void> {
  const { valuationId, name, tags, note, address } = saved;
  const words = foldName([name, note, address ?? '', ...tags].join(' '));
  await inTransaction(store, async (transaction) => {
    await transaction.deleteFrom('saved_valuations').where('valuationId', '=', valuationId).execute();
    const row = { ...saved, tags: jsonText(tags), words };
    await transaction.insertInto('saved_valuations').values(row).execute();
    await appendAudit(transaction, by, 'valuation.saved', valuationId, { name, tags, note });
  });
}

/** Removes a valuation from the saved ones, with the audit entry. Null if it was not saved. */
export async function removeSavedValuation(
  store: Store,
  by: AuditedBy,
  valuationId: string,
): Promise<SavedValuation | null> {
  return inTransaction(store, async (transaction) => {
    const row = await transaction
      .deleteFrom('saved_valuations')
      .where((eb) => eb.and({ valuationId, accountId: by.accountId }))
      .returningAll()
      .executeTakeFirst();
    if (!row) return null;
    await appendAudit(transaction, by, 'valuation.unsaved', valuationId, { name: row.name });
    return savedOf(row);
  });
}

export interface SavedSearch {
  /** Words that must all occur in the name, the note, the address or the tags. */
  readonly find: string;
  /** Only those with exactly this tag; null for all. */
  readonly tag: string | null;
  readonly limit: number;
  readonly cursor: string | null;
}

/** The newest valuations first: their ids sort by creation time. */
export async function listSavedValuations(
  { db }: StoreDb,
  accountId: string,
  { find, tag, limit, cursor }: SavedSearch,
): Promise<Page<SavedValuation>> {
  let query = db
    .selectFrom('saved_valuations')
    .selectAll()
    .where('accountId', '=', accountId)
    .orderBy('valuationId', 'desc')
    .limit(limit + 1);
  const before = placeOfCursor(cursor, UUID)?.[0];
  if (before !== undefined) query = query.where('valuationId', '<', before);
  for (const word of wordsToFind(find)) query = query.where(hasWord(word));
  if (tag !== null) query = query.where(sql<boolean>`tags like ${containing(jsonText(tag))} escape '\\'`);
  return pageOf((await query.execute()).map(savedOf), limit, ({ valuationId }) => valuationId);
}

function savedOf({ words: _words, ...row }: SavedValuationTable): SavedValuation {
  return { ...row, tags: parseJsonText<readonly string[]>(row.tags) };
}
