import type { PortfolioRow } from '../../../api/batches.ts';

/** A row with a value; `ltv` is the balance of its loan as a share of the value, null without a balance. */
export interface Holding extends PortfolioRow {
  readonly value: number;
  readonly ltv: number | null;
}

export function holdingsOf(rows: readonly PortfolioRow[]): Holding[] {
  return rows.flatMap((row) => {
    const { value, balance } = row;
    if (value === null) return [];
    return [{ ...row, value, ltv: balance === null || value === 0 ? null : balance / value }];
  });
}

export interface Totals {
  readonly count: number;
  readonly value: number;
  readonly median: number | null;
  readonly balance: number;
  /** Of the holdings with a balance together: balances as a share of their values. Null without one. */
  readonly ltv: number | null;
}

export function totalsOf(holdings: readonly Holding[]): Totals {
  const values = holdings.map(({ value }) => value).sort((a, b) => a - b);
  const middle = values.length >> 1;
  const loans = holdings.filter(({ ltv }) => ltv !== null);
  const balance = sumOf(loans.map((loan) => loan.balance ?? 0));
  const secured = sumOf(loans.map(({ value }) => value));
  const isEven = values.length % 2 === 0;
  return {
    count: values.length,
    value: sumOf(values),
    median: values.length === 0 ? null : isEven ? (values[middle - 1] + values[middle]) / 2 : values[middle],
    balance,
    ltv: secured === 0 ? null : balance / secured,
  };
}

/** Number of holdings whose home is also that of an earlier row: it secures several loans, and counts each time. */
export function countRepeated(holdings: readonly Holding[]): number {
  const addresses = holdings.flatMap(({ address }) => address ?? []);
  return addresses.length - new Set(addresses).size;
}

export function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}

/** Of `limit` or lower. A holding without FSD is never accurate enough. */
export function withinFsd(holdings: readonly Holding[], limit: number): Holding[] {
  return holdings.filter(({ fsd }) => fsd !== null && fsd <= limit);
}

/** A change since the previous run of the file; `parts` is null if the model or the data of then were deleted. */
export interface Change extends Holding {
  readonly before: number;
  readonly beforeId: string;
  readonly parts: ChangeParts | null;
}

export interface ChangeParts {
  readonly market: number;
  readonly facts: number;
  readonly model: number;
}

/** The holdings that both runs valued. Rows of a file keep their numbers. */
export function pairsOf(
  now: readonly Holding[],
  then: readonly Holding[],
): (Omit<Change, 'parts'> & { readonly valuation_id: string })[] {
  const earlier = new Map(then.map((holding) => [holding.row, holding]));
  return now.flatMap((holding) => {
    const before = earlier.get(holding.row);
    const { valuation_id: id } = holding;
    if (!before?.valuation_id || id === null) return [];
    return [{ ...holding, valuation_id: id, before: before.value, beforeId: before.valuation_id }];
  });
}
