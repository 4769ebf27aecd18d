import { combinedLtvOf, combineLoans } from '../../../../../src/domain/home-loans.ts';
import type { PortfolioRow } from '../../../api/batches.ts';

/** A row with a value. */
export interface Holding extends PortfolioRow {
  readonly value: number;
  /** The balance of its loan as a share of the value; null without a balance. */
  readonly ltv: number | null;
  /** All loans of its home together, as a share of the home's first value; null without a loan. */
  readonly combinedLtv: number | null;
  /** The assessed value less the value, as a share of the value; null without an assessed value. */
  readonly assessedDifference: number | null;
}

export function holdingsOf(rows: readonly PortfolioRow[]): Holding[] {
  const combined = combineLoans(rows.map((row) => ({ ...row, repeatsRow: row.repeats_row })));
  return rows.flatMap((row) => {
    const { value, balance, assessed_value: assessed } = row;
    if (value === null) return [];
    return [
      {
        ...row,
        value,
        ltv: balance === null || value === 0 ? null : balance / value,
        combinedLtv: combinedLtvOf(combined.get(row.row)),
        assessedDifference: assessed === null || value === 0 ? null : (assessed - value) / value,
      },
    ];
  });
}

/** Each home counts once, with its first value; balances are of all holdings. */
export interface Totals {
  readonly count: number;
  readonly value: number;
  readonly median: number | null;
  readonly balance: number;
  /** Of the homes with a loan together: balances as a share of their values. Null without one. */
  readonly ltv: number | null;
}

export function totalsOf(holdings: readonly Holding[]): Totals {
  const values = homesOf(holdings).map(({ value }) => value);
  const loans = holdings.filter(({ balance: own }) => (own ?? 0) > 0);
  const balance = sumOf(loans.map((loan) => loan.balance ?? 0));
  const secured = sumOf(homesOf(loans).map(({ value }) => value));
  return {
    count: values.length,
    value: sumOf(values),
    median: medianOf(values),
    balance,
    ltv: secured === 0 ? null : balance / secured,
  };
}

function medianOf(numbers: readonly number[]): number | null {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return null;
  return sorted.length % 2 === 0 ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle];
}

/** Assessed values of homes as shares of their values. */
interface AssessmentRatios {
  readonly assessed: readonly Holding[];
  readonly assessedUsd: number;
  /** Of the totals. */
  readonly ratio: number;
  readonly medianRatio: number;
  /** Coefficient of dispersion: the mean distance from the median ratio, in percent of that. */
  readonly codPct: number;
}

/** Each home counts once. Null without an assessed value. */
export function assessmentRatiosOf(holdings: readonly Holding[]): AssessmentRatios | null {
  const assessed = homesOf(holdings).filter(({ assessedDifference: by }) => by !== null);
  const ratios = assessed.map(({ assessedDifference: by }) => 1 + (by ?? 0));
  const medianRatio = medianOf(ratios);
  if (medianRatio === null) return null;
  const assessedUsd = sumOf(assessed.map(({ assessed_value: usd }) => usd ?? 0));
  return {
    assessed,
    assessedUsd,
    ratio: assessedUsd / sumOf(assessed.map(({ value }) => value)),
    medianRatio,
    codPct: (100 * sumOf(ratios.map((ratio) => Math.abs(ratio - medianRatio)))) / ratios.length / medianRatio,
  };
}

/** The first holding of each home. A home that secures several loans has several. */
export function homesOf(holdings: readonly Holding[]): Holding[] {
  const seen = new Set<number>();
  return holdings.filter(({ row, repeats_row: first }) => {
    const home = first ?? row;
    if (seen.has(home)) return false;
    seen.add(home);
    return true;
  });
}

export function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}

/** Of `limit` or lower. A holding without FSD is never accurate enough. */
export function withinFsd(holdings: readonly Holding[], limit: number): Holding[] {
  return holdings.filter(({ fsd }) => fsd !== null && fsd <= limit);
}

/** Those whose assessed value is more than `share` above or below the value; all for 0. */
export function apartFromAssessed(holdings: readonly Holding[], share: number): readonly Holding[] {
  if (share === 0) return holdings;
  return holdings.filter(({ assessedDifference: by }) => by !== null && Math.abs(by) > share);
}

/** FSD limits in percent, of which those that separate the holdings are listed. */
const LIMITS_PCT = [5, 10, 13, 15, 20, 25, 30, 40, 50];

/** Lenders accept values up to an FSD of 13% for many loans. */
const USUAL_LIMIT_PCT = 13;

/** The limit that a file begins with: the usual one, or the first listed above it that accepts a value. */
export function firstLimitPct(holdings: readonly Holding[]): number {
  const accepting = LIMITS_PCT.filter((limitPct) => withinFsd(holdings, limitPct / 100).length > 0);
  return accepting.find((limitPct) => limitPct >= USUAL_LIMIT_PCT) ?? USUAL_LIMIT_PCT;
}

/** The holdings within each limit, from the last limit that accepts none to the first that accepts all. */
export function acceptedByLimit(holdings: readonly Holding[]) {
  const steps = LIMITS_PCT.map((limitPct) => ({ limitPct, within: withinFsd(holdings, limitPct / 100) }));
  const first = steps.findLastIndex(({ within }) => within.length === 0);
  const last = steps.findIndex(({ within }) => within.length === holdings.length);
  return steps.slice(Math.max(0, first), last < 0 ? undefined : last + 1);
}

/** Loan-to-value ratios below `below`, with the color of their loans on the map. */
interface LtvClass {
  readonly below: number;
  readonly name: string;
  readonly color: string;
}

export const LTV_CLASSES: readonly LtvClass[] = [
  { below: 0.6, name: 'LTV below 60%', color: 'var(--ltv-1)' },
  { below: 0.8, name: 'LTV 60 to 80%', color: 'var(--ltv-2)' },
  { below: 1, name: 'LTV 80 to 100%', color: 'var(--ltv-3)' },
  { below: Infinity, name: 'LTV 100% or more', color: 'var(--ltv-4)' },
];

export const WITHOUT_LTV = { name: 'no balance', color: 'var(--quiet)' } as const;

export function classOfLtv(ltv: number | null): { readonly name: string; readonly color: string } {
  return LTV_CLASSES.find(({ below }) => ltv !== null && ltv < below) ?? WITHOUT_LTV;
}

/** Loans of more than this are counted, and marked in the histogram. */
export const HIGH_LTV = 0.8;

/** Ratios above this share the last bin of the histogram: values of a few unlike homes would stretch it. */
export const RATIO_SHOWN = 1.5;

/** Rows without a value by reason, the most frequent first. */
export function failuresByCode(rows: readonly PortfolioRow[]) {
  const groups = new Map<string, PortfolioRow[]>();
  for (const row of rows) {
    const { error_code: code } = row;
    if (code === null) continue;
    const group = groups.get(code);
    if (group) group.push(row);
    else groups.set(code, [row]);
  }
  return [...groups]
    .map(([code, failed]) => ({ code, failed }))
    .sort((a, b) => b.failed.length - a.failed.length);
}

/** A change since the previous run of the file; `parts` is null if the model or the data of then were deleted. */
export interface Change extends Holding {
  readonly before: number;
  readonly beforeId: string;
  readonly parts: ChangeParts | null;
}

export interface ChangeParts {
  readonly market: number;
  readonly comparables: number;
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
