import { ltvPctOf, type AlertKind, type PortfolioRules } from '../../domain/portfolio.ts';
import type { PortfolioAlertsEvent } from '../../schemas/portfolios.ts';
import type { ResponseOf } from '../../schemas/member-names.ts';
import type { SplitChange } from '../past/split-change.ts';
import type { HomeInRuns, HomeLoans } from './add-up-loans.ts';
import type { NewSale } from './new-sales.ts';

/** An alert as it is stored: the API adds its numbers. */
export interface FoundAlert extends Omit<
  ResponseOf<typeof PortfolioAlertsEvent>['alerts'][number],
  'alert' | 'run'
> {
  readonly kind: AlertKind;
}

/** What a home is compared with besides its value. */
interface Surroundings {
  readonly loans: Readonly<HomeLoans>;
  /** Sales within the radius of the rules that were not known in the run before, nearest first. */
  readonly newSales: readonly NewSale[];
}

const SALES_LISTED = 10;

/** What a home's rules report, in the order of ALERT_KINDS. `split` is called once, if its value has changed. */
export async function findAlerts(
  rules: PortfolioRules,
  home: HomeInRuns,
  { loans, newSales }: Surroundings,
  split: (beforeId: string, afterId: string) => Promise<SplitChange | null>,
): Promise<FoundAlert[]> {
  const kinds = kindsOf(rules, home, { loans, newSales });
  if (kinds.length === 0) return [];
  const { propertyId, before, after } = home;
  const change = changeOf(home);
  const isSplit = change !== null && change !== 0 && before?.valuationId && after.valuationId;
  const alert = {
    propertyId,
    formattedAddress: after.address ?? before?.address ?? null,
    valuationId: after.valuationId,
    previousValuationId: before?.valuationId ?? null,
    value: after.valueUsd,
    previousValue: before?.valueUsd ?? null,
    previousLow: before?.lowUsd ?? null,
    previousHigh: before?.highUsd ?? null,
    change,
    changePct:
      change === null || !before?.valueUsd ? null : Math.round((1000 * change) / before.valueUsd) / 10,
    causes: isSplit ? await split(String(before.valuationId), String(after.valuationId)) : null,
    ltvPct: ltvPctOf(loans.after.balanceUsd, after.valueUsd),
    previousLtvPct: ltvPctOf(loans.before.balanceUsd, before?.valueUsd ?? null),
    ...(loans.entries > 1 && { entries: loans.entries }),
    sales: [],
    salesCount: 0,
    error: null,
  };
  const special: Partial<Record<AlertKind, Partial<FoundAlert>>> = {
    sold_nearby: { sales: newSales.slice(0, SALES_LISTED), salesCount: newSales.length },
    no_longer_valued: { error: after.error },
  };
  return kinds.map((kind) => ({ ...alert, kind, ...special[kind] }));
}

function changeOf({ before, after }: HomeInRuns): number | null {
  return before?.valueUsd == null || after.valueUsd === null ? null : after.valueUsd - before.valueUsd;
}

function kindsOf(rules: PortfolioRules, home: HomeInRuns, { loans, newSales }: Surroundings): AlertKind[] {
  const { before, after } = home;
  const { changePct, isOutsideRange, ltvPct } = rules;
  const change = changeOf(home);
  const kinds: AlertKind[] = [];
  if (change !== null && before?.valueUsd && changePct !== null) {
    if (Math.abs(change) >= (changePct / 100) * before.valueUsd && change !== 0) kinds.push('value_changed');
  }
  if (isOutsideRange && after.valueUsd !== null && before?.lowUsd != null && before.highUsd !== null) {
    if (after.valueUsd < before.lowUsd || after.valueUsd > before.highUsd) kinds.push('outside_range');
  }
  // Once per home, although each of its entries has the same loans. Loans above both limits are not new.
  if (ltvPct !== null && loans.first === home) {
    const { ltvLimitPct = ltvPct } = before ?? {};
    const isNew = ltvLimitPct === null || !exceeds(loans.before, Math.max(ltvLimitPct, ltvPct));
    if (exceeds(loans.after, ltvPct) && isNew) kinds.push('ltv_above');
  }
  if (newSales.length > 0) kinds.push('sold_nearby');
  if (after.valueUsd === null && before?.valueUsd != null) kinds.push('no_longer_valued');
  return kinds;
}

function exceeds({ balanceUsd, valueUsd }: HomeLoans['after'], ltvPct: number): boolean {
  return balanceUsd !== null && valueUsd !== null && balanceUsd > (ltvPct / 100) * valueUsd;
}
