import type { PortfolioRules } from '../domain/portfolio.ts';
import { PlumblineError } from '../errors.ts';
import { appendAudit, type ActingFor } from '../store/audit-log.ts';
import { deleteHomes, updateBalance, updatePortfolio, type PortfolioHome } from '../store/portfolios.ts';
import { inTransaction } from '../store/transaction.ts';
import { homesOf } from './portfolio-homes.ts';
import { addToPortfolio, rowOf, type NewHome } from './portfolios.ts';
import type { SubmitDeps } from './submit-batch.ts';

type ChangeDeps = Pick<SubmitDeps, 'store' | 'clock'>;

/** Replaces the name and the rules of a portfolio. The next comparison follows them. @throws PlumblineError `not_found` */
export async function changePortfolio(
  { store, clock }: ChangeDeps,
  { accountId, actor }: ActingFor,
  portfolioId: string,
  { name, rules }: { readonly name: string; readonly rules: PortfolioRules },
): Promise<void> {
  const before = await rowOf({ store }, accountId, portfolioId);
  const by = { accountId, actor, at: clock().getTime() };
  await inTransaction(store, async (transaction) => {
    await updatePortfolio(transaction, portfolioId, { name, rules: JSON.stringify(rules) });
    const detail = { name, name_before: before.name, ...rules };
    await appendAudit(transaction, by, 'portfolio.changed', portfolioId, detail);
  });
}

/** The balance of the loans on a home, by the home's reference. */
export interface NewBalance {
  readonly propertyId: string;
  readonly balanceUsd: number | null;
}

/** What new balances have changed. */
export interface ChangedBalances {
  /** Homes whose reference was given, and how many of them had another balance. */
  readonly matched: number;
  readonly changed: number;
  /** Given references that no home has. */
  readonly unknown: readonly string[];
}

/**
 * Replaces loan balances, such as by the tape of the next month. Other homes keep theirs. The next run compares with them.
 *
 * @throws PlumblineError `not_found`, `conflict` if no home has one of the references
 */
export async function changeBalances(
  { store, clock }: ChangeDeps,
  { accountId, actor }: ActingFor,
  portfolioId: string,
  balances: readonly NewBalance[],
): Promise<ChangedBalances> {
  await rowOf({ store }, accountId, portfolioId);
  const given = new Map(balances.map(({ propertyId, balanceUsd }) => [propertyId, balanceUsd]));
  const found = new Set<string>();
  const differing: { readonly homeNo: number; readonly balanceUsd: number | null }[] = [];
  let matched = 0;
  for await (const page of homesOf({ store }, portfolioId)) {
    for (const { homeNo, propertyId, balanceUsd: before } of page) {
      const balanceUsd = propertyId === null ? undefined : given.get(propertyId);
      if (propertyId === null || balanceUsd === undefined) continue;
      found.add(propertyId);
      matched++;
      if (balanceUsd !== before) differing.push({ homeNo, balanceUsd });
    }
  }
  if (matched === 0) {
    throw new PlumblineError(
      'conflict',
      'No home of this portfolio has one of these references. Nothing was changed.',
    );
  }
  const by = { accountId, actor, at: clock().getTime() };
  await inTransaction(store, async (transaction) => {
    for (const { homeNo, balanceUsd } of differing)
      await updateBalance(transaction, { portfolioId, homeNo }, balanceUsd);
    const detail = { properties: differing.length };
    await appendAudit(transaction, by, 'portfolio.balances_changed', portfolioId, detail);
  });
  return {
    matched,
    changed: differing.length,
    unknown: [...given.keys()].filter((each) => !found.has(each)),
  };
}

/**
 * Adds the homes with a reference that no home of the portfolio has, and returns their number.
 *
 * @throws PlumblineError `not_found`, `conflict` for too many homes, or if others were added or removed meanwhile
 */
export async function addMissingHomes(
  deps: ChangeDeps,
  by: ActingFor,
  portfolioId: string,
  homes: readonly NewHome[],
): Promise<number> {
  // Before its homes: what another user adds after this is a conflict.
  const row = await rowOf(deps, by.accountId, portfolioId);
  const known = new Set<string | null>([null]);
  for await (const page of homesOf(deps, portfolioId)) {
    for (const { propertyId } of page) known.add(propertyId);
  }
  const missing = homes.filter(({ propertyId }) => !known.has(propertyId));
  if (missing.length > 0) await addToPortfolio(deps, by, row, missing);
  return missing.length;
}

/** Homes by their numbers or references. */
export type HomesToRemove =
  { readonly homeNos: readonly number[] } | { readonly propertyIds: readonly string[] };

/** References that the audit log names. */
const REFERENCES_LOGGED = 20;

/**
 * Removes homes, such as those of loans that were sold. Earlier runs and alerts stay as they are. Numbers and references that
 * no home has are skipped.
 *
 * @throws PlumblineError `not_found`, `conflict` if no home would be left
 */
export async function removeHomes(
  { store, clock }: ChangeDeps,
  { accountId, actor }: ActingFor,
  portfolioId: string,
  which: HomesToRemove,
): Promise<{ readonly removed: number; readonly left: number }> {
  const { homeCount } = await rowOf({ store }, accountId, portfolioId);
  const chosen = await findHomes({ store }, portfolioId, which);
  if (chosen.length === 0) return { removed: 0, left: homeCount };
  const by = { accountId, actor, at: clock().getTime() };
  const homeNos = chosen.map(({ homeNo }) => homeNo);
  const references = chosen.flatMap(({ propertyId }) => propertyId ?? []).slice(0, REFERENCES_LOGGED);
  return inTransaction(store, async (transaction) => {
    const done = await deleteHomes(transaction, portfolioId, homeNos);
    if (done.left === 0) {
      throw new PlumblineError(
        'conflict',
        'These are all homes of the portfolio. Delete the portfolio instead. Nothing was removed.',
      );
    }
    const detail = { properties: done.removed, property_ids: references };
    await appendAudit(transaction, by, 'portfolio.homes_removed', portfolioId, detail);
    return done;
  });
}

async function findHomes(
  deps: Pick<ChangeDeps, 'store'>,
  portfolioId: string,
  which: HomesToRemove,
): Promise<PortfolioHome[]> {
  const homeNos = new Set('homeNos' in which ? which.homeNos : []);
  const propertyIds = new Set<string | null>('propertyIds' in which ? which.propertyIds : []);
  const found: PortfolioHome[] = [];
  for await (const page of homesOf(deps, portfolioId)) {
    found.push(...page.filter((home) => homeNos.has(home.homeNo) || propertyIds.has(home.propertyId)));
  }
  return found;
}

/** The homes of a portfolio with a reference that none of some other homes has. */
export async function homesNotAmong(
  deps: Pick<ChangeDeps, 'store'>,
  accountId: string,
  portfolioId: string,
  others: readonly Pick<NewHome, 'propertyId'>[],
): Promise<PortfolioHome[]> {
  await rowOf(deps, accountId, portfolioId);
  const known = new Set(others.map(({ propertyId }) => propertyId));
  const found: PortfolioHome[] = [];
  for await (const page of homesOf(deps, portfolioId)) {
    found.push(...page.filter(({ propertyId }) => propertyId !== null && !known.has(propertyId)));
  }
  return found;
}
