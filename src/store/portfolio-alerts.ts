import type { Selectable } from 'kysely';
import type { AlertStatus } from '../domain/portfolio.ts';
import { bulkTable } from './bulk-table.ts';
import { pageOf, placeOfCursor, type Page } from './pages.ts';
import type { Reader, Store, StoreDb, StoreTransaction } from './store.ts';
import type { PortfolioAlertTable } from './tables/portfolios.ts';

export type PortfolioAlert = Selectable<PortfolioAlertTable>;
/** An alert before it has a number. */
export type NewAlert = Pick<PortfolioAlert, 'kind' | 'detail'>;

/** Numbers alerts after those that the portfolio has, and writes them. */
export async function insertAlerts(
  store: Pick<Store, 'insertRows'>,
  transaction: StoreTransaction,
  of: Pick<PortfolioAlert, 'accountId' | 'portfolioId' | 'runNo'>,
  alerts: readonly NewAlert[],
): Promise<void> {
  const { alertCount } = await transaction
    .updateTable('portfolios')
    .set((eb) => ({ alertCount: eb('alertCount', '+', alerts.length) }))
    .where('portfolioId', '=', of.portfolioId)
    .returning('alertCount')
    .executeTakeFirstOrThrow();
  const first = alertCount - alerts.length + 1;
  const open = { dismissedAt: null, dismissedBy: null };
  const rows = alerts.map((alert, i) => ({ ...alert, ...of, ...open, alertNo: first + i }));
  await store.insertRows(transaction, ALERTS, rows);
}

const ALERTS = bulkTable<PortfolioAlert>('portfolio_alerts', {
  accountId: 'text',
  portfolioId: 'text',
  alertNo: 'int4',
  runNo: 'int4',
  kind: 'text',
  detail: 'text',
  dismissedAt: 'int8',
  dismissedBy: 'text',
});

interface AlertSearch {
  readonly kind: PortfolioAlert['kind'] | null;
  readonly runNo: number | null;
  readonly status: AlertStatus;
  readonly limit: number;
  readonly cursor: string | null;
}

/** The alerts of a portfolio, newest first. Throws `invalid_cursor`. */
export async function listAlerts(
  db: Reader,
  portfolioId: string,
  { kind, runNo, status, limit, cursor }: AlertSearch,
): Promise<Page<PortfolioAlert>> {
  let query = db
    .selectFrom('portfolio_alerts')
    .selectAll()
    .where('portfolioId', '=', portfolioId)
    .orderBy('alertNo', 'desc')
    .limit(limit + 1);
  const before = placeOfCursor(cursor, /^\d{1,9}$/)?.[0];
  if (before !== undefined) query = query.where('alertNo', '<', Number(before));
  if (kind !== null) query = query.where('kind', '=', kind);
  if (runNo !== null) query = query.where('runNo', '=', runNo);
  if (status !== 'all') query = query.where('dismissedAt', status === 'open' ? 'is' : 'is not', null);
  return pageOf(await query.execute(), limit, ({ alertNo }) => String(alertNo));
}

/** The alerts of a run by kind. */
export async function countAlerts(
  db: Reader,
  portfolioId: string,
  runNo: number,
): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('portfolio_alerts')
    .select(({ fn }) => ['kind', fn.countAll<number | string>().as('alerts')])
    .where((eb) => eb.and({ portfolioId, runNo }))
    .groupBy('kind')
    .orderBy('kind')
    .execute();
  return Object.fromEntries(rows.map(({ kind, alerts }) => [kind, Number(alerts)]));
}

/** Alerts of a portfolio, by their numbers or by the first and the last one; of any kind if that is null. */
export type SomeAlerts =
  | { readonly alertNos: readonly number[] }
  | { readonly first: number; readonly last: number; readonly kind: PortfolioAlert['kind'] | null };

/**
 * The time of a new dismissal: now, or a millisecond after the one before if that is not earlier. Two people can dismiss
 * alerts in one millisecond, and a clock can be set back.
 */
export async function nextDismissalTime({ db }: StoreDb, portfolioId: string, now: number): Promise<number> {
  const { lastDismissedAt } = await db
    .updateTable('portfolios')
    .set((eb) => ({
      lastDismissedAt: eb
        .case()
        .when('lastDismissedAt', '>=', now)
        .then(eb('lastDismissedAt', '+', 1))
        .else(now)
        .end(),
    }))
    .where('portfolioId', '=', portfolioId)
    .returning('lastDismissedAt')
    .executeTakeFirstOrThrow();
  return Number(lastDismissedAt);
}

/** Dismisses those of some alerts that are open. Returns their number, and writes nothing if there are none. */
export async function dismissOpenAlerts(
  transaction: StoreTransaction,
  portfolioId: string,
  some: SomeAlerts,
  { dismissedAt, dismissedBy }: { readonly dismissedAt: number; readonly dismissedBy: string },
): Promise<number> {
  const { numUpdatedRows } = await alertsToUpdate(transaction, portfolioId, some)
    .set({ dismissedAt, dismissedBy })
    .where('dismissedAt', 'is', null)
    .executeTakeFirstOrThrow();
  await addDismissed(transaction, portfolioId, Number(numUpdatedRows));
  return Number(numUpdatedRows);
}

/**
 * Reopens those of some alerts that are dismissed, or were dismissed at a time (ms). Returns their number, and writes nothing
 * if there are none.
 */
export async function reopenDismissedAlerts(
  transaction: StoreTransaction,
  portfolioId: string,
  some: SomeAlerts,
  dismissedAt: number | null,
): Promise<number> {
  const update = alertsToUpdate(transaction, portfolioId, some).set({ dismissedAt: null, dismissedBy: null });
  const { numUpdatedRows } = await (
    dismissedAt === null
      ? update.where('dismissedAt', 'is not', null)
      : update.where('dismissedAt', '=', dismissedAt)
  ).executeTakeFirstOrThrow();
  await addDismissed(transaction, portfolioId, -Number(numUpdatedRows));
  return Number(numUpdatedRows);
}

function alertsToUpdate(transaction: StoreTransaction, portfolioId: string, some: SomeAlerts) {
  const ofPortfolio = transaction.updateTable('portfolio_alerts').where('portfolioId', '=', portfolioId);
  if ('alertNos' in some) return ofPortfolio.where('alertNo', 'in', [...some.alertNos]);
  const inRange = ofPortfolio.where('alertNo', '>=', some.first).where('alertNo', '<=', some.last);
  return some.kind === null ? inRange : inRange.where('kind', '=', some.kind);
}

async function addDismissed(
  transaction: StoreTransaction,
  portfolioId: string,
  alerts: number,
): Promise<void> {
  if (alerts === 0) return;
  await transaction
    .updateTable('portfolios')
    .set((eb) => ({ dismissedCount: eb('dismissedCount', '+', alerts) }))
    .where('portfolioId', '=', portfolioId)
    .execute();
}
