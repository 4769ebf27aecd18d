import { dayOfInstant } from '../domain/day.ts';
import type { LatestValue, PortfolioRules, RunCause } from '../domain/portfolio.ts';
import { PlumblineError } from '../errors.ts';
import { readCatalog } from '../operations/market-data/market-catalog.ts';
import type { PropertyValuationRequest } from '../operations/valuation-types.ts';
import { addUpLoans } from '../operations/portfolio/add-up-loans.ts';
import { findAlerts, type FoundAlert } from '../operations/portfolio/find-alerts.ts';
import { MOST_PORTFOLIO_HOMES } from '../schemas/portfolios.ts';
import { appendAudit, type ActingFor } from '../store/audit-log.ts';
import { parseJsonText } from '../store/json-text.ts';
import { insertAlerts, type NewAlert } from '../store/portfolio-alerts.ts';
import {
  addHomes,
  beginPortfolioRun,
  deletePortfolio,
  findPortfolio,
  findPortfolioOfJob,
  findRun,
  insertPortfolio,
  listPortfolios,
  listRuns,
  type PortfolioRow,
  type PortfolioRun,
  type RunWithJob,
} from '../store/portfolios.ts';
import type { StoreDb, StoreTransaction } from '../store/store.ts';
import { inTransaction } from '../store/transaction.ts';
import type { Idempotency, Submitter, SubmittingPayer, Submission } from './batch-types.ts';
import { basisIn, basisOfValue, isSettled, marketsOf, type Basis } from './portfolio-basis.ts';
import { homeRangesText, homeValuesOf, itemOn, itemsOf } from './portfolio-homes.ts';
import { addUpHomes, type PortfolioTotals } from './portfolio-totals.ts';
import { runCreditsMax, submitRun, type SubmitDeps } from './submit-batch.ts';

/** A portfolio with its newest runs. */
export interface Portfolio {
  readonly row: PortfolioRow;
  readonly rules: PortfolioRules;
  readonly runs: readonly RunWithJob[];
  readonly totals: PortfolioTotals;
}

/** A home to watch. */
export interface NewHome {
  readonly propertyId: string | null;
  readonly request: PropertyValuationRequest;
  readonly balanceUsd: number | null;
  /** A value that it already has. */
  readonly latest?: LatestValue;
}

interface NewPortfolio {
  readonly name: string;
  readonly rules: PortfolioRules;
  readonly homes: readonly NewHome[];
}

/** A portfolio, and whether an earlier request with the same Idempotency-Key created it or began its run. */
export interface SubmittedPortfolio extends Portfolio {
  readonly isReplay: boolean;
}

const MOST_PORTFOLIOS = 100;
const RUNS_SHOWN = 20;

/** Shown in the console, too. */
export const NO_SUCH_PORTFOLIO = 'Your account has no such portfolio. It may have been deleted.';

/** The portfolios of accounts. Another account's portfolio and one that never existed both give `not_found`. */
export function createPortfolios(deps: SubmitDeps) {
  const { store } = deps;
  const read = async (accountId: string, portfolioId: string): Promise<Portfolio> => {
    const row = await rowOf(deps, accountId, portfolioId);
    const runs = await listRuns(store.db, portfolioId, RUNS_SHOWN);
    const totals = await addUpHomes(homeValuesOf(store, portfolioId));
    return { row, rules: rulesOf(row), runs, totals };
  };
  return {
    read,
    list: (accountId: string) => listPortfolios(store.db, accountId),
    /** The most that the first run costs. */
    creditsMax: (homes: readonly NewHome[]) => runCreditsMax(homes.map(itemOfHome)),
    create: async (
      payer: Submitter,
      portfolio: NewPortfolio,
      idempotency: Idempotency | null = null,
    ): Promise<SubmittedPortfolio> => {
      const { portfolioId, isReplay } = await createPortfolio(deps, payer, portfolio, idempotency);
      return { ...(await read(payer.accountId, portfolioId)), isReplay };
    },
    add: async (by: ActingFor, portfolioId: string, homes: readonly NewHome[]) => {
      await addToPortfolio(deps, by, await rowOf(deps, by.accountId, portfolioId), homes);
      return read(by.accountId, portfolioId);
    },
    /** The most that a run costs now. */
    revalueCreditsMax: async (accountId: string, portfolioId: string) =>
      runCreditsMax((await itemsOf(deps, await rowOf(deps, accountId, portfolioId))).items),
    /** Throws `conflict` while a run has not been compared, and the errors of a batch. */
    revalue: async (
      payer: Submitter,
      portfolioId: string,
      idempotency: Idempotency | null = null,
    ): Promise<SubmittedPortfolio> => {
      const row = await rowOf(deps, payer.accountId, portfolioId);
      const { entries } = await readCatalog(store);
      // Otherwise some values may be of the data before: then an automatic run follows.
      const now = deps.clock();
      const isNew = isSettled(entries, row, now);
      const basis = isNew
        ? basisIn(entries, marketsOf(row), dayOfInstant(now))
        : parseJsonText<Basis>(row.basis);
      const { isReplay } = await startRun(deps, payer, row, { cause: 'requested', basis, idempotency });
      return { ...(await read(payer.accountId, portfolioId)), isReplay };
    },
    remove: (by: ActingFor, portfolioId: string) => removePortfolio(deps, by, portfolioId),
  };
}

