import type { Insertable, Selectable } from 'kysely';
import { bulkTable } from './bulk-table.ts';
import { insertAlerts, type NewAlert } from './portfolio-alerts.ts';
import type { Reader, Store, StoreDb, StoreTransaction } from './store.ts';
import type { JobStatus } from './tables/jobs.ts';
import type { PortfolioHomeTable, PortfolioRunTable, PortfolioTable } from './tables/portfolios.ts';

export type PortfolioRow = Selectable<PortfolioTable>;
export type PortfolioHome = Selectable<PortfolioHomeTable>;
export type PortfolioRun = Selectable<PortfolioRunTable>;

export async function insertPortfolio(
  transaction: StoreTransaction,
  portfolio: Insertable<PortfolioTable>,
): Promise<void> {
  await transaction.insertInto('portfolios').values(portfolio).execute();
}

/** An account's portfolio; null for an unknown id and for another account's portfolio. */
export async function findPortfolio(
  db: Reader,
  accountId: string,
  portfolioId: string,
): Promise<PortfolioRow | null> {
  const row = await db
    .selectFrom('portfolios')
    .selectAll()
    .where((eb) => eb.and({ portfolioId, accountId }))
    .executeTakeFirst();
  return row ?? null;
}

/** The portfolios of an account, or of all accounts if it is null, oldest first. */
export async function listPortfolios(db: Reader, accountId: string | null): Promise<PortfolioRow[]> {
  const all = db.selectFrom('portfolios').selectAll().orderBy('portfolioId');
  return (accountId === null ? all : all.where('accountId', '=', accountId)).execute();
}

const HOMES = bulkTable<PortfolioHome>('portfolio_homes', {
  accountId: 'text',
  portfolioId: 'text',
  homeNo: 'int4',
  propertyId: 'text',
  request: 'text',
  balanceUsd: 'float8',
  latest: 'text',
});

/**
 * Adds homes after those that the portfolio has. Null, and nothing is written, if these have changed since the portfolio was
 * read.
 */
export async function addHomes(
  store: Pick<Store, 'insertRows'>,
  transaction: StoreTransaction,
  {
    accountId,
    portfolioId,
    homeCount,
    nextHomeNo,
  }: Pick<PortfolioRow, 'accountId' | 'portfolioId' | 'homeCount' | 'nextHomeNo'>,
  homes: readonly Omit<PortfolioHome, 'accountId' | 'portfolioId' | 'homeNo'>[],
): Promise<number | null> {
  const added = homeCount + homes.length;
  const { numUpdatedRows } = await transaction
    .updateTable('portfolios')
    .set({ homeCount: added, nextHomeNo: nextHomeNo + homes.length })
    .where((eb) => eb.and({ portfolioId, homeCount, nextHomeNo }))
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return null;
  const rows = homes.map((home, i) => ({ ...home, accountId, portfolioId, homeNo: nextHomeNo + i }));
  await store.insertRows(transaction, HOMES, rows);
  return added;
}

/** Home numbers of one statement. */
const REMOVED_AT_ONCE = 500;

/** Removes homes. Returns how many there were, and how many are left. */
export async function deleteHomes(
  transaction: StoreTransaction,
  portfolioId: string,
  homeNos: readonly number[],
): Promise<{ readonly removed: number; readonly left: number }> {
  let removed = 0;
  for (let from = 0; from < homeNos.length; from += REMOVED_AT_ONCE) {
    const { numDeletedRows } = await transaction
      .deleteFrom('portfolio_homes')
      .where('portfolioId', '=', portfolioId)
      .where('homeNo', 'in', homeNos.slice(from, from + REMOVED_AT_ONCE))
      .executeTakeFirst();
    removed += Number(numDeletedRows);
  }
  const { homeCount: left } = await transaction
    .updateTable('portfolios')
    .set((eb) => ({ homeCount: eb('homeCount', '-', removed) }))
    .where('portfolioId', '=', portfolioId)
    .returning('homeCount')
    .executeTakeFirstOrThrow();
  return { removed, left };
}

