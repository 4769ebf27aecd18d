import { instant, instantOrNull } from '../domain/instant.ts';
import type { LatestValue } from '../domain/portfolio.ts';
import type { Log } from '../log.ts';
import { findModel, readCatalog, type MarketEntry } from '../operations/market-data/market-catalog.ts';
import type { OperationDeps } from '../operations/deps.ts';
import { addUpLoans, type HomeInRuns } from '../operations/portfolio/add-up-loans.ts';
import { findAlerts, type FoundAlert } from '../operations/portfolio/find-alerts.ts';
import { readNewSales, type FindNewSales } from '../operations/portfolio/new-sales.ts';
import { splitChange, type SplitDeps } from '../operations/past/split-change.ts';
import type { PropertyValuationRequest, ValuationOf } from '../operations/valuation-types.ts';
import type { PortfolioAlertsEvent } from '../schemas/portfolios.ts';
import type { ResponseOf } from '../schemas/member-names.ts';
import { subjectOfRun } from '../store/deliveries.ts';
import { notifyEndpoints } from '../store/webhook-endpoints.ts';
import { parseJsonText } from '../store/json-text.ts';
import { readResults, type ReadResult } from '../store/jobs.ts';
import { countAlerts, listAlerts, type NewAlert, type PortfolioAlert } from '../store/portfolio-alerts.ts';
import {
  claimRun,
  endRun,
  findPortfolio,
  findRun,
  renewRun,
  saveBasis,
  type PortfolioRow,
  type RunWithJob,
} from '../store/portfolios.ts';
import { inTransaction } from '../store/transaction.ts';
import { keepLease } from './keep-lease.ts';
import { basisOfValue, type Basis } from './portfolio-basis.ts';
import { homeNosOf, homesOf } from './portfolio-homes.ts';
import { rulesOf, storedAlert } from './portfolios.ts';

interface CompareDeps {
  readonly operations: SplitDeps & Pick<OperationDeps, 'clock'>;
  readonly log: Log;
  /** How long a run is reserved; it is renewed while the comparison goes on. */
  readonly leaseMs: number;
}

/** Results read at once. */
const PAGE_ITEMS = 500;
const ALERTS_SENT = 100;

/**
 * Compares one run whose batch has ended with the values before: writes its alerts, the new values of the homes and the
 * deliveries to the account's endpoints in one transaction, so that each exists once, whatever ends the process.
 *
 * @returns false if no run waits
 */
export async function compareOneRun({ operations, log, leaseMs }: CompareDeps): Promise<boolean> {
  const { store, clock } = operations;
  const now = clock().getTime();
  const run = await claimRun(store, { now, leaseUntil: now + leaseMs });
  if (run === null) return false;
  const portfolio = await findPortfolio(store.db, run.accountId, run.portfolioId);
  // It was deleted since.
  if (portfolio === null) return true;
  const lease = {
    everyMs: leaseMs / 3,
    renew: () => renewRun(store, run, clock().getTime() + leaseMs),
    onFailure: (error: unknown) =>
      log.warn({ err: error, portfolioId: run.portfolioId }, 'the lease of a run could not be renewed'),
  };
  const compared = await keepLease(lease, () => compare(operations, portfolio, run));
  const at = clock().getTime();
  const isOurs = await inTransaction(store, async (transaction) => {
    if (!(await endRun(store, transaction, run, { ...compared, at }))) return false;
    await saveBasis(transaction, run.portfolioId, JSON.stringify(compared.basis));
    if (compared.alerts.length > 0) {
      const subject = subjectOfRun(run.portfolioId, run.runNo);
      const event = { type: 'portfolio.alerts', accountId: run.accountId, subject, createdAt: at } as const;
      await notifyEndpoints(transaction, event, operations.newId);
    }
    return true;
  });
  const { portfolioId, runNo } = run;
  if (isOurs)
    log.info({ portfolioId, runNo, alerts: compared.alerts.length }, 'compared a run of a portfolio');
  return true;
}

interface Compared {
  readonly alerts: readonly NewAlert[];
  readonly latest: ReadonlyMap<number, string>;
  readonly basis: Basis;
}

async function compare(
  operations: CompareDeps['operations'],
  row: PortfolioRow,
  run: RunWithJob,
): Promise<Compared> {
  const { store } = operations;
  const { accountId, portfolioId } = run;
  const rules = rulesOf(row);
  const { entries } = await readCatalog(store);
  const basis: Record<string, Basis[string]> = { ...parseJsonText<Basis>(row.basis) };
  const sales = createSalesFinder(operations, run, basis);
  const split = (beforeId: string, afterId: string) => splitChange(operations, accountId, beforeId, afterId);
  const latest = new Map<number, string>();
  const homes: HomeInRuns[] = [];
  const values = await valuesOfRun(operations, run, entries);
  // Homes that were removed since the run began have no alerts.
  for await (const page of homesOf(operations, portfolioId)) {
    for (const home of page) {
      const { homeNo, propertyId, balanceUsd } = home;
      const before = home.latest === null ? null : parseJsonText<LatestValue>(home.latest);
      // Without a result it was added since the run began, or its batch was cancelled before its turn.
      const after = values.get(homeNo) ?? before;
      if (after === null) continue;
      const { location } = parseJsonText<PropertyValuationRequest>(home.request);
      homes.push({ propertyId, requestedAddress: location.address, balanceUsd, before, after });
      const { marketId } = after;
      if (marketId !== null && !(marketId in basis))
        basis[marketId] = await basisOfValue(operations, accountId, after);
      latest.set(homeNo, JSON.stringify({ ...after, balanceUsd, ltvLimitPct: rules.ltvPct }));
    }
  }
  const found: FoundAlert[] = [];
  for (const [i, loans] of addUpLoans(homes).entries()) {
    const home = homes[i];
    const newSales = await newSalesNear(sales, home.after, rules.soldWithinMi);
    found.push(...(await findAlerts(rules, home, { loans, newSales }, split)));
  }
  return { alerts: found.map(storedAlert), latest, basis: basisOfHomes(basis, homes) };
}