export type Portfolios = ReturnType<typeof createPortfolios>;

/** @throws PlumblineError `not_found` */
export async function rowOf(
  { store }: Pick<SubmitDeps, 'store'>,
  accountId: string,
  portfolioId: string,
): Promise<PortfolioRow> {
  const row = await findPortfolio(store.db, accountId, portfolioId);
  if (row) return row;
  throw new PlumblineError('not_found', NO_SUCH_PORTFOLIO);
}

/** How many alerts were not dismissed. */
export function openAlertsOf({ alertCount, dismissedCount }: PortfolioRow): number {
  return alertCount - dismissedCount;
}

export function rulesOf({ rules }: PortfolioRow): PortfolioRules {
  return parseJsonText<PortfolioRules>(rules);
}

function itemOfHome({ propertyId, request }: NewHome) {
  return { propertyId, request: JSON.stringify(request) };
}

/** `ltvLimitPct`: the limit that its loans were compared with. */
function storedHome(home: NewHome, ltvLimitPct: number | null) {
  const { balanceUsd, latest } = home;
  const compared = latest && { ...latest, balanceUsd, ltvLimitPct };
  return { ...itemOfHome(home), balanceUsd, latest: compared ? JSON.stringify(compared) : null };
}

/** Creates a portfolio, and the batch of its first run unless all of its homes have a value already. */
async function createPortfolio(
  deps: SubmitDeps,
  payer: Submitter,
  { name, rules, homes }: NewPortfolio,
  idempotency: Idempotency | null,
): Promise<{ readonly portfolioId: string; readonly isReplay: boolean }> {
  const { store, clock, newId } = deps;
  const { accountId, actor } = payer;
  rejectTooMany(homes.length);
  const portfolioId = newId();
  const at = clock().getTime();
  const counts = { homeCount: 0, nextHomeNo: 0, runCount: 0, alertCount: 0, dismissedCount: 0 };
  const empty = { ...counts, lastDismissedAt: null, problem: null, triedAt: null };
  const row: PortfolioRow = {
    ...empty,
    portfolioId,
    accountId,
    name,
    rules: JSON.stringify(rules),
    basis: '{}',
    createdAt: at,
    createdBy: actor.name,
  };
  const stored = homes.map((home) => storedHome(home, rules.ltvPct));
  const write = async (transaction: StoreTransaction, basis: string): Promise<void> => {
    if ((await listPortfolios(transaction, accountId)).length >= MOST_PORTFOLIOS) {
      throw new PlumblineError(
        'conflict',
        `An account has at most ${MOST_PORTFOLIOS} portfolios. Delete one that is no longer used.`,
      );
    }
    await insertPortfolio(transaction, { ...row, basis });
    await addHomes(store, transaction, row, stored);
    const detail = { name, properties: homes.length };
    await appendAudit(transaction, { accountId, actor, at }, 'portfolio.created', portfolioId, detail);
  };
  if (homes.every(({ latest }) => latest)) {
    const basis = await basisOfHomes(deps, accountId, homes);
    const alerts = await alertsAtStart(rules, homes);
    await inTransaction(store, async (transaction) => {
      await write(transaction, JSON.stringify(basis));
      await insertAlerts(store, transaction, { accountId, portfolioId, runNo: 0 }, alerts);
    });
  } else {
    const items = stored.map(itemOn(dayOfInstant(clock())));
    const writeWithRun = async (transaction: StoreTransaction, jobId: string): Promise<void> => {
      await write(transaction, '{}');
      await begin(deps, transaction, row, { cause: 'created', jobId, basis: null, homeRanges: null });
    };
    const once = idempotency && { ...idempotency, route: 'portfolios' };
    const { job, isReplay } = await submitRun(deps, payer, items, writeWithRun, once);
    if (isReplay) return { portfolioId: await portfolioOfJob(store, job.jobId), isReplay };
  }
  return { portfolioId, isReplay: false };
}

/** What homes were valued with that already have a value: the first home of each market tells. */
async function basisOfHomes(
  deps: Pick<SubmitDeps, 'store'>,
  accountId: string,
  homes: readonly NewHome[],
): Promise<Basis> {
  const basis: Record<string, Basis[string]> = {};
  for (const { latest } of homes) {
    if (!latest?.marketId || latest.marketId in basis) continue;
    basis[latest.marketId] = await basisOfValue(deps, accountId, latest);
  }
  return basis;
}

/** What the rules report of homes that already have a value, with nothing to compare it with: loans above their limit. */
async function alertsAtStart(rules: PortfolioRules, homes: readonly NewHome[]): Promise<NewAlert[]> {
  const inRuns = homes.flatMap(({ propertyId, request: { location }, balanceUsd, latest }) =>
    latest
      ? [{ propertyId, requestedAddress: location.address, balanceUsd, before: null, after: latest }]
      : [],
  );
  const alerts: NewAlert[] = [];
  for (const [i, loans] of addUpLoans(inRuns).entries()) {
    const found = await findAlerts(rules, inRuns[i], { loans, newSales: [] }, async () => null);
    alerts.push(...found.map(storedAlert));
  }
  return alerts;
}

