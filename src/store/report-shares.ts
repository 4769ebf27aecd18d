import type { Preparation } from '../domain/report.ts';
import { jsonText, parseJsonText } from './json-text.ts';
import type { Store, StoreDb, StoreTransaction } from './store.ts';
import type { AccountLogo, ReportShare } from './tables/accounts.ts';

const COLUMNS = [
  'shareId',
  'accountId',
  'valuationId',
  'version',
  'createdAt',
  'expiresAt',
  'revokedAt',
  'opened',
  'lastOpenedAt',
] as const satisfies readonly (keyof ReportShare)[];

/** A link, with what its report says about who prepared it. */
export interface PreparedShare extends ReportShare {
  readonly preparation: Preparation;
}

export async function insertShare(
  transaction: StoreTransaction,
  share: ReportShare,
  secretSha256: string,
  preparation: Preparation = {},
): Promise<void> {
  await transaction
    .insertInto('report_shares')
    .values({ ...share, secretSha256, preparation: jsonText({ ...preparation }) })
    .execute();
}

/** The share links of a valuation, newest first. */
export function listShares({ db }: StoreDb, accountId: string, valuationId: string): Promise<ReportShare[]> {
  return db
    .selectFrom('report_shares')
    .select(COLUMNS)
    .where((eb) => eb.and({ accountId, valuationId }))
    .orderBy('shareId', 'desc')
    .execute();
}

/** Null for an unknown secret. */
export async function findShareBySecret(
  { db }: StoreDb,
  secretSha256: string,
): Promise<PreparedShare | null> {
  const query = db.selectFrom('report_shares').select([...COLUMNS, 'preparation']);
  const row = await query.where('secretSha256', '=', secretSha256).executeTakeFirst();
  return row ? { ...row, preparation: parseJsonText<Preparation>(row.preparation ?? '{}') } : null;
}

/** Null if the valuation has no such link, or it was revoked before. */
export async function revokeShare(
  transaction: StoreTransaction,
  { accountId, valuationId, shareId }: Pick<ReportShare, 'accountId' | 'valuationId' | 'shareId'>,
  revokedAt: number,
): Promise<ReportShare | null> {
  const row = await transaction
    .updateTable('report_shares')
    .set({ revokedAt })
    .where((eb) => eb.and({ accountId, valuationId, shareId }))
    .where('revokedAt', 'is', null)
    .returning(COLUMNS)
    .executeTakeFirst();
  return row ?? null;
}

export async function countShareOpening(
  { db }: StoreDb,
  shareId: string,
  lastOpenedAt: number,
): Promise<void> {
  await db
    .updateTable('report_shares')
    .set((eb) => ({ opened: eb('opened', '+', 1), lastOpenedAt }))
    .where('shareId', '=', shareId)
    .execute();
}

export async function findLogo({ db }: Store, accountId: string): Promise<AccountLogo | null> {
  const query = db.selectFrom('account_logos').selectAll().where('accountId', '=', accountId);
  return (await query.executeTakeFirst()) ?? null;
}

/** Replaces the logo of an account; null removes it. */
export async function replaceLogo(
  transaction: StoreTransaction,
  accountId: string,
  logo: Omit<AccountLogo, 'accountId'> | null,
): Promise<void> {
  await transaction.deleteFrom('account_logos').where('accountId', '=', accountId).execute();
  if (logo === null) return;
  const { type, base64 } = logo;
  await transaction.insertInto('account_logos').values({ accountId, type, base64 }).execute();
}
