/** The loans on a home, of all of its rows or entries that have a value. */
export interface Loans {
  /** Null if none of them has a loan. */
  balanceUsd: number | null;
  /** By the first of them. Null without one. */
  valueUsd: number | null;
}

/** Adds the loan of a further row. */
export function addLoan(loans: Loans, valueUsd: number | null, balanceUsd: number | null): void {
  if (valueUsd === null) return;
  loans.valueUsd ??= valueUsd;
  if (balanceUsd !== null) loans.balanceUsd = (loans.balanceUsd ?? 0) + balanceUsd;
}

/** All loans of a home together, as a share of its value; null without a balance, and 0 if all are paid off. */
export function combinedLtvOf(loans: Readonly<Loans> | undefined): number | null {
  if (loans === undefined || loans.balanceUsd === null || !loans.valueUsd) return null;
  return loans.balanceUsd / loans.valueUsd;
}

/** A row of a file with its loan. */
export interface RowLoan {
  readonly row: number;
  /** The first row of the same home; null if there is none before this one. */
  readonly repeatsRow: number | null;
  readonly value: number | null;
  readonly balance: number | null;
}

/** All loans of the home of every row with a value, by the row. */
export function combineLoans(rows: Iterable<RowLoan>): Map<number, Readonly<Loans>> {
  const homes = new Map<number, Loans>();
  const homeOfRow = new Map<number, Loans>();
  for (const { row, repeatsRow, value, balance } of rows) {
    if (value === null) continue;
    const home = homes.get(repeatsRow ?? row) ?? { balanceUsd: null, valueUsd: null };
    homes.set(repeatsRow ?? row, home);
    addLoan(home, value, balance);
    homeOfRow.set(row, home);
  }
  return homeOfRow;
}
