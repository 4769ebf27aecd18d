import { ltvPctOf, placeOfEntry, type LatestValue } from '../domain/portfolio.ts';
import { createHomeIndex } from '../domain/repeated-homes.ts';
import type { PropertyValuationRequest } from '../operations/valuation-types.ts';
import { parseJsonText } from '../store/json-text.ts';
import type { PortfolioHome } from '../store/portfolios.ts';

/** Sums over the homes of a portfolio, by the newest run that was compared. */
export interface PortfolioTotals {
  /** Homes with a value. A home that the portfolio has several times counts once, with its first value. */
  readonly valued: number;
  readonly valueUsd: number;
  /** Further rows of these homes with a value: mostly second loans. */
  readonly repeats: number;
  /** Loans of all rows, and of those with a value. */
  readonly balanceUsd: number;
  readonly balanceValuedUsd: number;
  /** Loans of homes with a value and a loan, as a percentage of the value of these homes. */
  readonly ltvPct: number | null;
}

export async function addUpHomes(
  pages: AsyncIterable<readonly Pick<PortfolioHome, 'request' | 'balanceUsd' | 'latest'>[]>,
): Promise<PortfolioTotals> {
  const totals = { valued: 0, valueUsd: 0, repeats: 0, balanceUsd: 0, balanceValuedUsd: 0 };
  const homes = createHomeIndex<{ readonly valueUsd: number; rows: number; isLent: boolean }>();
  let lentValueUsd = 0;
  for await (const page of pages) {
    for (const { request, balanceUsd, latest } of page) {
      totals.balanceUsd += balanceUsd ?? 0;
      const value = latest === null ? null : parseJsonText<LatestValue>(latest);
      if (value === null || value.valueUsd === null) continue;
      const { valueUsd } = value;
      const { location } = parseJsonText<PropertyValuationRequest>(request);
      const place = placeOfEntry(location.address, value);
      const home = homes.findOrAdd(place, () => ({ valueUsd, rows: 0, isLent: false }));
      home.rows++;
      if (home.rows === 1) {
        totals.valued++;
        totals.valueUsd += valueUsd;
      } else totals.repeats++;
      totals.balanceValuedUsd += balanceUsd ?? 0;
      if (home.isLent || balanceUsd === null || balanceUsd <= 0) continue;
      home.isLent = true;
      lentValueUsd += home.valueUsd;
    }
  }
  return { ...totals, ltvPct: ltvPctOf(totals.balanceValuedUsd, lentValueUsd) };
}
