import { isUniqueViolation } from './database-errors.ts';
import { appendAudit, type ActingFor } from './audit-log.ts';
import { insertCharges } from './credit-ledger.ts';
import { pageOf, placeOfCursor, UUID, type Page } from './pages.ts';
import type { Store, StoreTransaction } from './store.ts';
import type { ChallengeRecord, Charge, ValuationRecord } from './tables/accounts.ts';
import { inTransaction } from './transaction.ts';
import { insertValuations } from './valuation-log.ts';

/** Versions are numbered in the transaction; two challenges of one valuation at the same moment try again. */
const ATTEMPTS = 5;

type NewChallenge = Pick<
  ChallengeRecord,
  'valuationId' | 'originalId' | 'accountId' | 'createdAt' | 'note' | 'originalUsd' | 'changedUsd' | 'address'
>;

/** Commits a challenge with its valuation, its charge and its audit entry. */
export async function addChallenge(
  store: Store,
  by: ActingFor,
  challenge: NewChallenge,
  valuation: ValuationRecord,
  charge: Charge | null,
): Promise<ChallengeRecord> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await inTransaction(store, async (transaction) => {
        const record = await numbered(transaction, by, challenge);
        await insertValuations(store, transaction, [valuation]);
        await insertCharges(store, transaction, charge === null ? [] : [charge]);
        await transaction.insertInto('challenges').values(record).execute();
        const detail = { original: record.originalId, version: record.version };
        const made = { ...by, at: record.createdAt };
        await appendAudit(transaction, made, 'valuation.challenged', record.valuationId, detail);
        return record;
      });
    } catch (error) {
      if (attempt === ATTEMPTS || !isUniqueViolation(error)) throw error;
    }
  }
}

async function numbered(
  transaction: StoreTransaction,
  { actor }: ActingFor,
  challenge: NewChallenge,
): Promise<ChallengeRecord> {
  const { originalId } = challenge;
  const newest = await transaction
    .selectFrom('challenges')
    .select((eb) => eb.fn.max('version').as('version'))
    .where('originalId', '=', originalId)
    .executeTakeFirst();
  const undecided = { decision: null, decidedAt: null, decidedBy: null, decisionReason: null };
  return { ...challenge, ...undecided, version: Number(newest?.version ?? 0) + 1, createdBy: actor.name };
}

/** A challenge by its changed valuation; null also for another account's. */
export async function findChallenge(
  { db }: Pick<Store, 'db'>,
  accountId: string,
  valuationId: string,
): Promise<ChallengeRecord | null> {
  const row = await db
    .selectFrom('challenges')
    .selectAll()
    .where((eb) => eb.and({ valuationId, accountId }))
    .executeTakeFirst();
  return row ?? null;
}

/** The challenges of a valuation, by version. */
export async function listChallenges(
  { db }: Pick<Store, 'db'>,
  accountId: string,
  originalId: string,
): Promise<ChallengeRecord[]> {
  const ofOriginal = db
    .selectFrom('challenges')
    .selectAll()
    .where((eb) => eb.and({ originalId, accountId }));
  return ofOriginal.orderBy('version').execute();
}

export interface ChallengeSearch {
  /** `open` ones have no decision; null for all. */
  readonly state: 'open' | DecisionOnChallenge['decision'] | null;
  /** As responses write it; absent or null for all homes. */
  readonly address?: string | null;
  readonly limit: number;
  readonly cursor: string | null;
}

/** The newest challenges of an account first: their ids sort by creation time. */
export async function listAccountChallenges(
  { db }: Pick<Store, 'db'>,
  accountId: string,
  { state, address = null, limit, cursor }: ChallengeSearch,
): Promise<Page<ChallengeRecord>> {
  let query = db
    .selectFrom('challenges')
    .selectAll()
    .where('accountId', '=', accountId)
    .orderBy('valuationId', 'desc')
    .limit(limit + 1);
  const before = placeOfCursor(cursor, UUID)?.[0];
  if (before !== undefined) query = query.where('valuationId', '<', before);
  if (address !== null) query = query.where('address', '=', address);
  if (state === 'open') query = query.where('decision', 'is', null);
  else if (state !== null) query = query.where('decision', '=', state);
  return pageOf(await query.execute(), limit, ({ valuationId }) => valuationId);
}

export interface DecisionOnChallenge {
  readonly decision: NonNullable<ChallengeRecord['decision']>;
  readonly reason: string;
}

/** Writes a decision with its audit entry and what follows from it. Null if the challenge is already decided. */
export async function decideChallenge(
  transaction: StoreTransaction,
  by: ActingFor,
  valuationId: string,
  { decision, reason }: DecisionOnChallenge,
  at: number,
): Promise<ChallengeRecord | null> {
  const { accountId, actor } = by;
  const decided = await transaction
    .updateTable('challenges')
    .set({ decision, decidedAt: at, decidedBy: actor.name, decisionReason: reason })
    .where((eb) => eb.and({ valuationId, accountId }))
    .where('decision', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (!decided) return null;
  const detail = { decision, reason, original: decided.originalId, version: decided.version };
  await appendAudit(transaction, { ...by, at }, 'challenge.decided', valuationId, detail);
  return decided;
}