export function storedAlert({ kind, ...detail }: FoundAlert): NewAlert {
  return { kind, detail: JSON.stringify(detail) };
}

/** The portfolio that an earlier request with the same Idempotency-Key created. */
async function portfolioOfJob({ db }: StoreDb, jobId: string): Promise<string> {
  const portfolioId = await findPortfolioOfJob(db, jobId);
  if (portfolioId !== null) return portfolioId;
  throw new PlumblineError(
    'conflict',
    'The portfolio that this Idempotency-Key created was deleted. Use another key to create another one.',
  );
}

function rejectTooMany(homes: number): void {
  if (homes <= MOST_PORTFOLIO_HOMES) return;
  throw new PlumblineError(
    'conflict',
    `A portfolio has at most ${MOST_PORTFOLIO_HOMES} homes. Put the others into another portfolio.`,
  );
}

/**
 * Adds homes to a portfolio as it was read.
 *
 * @throws PlumblineError `conflict` for too many homes, or if others were added or removed since
 */
export async function addToPortfolio(
  deps: Pick<SubmitDeps, 'store' | 'clock'>,
  { accountId, actor }: ActingFor,
  row: PortfolioRow,
  homes: readonly NewHome[],
): Promise<void> {
  const { store, clock } = deps;
  const { portfolioId } = row;
  rejectTooMany(row.homeCount + homes.length);
  const by = { accountId, actor, at: clock().getTime() };
  const added = await inTransaction(store, async (transaction) => {
    // With no limit, so that the next run reports their loans above it.
    const stored = homes.map((home) => storedHome(home, null));
    const count = await addHomes(store, transaction, row, stored);
    const detail = { properties: homes.length };
    if (count !== null) await appendAudit(transaction, by, 'portfolio.homes_added', portfolioId, detail);
    return count;
  });
  if (added !== null) return;
  throw new PlumblineError(
    'conflict',
    'Homes of this portfolio were added or removed at the same moment. Send the request again.',
    { members: { retry_after: 1 } },
  );
}

async function removePortfolio(
  { store, clock, ...deps }: SubmitDeps,
  { accountId, actor }: ActingFor,
  portfolioId: string,
): Promise<PortfolioRow> {
  const row = await rowOf({ store, ...deps }, accountId, portfolioId);
  const by = { accountId, actor, at: clock().getTime() };
  await inTransaction(store, async (transaction) => {
    await deletePortfolio(transaction, portfolioId);
    await appendAudit(transaction, by, 'portfolio.deleted', portfolioId, { name: row.name });
  });
  return row;
}

interface NewRun {
  readonly cause: RunCause;
  readonly basis: Basis;
  readonly idempotency: Idempotency | null;
}

/** Begins a run. @throws PlumblineError `conflict` while a run has not been compared, and the errors of `submitRun` */
export async function startRun(
  deps: SubmitDeps,
  payer: SubmittingPayer,
  row: PortfolioRow,
  { cause, basis, idempotency }: NewRun,
): Promise<Submission> {
  const { clock } = deps;
  const { portfolioId, runCount, accountId } = row;
  const once = idempotency && { ...idempotency, route: `portfolios/${portfolioId}/runs` };
  const { items, homeNos } = await itemsOf(deps, row);
  return submitRun(
    deps,
    payer,
    items,
    async (transaction, jobId) => {
      const last = await findRun(transaction, portfolioId, runCount);
      if (last && last.comparedAt === null) {
        throw new PlumblineError(
          'conflict',
          `Run ${runCount} of this portfolio has not ended. Start another one when it has.`,
        );
      }
      await begin(deps, transaction, row, { cause, jobId, basis, homeRanges: homeRangesText(homeNos) });
      if (cause !== 'requested') return;
      const by = { accountId, actor: payer.actor, at: clock().getTime() };
      await appendAudit(transaction, by, 'portfolio.revalued', portfolioId, { run: runCount + 1 });
    },
    once,
  );
}

/** Writes a run with its batch, in the transaction that creates the batch. */
async function begin(
  { clock }: Pick<SubmitDeps, 'clock'>,
  transaction: StoreTransaction,
  { accountId, portfolioId, runCount, basis: basisBefore }: PortfolioRow,
  {
    cause,
    jobId,
    basis,
    homeRanges,
  }: Pick<PortfolioRun, 'cause' | 'jobId' | 'homeRanges'> & { readonly basis: Basis | null },
): Promise<void> {
  const now = clock();
  const run = {
    accountId,
    portfolioId,
    runNo: runCount + 1,
    jobId,
    cause,
    homeRanges,
    basisBefore: basis && basisBefore,
    asOf: dayOfInstant(now),
    createdAt: now.getTime(),
  };
  if (await beginPortfolioRun(transaction, run, JSON.stringify(basis ?? {}))) return;
  throw new PlumblineError('conflict', 'Another run of this portfolio began at the same moment.');
}
