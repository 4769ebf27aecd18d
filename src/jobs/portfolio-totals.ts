import { ltvPctOf, type LatestValue } from '../domain/portfolio.ts';
import { parseJsonText } from '../store/json-text.ts';
import type { PortfolioHome } from '../store/portfolios.ts';

/** Sums over the homes of a portfolio, by the newest run that was compared. */
export interface PortfolioTotals {
  /** Homes with a value. */
  readonly valued: number;
  readonly valueUsd: number;
  /** Loans on all homes, and on those with a value. */
  readonly balanceUsd: number;
  readonly balanceValuedUsd: number;
  /** Loans of homes with a value and a loan, as a percentage of the value of these homes. */
  readonly ltvPct: number | null;
}

export async function addUpHomes(
  pages: AsyncIterable<readonly Pick<PortfolioHome, 'balanceUsd' | 'latest'>[]>,
): Promise<PortfolioTotals> {
  const totals = { valued: 0, valueUsd: 0, balanceUsd: 0, balanceValuedUsd: 0 };
  let lentValueUsd = 0;
  for await (const page of pages) {
    for (const { balanceUsd, latest } of page) {
      const { valueUsd = null } = latest === null ? {} : parseJsonText<LatestValue>(latest);
      totals.balanceUsd += balanceUsd ?? 0;
      if (valueUsd === null) continue;
      totals.valued++;
      totals.valueUsd += valueUsd;
      totals.balanceValuedUsd += balanceUsd ?? 0;
      if (balanceUsd !== null && balanceUsd > 0) lentValueUsd += valueUsd;
    }
  }
  return { ...totals, ltvPct: ltvPctOf(totals.balanceValuedUsd, lentValueUsd) };
}
