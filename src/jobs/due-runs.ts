import { planOf } from '../accounts/authenticate.ts';
import type { Plans } from '../accounts/plans.ts';
import { addMonths, dayOfInstant, type Day } from '../domain/day.ts';
import type { RevalueEvery } from '../domain/portfolio.ts';
import { PlumblineError } from '../errors.ts';
import { readCatalog } from '../operations/market-data/market-catalog.ts';
import { findAccount } from '../store/accounts.ts';
import type { Actor } from '../store/audit-log.ts';
import { parseJsonText } from '../store/json-text.ts';
import { findRun, listPortfolios, recordProblem, type PortfolioRow } from '../store/portfolios.ts';
import type { SubmittingPayer } from './batch-types.ts';
import { basisIn, isSettled, marketsOf, type Basis } from './portfolio-basis.ts';
import { rulesOf, startRun } from './portfolios.ts';
import type { SubmitDeps } from './submit-batch.ts';

/** After a run could not begin, for example because the account has too few credits. */
const RETRY_MS = 3_600_000;

const DAYS: Readonly<Record<Exclude<RevalueEvery, 'never'>, (day: Day) => Day>> = {
  day: (day) => day + 1,
  week: (day) => day + 7,
  month: (day) => addMonths(day, 1),
};

/** In the audit log and for batches of the service itself. */
const BY_SERVICE: Actor = { kind: 'service', id: null, name: 'automatic run' };

/**
 * Begins the runs that are due: those of portfolios whose markets have another model or other data than at their last run.
 * Any process may call it, also several at once: a run and its batch are one transaction, and its number is taken once.
 *
 * @returns the ids of the portfolios
 */
export async function queueDueRuns(deps: SubmitDeps & { readonly plans: Plans }): Promise<string[]> {
  const { store, clock } = deps;
  const now = clock();
  const rows = await listPortfolios(store.db, null);
  if (rows.length === 0) return [];
  const { entries } = await readCatalog(store);
  const begun: string[] = [];
  for (const row of rows) {
    const { portfolioId, triedAt } = row;
    if (triedAt !== null && now.getTime() - triedAt < RETRY_MS) continue;
    const basis = basisIn(entries, marketsOf(row), dayOfInstant(now));
    const cause = causeOf(parseJsonText<Basis>(row.basis), basis);
    if (cause === null || !isSettled(entries, row, now)) continue;
    if (!(await isTime(deps, row, dayOfInstant(now)))) continue;
    try {
      await startRun(deps, await payerOf(deps, row), row, { cause, basis, idempotency: null });
      begun.push(portfolioId);
    } catch (error) {
      if (!(error instanceof PlumblineError)) throw error;
      // Another process has begun the run.
      if (error.code === 'conflict') continue;
      await recordProblem(store, portfolioId, error.message, now.getTime());
    }
  }
  return begun;
}

/** Null if nothing has changed. A market without a model keeps its last basis. */
function causeOf(before: Basis, now: Basis): 'model' | 'data' | null {
  const ids = Object.keys(now);
  if (ids.some((id) => before[id]?.inputs.modelId !== now[id].inputs.modelId)) return 'model';
  const isOther = (id: string) => JSON.stringify(before[id]?.inputs) !== JSON.stringify(now[id].inputs);
  return ids.some(isOther) ? 'data' : null;
}

/** Whether a portfolio may be valued again: its last run was compared, and long enough ago. */
async function isTime({ store }: Pick<SubmitDeps, 'store'>, row: PortfolioRow, today: Day): Promise<boolean> {
  const { revalueEvery } = rulesOf(row);
  if (revalueEvery === 'never') return false;
  const last = await findRun(store.db, row.portfolioId, row.runCount);
  const lastDay = last ? last.asOf : dayOfInstant(new Date(row.createdAt));
  return (!last || last.comparedAt !== null) && today >= DAYS[revalueEvery](lastDay);
}

/** The account of a portfolio, without a key. Throws `plan_forbidden` if its plan is unknown. */
async function payerOf(
  { store, plans }: Pick<SubmitDeps, 'store'> & { readonly plans: Plans },
  { accountId }: PortfolioRow,
): Promise<SubmittingPayer> {
  const account = await findAccount(store, accountId);
  if (account === null) throw new PlumblineError('not_found', `Account "${accountId}" was deleted.`);
  return { accountId, keyId: null, plan: planOf(plans, account), actor: BY_SERVICE };
}
