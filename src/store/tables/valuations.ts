import type { BillingPeriod } from '../../domain/billing-period.ts';
import type { ValuationKind } from '../../domain/valuation-kind.ts';

/** Tables of valuations, rate limits and credits. Instants are ms since 1970. */

/** A valuation as it was returned, with everything needed to compute it again. Append-only. */
export interface ValuationRecord {
  readonly valuationId: string;
  readonly accountId: string;
  readonly keyId: string | null;
  readonly kind: ValuationKind;
  readonly createdAt: number;
  /** The validated request, as JSON text. */
  readonly request: string;
  /** The valuation inputs as JSON text: model, datasets, as-of date, program version. */
  readonly inputs: string;
  /** The exact text of the response. */
  readonly response: string;
  readonly credits: number;
}

export interface RateBucketTable {
  readonly bucketId: string;
  readonly secondAt: number;
  readonly minuteAt: number;
  readonly dayAt: number;
}

/** The cost of a request that was answered, and the account that pays it. */
export interface Charge {
  readonly accountId: string;
  /** Our own id of the request: a request is charged once, however often its charge is written. */
  readonly requestId: string;
  readonly keyId: string | null;
  /** The scope of the operation: `avm:property`. */
  readonly operation: string;
  readonly period: BillingPeriod;
  readonly credits: number;
  readonly createdAt: number;
}

/** A line of the ledger; never changed. */
export interface LedgerEntry extends Charge {
  readonly entry: 'grant' | 'reserve' | 'charge' | 'settle' | 'release' | 'refund';
  /** The change of the month's balance; 0 for accounts without a cap, and for what was reserved before. */
  readonly balanceChange: number;
}

export interface CreditLedgerTable extends LedgerEntry {
  readonly step: number;
}

export interface CreditBalanceTable {
  readonly accountId: string;
  readonly period: BillingPeriod;
  readonly granted: number;
  readonly balance: number;
}

/** Credits reserved for a request whose cost is not known yet: the maximum it can be. */
export interface Hold extends Charge {
  /** When the process that made it must be gone: the credits are then released. Null if its owner releases it. */
  readonly expiresAt: number | null;
}

export type CreditHoldTable = Omit<Hold, 'createdAt'>;

/** The usage of one operation. */
export interface OperationUsage {
  readonly operation: string;
  readonly requests: number;
  readonly credits: number;
}

/** The usage of one operation in one month. */
export interface MonthlyUsage extends OperationUsage {
  readonly period: BillingPeriod;
}

export interface CreditUsageTable extends MonthlyUsage {
  readonly accountId: string;
}
