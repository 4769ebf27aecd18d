import type { Clock } from '../clock.ts';
import type { Geocoder } from '../locate/located.ts';
import type { Metrics } from '../metrics.ts';
import type { PlaceDeps } from '../places/deps.ts';
import type { Store } from '../store/store.ts';
import type { Charge } from '../store/credit-ledger.ts';
import type { ValuationLog } from '../store/valuation-log.ts';
import type { ReadHoldoutCases } from './market/holdout-cases.ts';
import type { Markets } from './markets.ts';
import type { ReadRentListings } from './rental/rent-listings.ts';
import type { OperatorAssumptions } from '../valuation/multifamily/assumptions.ts';
import type { ComputeMissingDetails, ComputeValue } from './valued-kinds.ts';

/** What operations need from the outside, passed first. */
export interface OperationDeps {
  readonly store: Store;
  readonly markets: Markets;
  readonly places: PlaceDeps;
  /** Asked for addresses that no index has, where the operator set one. */
  readonly geocoder: Geocoder | null;
  /** The pure middle of a valuation, in this thread or another. */
  readonly computeValue: ComputeValue;
  /** What a model kept of its holdout months, from this thread or another. */
  readonly holdoutCases: ReadHoldoutCases;
  /** A market's listings as census rents are compared with them, cached. */
  readonly rentListings: ReadRentListings;
  /** What each unknown attribute of a home costs in range: many values at once, so in another thread as they are. */
  readonly computeMissingDetails: ComputeMissingDetails;
  /** What the operator says of rents, expenses and cap rates of a market. */
  readonly assumptionsOf: (marketId: string) => OperatorAssumptions;
  readonly valuationLog: ValuationLog;
  readonly metrics: Metrics;
  readonly clock: Clock;
  /** A new UUIDv7: ids sort by the time they were made. */
  readonly newId: () => string;
}

/** On whose behalf an operation runs; the key is null on the command line. */
export interface Caller {
  readonly accountId: string;
  readonly keyId: string | null;
  /** Takes over what the request is charged, to commit it with a record; absent where that is written elsewhere. */
  readonly takeCharge?: (credits: number) => Charge | null;
}

/** A response with what it costs. */
export interface Priced<Response> {
  readonly response: Response;
  readonly credits: number;
}