/** Replaces the name and the rules of a portfolio. */
export async function updatePortfolio(
  transaction: StoreTransaction,
  portfolioId: string,
  { name, rules }: Pick<PortfolioRow, 'name' | 'rules'>,
): Promise<void> {
  await transaction
    .updateTable('portfolios')
    .set({ name, rules })
    .where('portfolioId', '=', portfolioId)
    .execute();
}

/** Replaces the loan balance of a home. */
export async function updateBalance(
  transaction: StoreTransaction,
  { portfolioId, homeNo }: Pick<PortfolioHome, 'portfolioId' | 'homeNo'>,
  balanceUsd: number | null,
): Promise<void> {
  await transaction
    .updateTable('portfolio_homes')
    .set({ balanceUsd })
    .where((eb) => eb.and({ portfolioId, homeNo }))
    .execute();
}

/** Homes of a portfolio from a number on. */
export function readHomes(
  db: Reader,
  portfolioId: string,
  { from, limit }: { readonly from: number; readonly limit: number },
): Promise<PortfolioHome[]> {
  return homesFrom(db, portfolioId, from, limit).selectAll().execute();
}

/** The number, the request, the loan balance and the latest value of homes from a number on. */
export function readHomeValues(
  db: Reader,
  portfolioId: string,
  { from, limit }: { readonly from: number; readonly limit: number },
): Promise<Pick<PortfolioHome, 'homeNo' | 'request' | 'balanceUsd' | 'latest'>[]> {
  return homesFrom(db, portfolioId, from, limit)
    .select(['homeNo', 'request', 'balanceUsd', 'latest'])
    .execute();
}

function homesFrom(db: Reader, portfolioId: string, from: number, limit: number) {
  return db
    .selectFrom('portfolio_homes')
    .where('portfolioId', '=', portfolioId)
    .where('homeNo', '>=', from)
    .orderBy('homeNo')
    .limit(limit);
}

/** Begins a run. False, and nothing is written, if another run has begun since the portfolio was read. */
export async function beginPortfolioRun(
  transaction: StoreTransaction,
  { runNo, portfolioId, ...run }: Omit<PortfolioRun, 'comparedAt' | 'leaseUntil' | 'alertCount'>,
  basis: string,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('portfolios')
    .set({ runCount: runNo, basis, problem: null, triedAt: null })
    .where((eb) => eb.and({ portfolioId, runCount: runNo - 1 }))
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  const open = { comparedAt: null, leaseUntil: 0, alertCount: 0 };
  await transaction
    .insertInto('portfolio_runs')
    .values({ ...run, ...open, portfolioId, runNo })
    .execute();
  return true;
}

/** Replaces the basis of a portfolio, of which a run has found more markets. */
export async function saveBasis(
  transaction: StoreTransaction,
  portfolioId: string,
  basis: string,
): Promise<void> {
  await transaction.updateTable('portfolios').set({ basis }).where('portfolioId', '=', portfolioId).execute();
}

/** Records why a run that was due could not begin. */
export async function recordProblem(
  { db }: StoreDb,
  portfolioId: string,
  problem: string,
  triedAt: number,
): Promise<void> {
  await db
    .updateTable('portfolios')
    .set({ problem, triedAt })
    .where('portfolioId', '=', portfolioId)
    .execute();
}

/** A run with the state of its batch. */
export interface RunWithJob extends PortfolioRun {
  readonly status: JobStatus;
  readonly finishedAt: number | null;
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  readonly creditsUsed: number;
}

/** The runs of a portfolio, newest first. */
export function listRuns(db: Reader, portfolioId: string, limit: number): Promise<RunWithJob[]> {
  return runsWithJobs(db)
    .where('run.portfolioId', '=', portfolioId)
    .orderBy('runNo', 'desc')
    .limit(limit)
    .execute();
}

/** A run of a portfolio; null if it has none with this number. */
export async function findRun(db: Reader, portfolioId: string, runNo: number): Promise<RunWithJob | null> {
  const run = await runsWithJobs(db)
    .where((eb) => eb.and({ 'run.portfolioId': portfolioId, 'run.runNo': runNo }))
    .executeTakeFirst();
  return run ?? null;
}

