import type { Day } from '../../domain/day.ts';
import type { AlertKind, RunCause } from '../../domain/portfolio.ts';

export type PortfolioTables = {
  readonly portfolios: PortfolioTable;
  readonly portfolio_homes: PortfolioHomeTable;
  readonly portfolio_runs: PortfolioRunTable;
  readonly portfolio_alerts: PortfolioAlertTable;
};

export interface PortfolioTable {
  readonly portfolioId: string;
  readonly accountId: string;
  readonly name: string;
  /** JSON. */
  readonly rules: string;
  readonly homeCount: number;
  /** Of the next home that is added. */
  readonly nextHomeNo: number;
  readonly runCount: number;
  /** Of all runs. Dismissed alerts count, too: the next alert has the next number. */
  readonly alertCount: number;
  readonly dismissedCount: number;
  /** The time of the newest dismissal: each one has its own. */
  readonly lastDismissedAt: number | null;
  /** JSON. */
  readonly basis: string;
  readonly createdAt: number;
  /** Name of the user or key. */
  readonly createdBy: string;
  readonly problem: string | null;
  readonly triedAt: number | null;
}

export interface PortfolioHomeTable {
  readonly accountId: string;
  readonly portfolioId: string;
  readonly homeNo: number;
  readonly propertyId: string | null;
  /** JSON. */
  readonly request: string;
  readonly balanceUsd: number | null;
  /** JSON. */
  readonly latest: string | null;
}

export interface PortfolioRunTable {
  readonly accountId: string;
  readonly portfolioId: string;
  readonly runNo: number;
  readonly jobId: string;
  readonly cause: RunCause;
  /** JSON. */
  readonly basisBefore: string | null;
  readonly asOf: Day;
  readonly createdAt: number;
  readonly comparedAt: number | null;
  readonly leaseUntil: number | null;
  readonly alertCount: number;
  /** JSON: the homes of its items in order, as ranges of their numbers; null if each item has the number of its home. */
  readonly homeRanges: string | null;
}

export interface PortfolioAlertTable {
  readonly accountId: string;
  readonly portfolioId: string;
  readonly alertNo: number;
  readonly runNo: number;
  readonly kind: AlertKind;
  /** JSON. */
  readonly detail: string;
  /** Null for an open alert. */
  readonly dismissedAt: number | null;
  /** Name of the user or key. */
  readonly dismissedBy: string | null;
}
