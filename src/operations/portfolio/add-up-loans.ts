import { addLoan, type Loans } from '../../domain/home-loans.ts';
import { placeOfEntry, type LatestValue } from '../../domain/portfolio.ts';
import { createHomeIndex } from '../../domain/repeated-homes.ts';

/** An entry of a portfolio in two runs. */
export interface HomeInRuns {
  readonly propertyId: string | null;
  readonly requestedAddress: string | null;
  readonly balanceUsd: number | null;
  /** Null in the first run. */
  readonly before: LatestValue | null;
  /** That of the run before if this run has not valued it. */
  readonly after: LatestValue;
}

/** The loans on a home, of all of its entries in the portfolio. */
export interface HomeLoans {
  readonly before: Loans;
  readonly after: Loans;
  /** The first entry that has a value; null if none has. */
  first: HomeInRuns | null;
  /** How many entries have a value. */
  entries: number;
}

/** The loans on the home of each entry: those of a home with several entries are added up. */
export function addUpLoans(homes: readonly HomeInRuns[]): Readonly<HomeLoans>[] {
  const index = createHomeIndex<HomeLoans>();
  return homes.map((home) => {
    const { requestedAddress, balanceUsd, before, after } = home;
    const located = after.valueUsd === null && before !== null ? before : after;
    const loans = index.findOrAdd(placeOfEntry(requestedAddress, located), noLoans);
    if (before !== null) {
      addLoan(
        loans.before,
        before.valueUsd,
        before.balanceUsd === undefined ? balanceUsd : before.balanceUsd,
      );
    }
    addLoan(loans.after, after.valueUsd, balanceUsd);
    if (after.valueUsd !== null) {
      loans.first ??= home;
      loans.entries++;
    }
    return loans;
  });
}

function noLoans(): HomeLoans {
  const none: Loans = { balanceUsd: null, valueUsd: null };
  return { before: { ...none }, after: { ...none }, first: null, entries: 0 };
}