export async function findPortfolioOfJob(db: Reader, jobId: string): Promise<string | null> {
  const run = await db
    .selectFrom('portfolio_runs')
    .select('portfolioId')
    .where('jobId', '=', jobId)
    .executeTakeFirst();
  return run?.portfolioId ?? null;
}

/** The newest runs of all portfolios of an account. */
export async function listRunsOfAccount(
  { db }: StoreDb,
  accountId: string,
  limit: number,
): Promise<(Pick<PortfolioRunTable, 'jobId' | 'runNo'> & Pick<PortfolioRow, 'name'>)[]> {
  return db
    .selectFrom('portfolio_runs as run')
    .innerJoin('portfolios', 'portfolios.portfolioId', 'run.portfolioId')
    .select(['run.jobId', 'run.runNo', 'portfolios.name'])
    .where('portfolios.accountId', '=', accountId)
    .orderBy('run.jobId', 'desc')
    .limit(limit)
    .execute();
}

function runsWithJobs(db: Reader) {
  return db
    .selectFrom('portfolio_runs as run')
    .innerJoin('jobs', 'jobs.jobId', 'run.jobId')
    .selectAll('run')
    .select(['status', 'finishedAt', 'total', 'completed', 'failed', 'creditsUsed']);
}

/** Runs whose batch has ended and whose values were not compared, if nobody compares them now. */
function runsToCompare(db: Reader, now: number) {
  return runsWithJobs(db)
    .where('run.leaseUntil', '<', now)
    .where('jobs.finishedAt', 'is not', null)
    .orderBy('run.createdAt');
}

export async function isRunToCompare({ db }: StoreDb, now: number): Promise<boolean> {
  return (await runsToCompare(db, now).limit(1).executeTakeFirst()) !== undefined;
}

/** Reserves a run for this worker until `leaseUntil`. Null if no run waits to be compared. */
export async function claimRun(
  { db }: StoreDb,
  { now, leaseUntil }: { readonly now: number; readonly leaseUntil: number },
): Promise<RunWithJob | null> {
  for (const run of await runsToCompare(db, now).execute()) {
    const { portfolioId, runNo } = run;
    const { numUpdatedRows } = await db
      .updateTable('portfolio_runs')
      .set({ leaseUntil })
      .where((eb) => eb.and({ portfolioId, runNo }))
      .where('leaseUntil', '<', now)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n) return run;
  }
  return null;
}

/** Keeps a reserved run until `leaseUntil`, unless it was compared. */
export async function renewRun(
  { db }: StoreDb,
  { portfolioId, runNo }: PortfolioRun,
  leaseUntil: number,
): Promise<void> {
  await db
    .updateTable('portfolio_runs')
    .set({ leaseUntil })
    .where((eb) => eb.and({ portfolioId, runNo, comparedAt: null }))
    .execute();
}

/**
 * Ends the comparison of a run: its homes have new values, and its alerts are numbered. False, and nothing is written, if it
 * was ended before.
 */
export async function endRun(
  store: Pick<Store, 'insertRows'>,
  transaction: StoreTransaction,
  { accountId, portfolioId, runNo }: PortfolioRun,
  {
    at,
    alerts,
    latest,
  }: {
    readonly at: number;
    readonly alerts: readonly NewAlert[];
    /** By number of the home. */
    readonly latest: ReadonlyMap<number, string>;
  },
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('portfolio_runs')
    .set({ comparedAt: at, leaseUntil: null, alertCount: alerts.length })
    .where((eb) => eb.and({ portfolioId, runNo, comparedAt: null }))
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  await insertAlerts(store, transaction, { accountId, portfolioId, runNo }, alerts);
  for (const [homeNo, text] of latest) {
    await transaction
      .updateTable('portfolio_homes')
      .set({ latest: text })
      .where((eb) => eb.and({ portfolioId, homeNo }))
      .execute();
  }
  return true;
}

/** Deletes a portfolio with everything that belongs to it. Its valuations and batches stay. */
export async function deletePortfolio(transaction: StoreTransaction, portfolioId: string): Promise<void> {
  for (const table of ['portfolio_alerts', 'portfolio_runs', 'portfolio_homes', 'portfolios'] as const) {
    await transaction.deleteFrom(table).where('portfolioId', '=', portfolioId).execute();
  }
}
