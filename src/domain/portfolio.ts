import type { HomePlace } from './repeated-homes.ts';

/** What a change of a watched home is reported as. */
export const ALERT_KINDS = [
  'value_changed',
  'outside_range',
  'ltv_above',
  'sold_nearby',
  'no_longer_valued',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** Which alerts are listed. Open ones were not dismissed. */
export const ALERT_STATUSES = ['open', 'dismissed', 'all'] as const;
export type AlertStatus = (typeof ALERT_STATUSES)[number];

/** The least time between two automatic runs of a portfolio. */
export const REVALUE_EVERY = ['day', 'week', 'month', 'never'] as const;
export type RevalueEvery = (typeof REVALUE_EVERY)[number];

/** Why a run began. */
export const RUN_CAUSES = ['created', 'requested', 'model', 'data'] as const;
export type RunCause = (typeof RUN_CAUSES)[number];

/** When a portfolio is valued again, and which changes are alerts; null = none of the kind. */
export interface PortfolioRules {
  readonly revalueEvery: RevalueEvery;
  /** A value that differs from the one before by at least this many percent. */
  readonly changePct: number | null;
  /** A value outside the 90% interval of the one before. */
  readonly isOutsideRange: boolean;
  /** Loans that exceed this many percent of the value, and did not exceed both it and the limit of then before. */
  readonly ltvPct: number | null;
  /** Sales of at most this many miles away that were not known before. */
  readonly soldWithinMi: number | null;
}

/** The value of a watched home by a run, or why it has none. */
export interface LatestValue {
  readonly valuationId: string | null;
  /** Null without a value. */
  readonly marketId: string | null;
  readonly address: string | null;
  readonly lat: number | null;
  readonly lon: number | null;
  readonly valueUsd: number | null;
  /** The 90% interval. */
  readonly lowUsd: number | null;
  readonly highUsd: number | null;
  readonly fsd: number | null;
  /** Null with a value. */
  readonly errorCode: string | null;
  readonly error: string | null;
  /** The loan balance that the value was compared with. Absent before the first comparison. */
  readonly balanceUsd?: number | null;
  /** The limit of the rules that its loans were compared with, null if none. Absent before the first comparison. */
  readonly ltvLimitPct?: number | null;
}

/** Where an entry of a portfolio is, by the address that it was added with and by its value. */
export function placeOfEntry(
  requestedAddress: string | null,
  { address, lat, lon }: Pick<LatestValue, 'address' | 'lat' | 'lon'>,
): HomePlace {
  return { address: requestedAddress ?? address, lat, lon };
}

/** Loans on a home as a percentage of its value, to a tenth; null without a balance or a value. */
export function ltvPctOf(balanceUsd: number | null, valueUsd: number | null): number | null {
  return balanceUsd === null || !valueUsd ? null : Math.round((1000 * balanceUsd) / valueUsd) / 10;
}

/** Percentages of the value outside of which loans are probably in other units, or on another home. */
const LIKELY_LTV_PCT = [5, 150] as const;

/** Whether loans are so small or large for the value that the balance or the home is probably wrong. */
export function isUnlikelyLtv(ltvPct: number | null): boolean {
  const [least, most] = LIKELY_LTV_PCT;
  return ltvPct !== null && ltvPct > 0 && (ltvPct < least || ltvPct > most);
}