/**
 * Without the markets whose homes were all removed: a change of their data must not begin a run. A home without a value may
 * be in any of them.
 */
function basisOfHomes(basis: Basis, homes: readonly HomeInRuns[]): Basis {
  const used = new Set(homes.map(({ after }) => after.marketId));
  if (used.has(null)) return basis;
  return Object.fromEntries(Object.entries(basis).filter(([marketId]) => used.has(marketId)));
}

/** The values of a run, by the number of the home. */
async function valuesOfRun(
  { store }: Pick<OperationDeps, 'store'>,
  { jobId, total, homeRanges }: RunWithJob,
  entries: readonly MarketEntry[],
): Promise<ReadonlyMap<number, LatestValue>> {
  const homeNos = homeNosOf(homeRanges, total);
  const values = new Map<number, LatestValue>();
  for (let from = 0; from < total; from += PAGE_ITEMS) {
    for (const result of await readResults(store, jobId, { from, limit: PAGE_ITEMS }))
      values.set(homeNos[result.itemNo], latestOf(result, entries));
  }
  return values;
}

function latestOf({ response, error, errorCode }: ReadResult, entries: readonly MarketEntry[]): LatestValue {
  if (response === null) {
    const nothing = { valuationId: null, marketId: null, address: null, lat: null, lon: null };
    const noValue = { valueUsd: null, lowUsd: null, highUsd: null, fsd: null };
    return { ...nothing, ...noValue, errorCode: errorCode ?? 'gone', error };
  }
  const { addressInfo, valuation }: ValuationOf<'property'> = JSON.parse(response);
  return {
    valuationId: valuation.valuationId,
    marketId: findModel(entries, valuation.model.id)?.entry.marketId ?? null,
    address: addressInfo.formattedAddress,
    lat: addressInfo.latitude,
    lon: addressInfo.longitude,
    valueUsd: valuation.pointValue,
    lowUsd: valuation.estimatedValueLow,
    highUsd: valuation.estimatedValueHigh,
    fsd: valuation.fsd,
    errorCode: null,
    error: null,
  };
}

type SalesFinder = (marketId: string) => Promise<FindNewSales | null>;

/** The new sales of each market of a run, read once. Null for a market that the run before did not have. */
function createSalesFinder(
  operations: CompareDeps['operations'],
  run: RunWithJob,
  basis: Basis,
): SalesFinder {
  const before = run.basisBefore === null ? {} : parseJsonText<Basis>(run.basisBefore);
  const finders = new Map<string, Promise<FindNewSales | null>>();
  const read = async (marketId: string): Promise<FindNewSales | null> =>
    before[marketId] && basis[marketId]
      ? readNewSales(operations, before[marketId], { ...basis[marketId], asOf: run.asOf })
      : null;
  return (marketId) => {
    const known = finders.get(marketId) ?? read(marketId);
    finders.set(marketId, known);
    return known;
  };
}

async function newSalesNear(
  sales: SalesFinder,
  { marketId, lat, lon }: LatestValue,
  radiusMi: number | null,
) {
  if (radiusMi === null || marketId === null || lat === null || lon === null) return [];
  return (await sales(marketId))?.({ lat, lon }, radiusMi) ?? [];
}

/** The alerts of a run as a webhook; null if it was deleted. The same at each attempt, because a run is compared once. */
export async function alertsEvent(
  { store }: Pick<OperationDeps, 'store'>,
  accountId: string,
  { portfolioId, runNo }: { readonly portfolioId: string; readonly runNo: number },
): Promise<ResponseOf<typeof PortfolioAlertsEvent> | null> {
  const portfolio = await findPortfolio(store.db, accountId, portfolioId);
  const run = await findRun(store.db, portfolioId, runNo);
  if (portfolio === null || !run?.comparedAt) return null;
  const search = { kind: null, runNo, status: 'all', limit: ALERTS_SENT, cursor: null } as const;
  const { items } = await listAlerts(store.db, portfolioId, search);
  return {
    type: 'portfolio.alerts',
    timestamp: instant(run.comparedAt),
    portfolioId,
    name: portfolio.name,
    run: runNo,
    alertCount: run.alertCount,
    alertsByKind: await countAlerts(store.db, portfolioId, runNo),
    alerts: items.map(alertMembers),
  };
}

/** An alert as webhooks send it: as it was written, also if it was dismissed before a later attempt. */
export function alertMembers({ alertNo, runNo, kind, detail }: PortfolioAlert) {
  return { alert: alertNo, run: runNo, kind, ...parseJsonText<Omit<FoundAlert, 'kind'>>(detail) };
}

/** An alert as the API lists it. */
export function listedAlertMembers(alert: PortfolioAlert) {
  const { dismissedAt, dismissedBy } = alert;
  return { ...alertMembers(alert), dismissedAt: instantOrNull(dismissedAt), dismissedBy };
}
