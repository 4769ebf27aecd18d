import type { Clock } from '../clock.ts';
import type { Geocoder } from '../locate/located.ts';
import type { Metrics } from '../metrics.ts';
import type { Tracing } from '../tracing.ts';
import type { ReadHoldoutCases, ReadRentListings } from './market-data/holdout-and-rents.ts';
import type { ComputeMarketAreas, ComputeMarketIndex } from './market/market-requests.ts';
import type { ListSalesToReview } from './market/review-sales.ts';
import type { Markets } from './market-data/markets.ts';
import type { WriteReport } from './report/report-request.ts';
import type { ComputeMissingDetails, ComputePricePath, ComputeValue } from './valuation-types.ts';
import type { PlaceDeps } from '../places/deps.ts';
import type { Store } from '../store/store.ts';
import type { ValuationLog } from '../store/valuation-log.ts';
import type { OperatorAssumptions } from '../valuation/multifamily/assumptions.ts';
import type { Charge } from '../store/tables/accounts.ts';

/** What operations need from outside. It is their first argument. */
export interface OperationDeps {
  readonly store: Store;
  readonly markets: Markets;
  readonly places: PlaceDeps;
  /** Looks up addresses that are not in the address index. Set only if the operator configured a geocoder. */
  readonly geocoder: Geocoder | null;
  /** Computes a value from its inputs, in this thread or another. The same inputs always give the same value. */
  readonly computeValue: ComputeValue;
  /** The same in a thread that other values need not wait for: of many dates, by models that are not loaded yet. */
  readonly computeValueAside: ComputeValue;
  /** The holdout sales of a model, from this thread or another. */
  readonly holdoutCases: ReadHoldoutCases;
  /** A market's listings in the form in which they are compared with census rents. Cached. */
  readonly rentListings: ReadRentListings;
  /** A market's flagged sales, from this thread or another. */
  readonly listSalesToReview: ListSalesToReview;
  /**
   * How much each missing detail of a home would narrow its range. A server runs it in another thread, because
   * it computes many values.
   */
  readonly computeMissingDetails: ComputeMissingDetails;
  /** Prices at a home's place on some days, and the home's own sales, from this thread or another. */
  readonly computePricePath: ComputePricePath;
  /** A market's price and rent indexes, and those of its areas. A server runs it in another thread. */
  readonly computeMarketIndex: ComputeMarketIndex;
  readonly computeMarketAreas: ComputeMarketAreas;
  /** Writes a report. A server runs it in a thread that no value waits for. */
  readonly writeReport: WriteReport;
  /** Loads what reports need, if that is in another thread, so that the first report need not wait. Returns at once. */
  readonly prepareReports: () => void;
  /** The operator's assumptions about rents, expenses and cap rates of a market. */
  readonly assumptionsOf: (marketId: string) => OperatorAssumptions;
  readonly valuationLog: ValuationLog;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly clock: Clock;
  /** A new UUIDv7. These ids sort by creation time. */
  readonly newId: () => string;
}

/** The account and key that an operation runs for. The key is null on the command line. */
export interface Caller {
  readonly accountId: string;
  readonly keyId: string | null;
  /**
   * Hands over the request's charge, so that the record and the charge are committed together. Absent if the
   * charge is written elsewhere.
   */
  readonly takeCharge?: (credits: number) => Charge | null;
}

/** A response with its cost in credits. */
export interface Priced<Response> {
  readonly response: Response;
  readonly credits: number;
}

/** What a successful request costs, in credits. Errors and dry runs cost nothing. */
export const CREDITS = {
  propertyValuation: 30,
  rentalValuation: 30,
  /** For each unit after the first. */
  furtherUnit: 1,
  multifamilyValuation: 50,
  /** Of a sweep, for each parcel that has a value. */
  sweptParcel: 1,
  /** Of a value history, besides the property valuation. */
  historyMonth: 1,
  comparable: 1,
  /** Per key, area and year. */
  censusValue: 1,
  crime: 10,
  /** Per 100 records, rounded up. */
  crimeRecords: 1,
  hazard: 10,
  /** Of a market or area, or the list of its areas. */
  marketIndex: 10,
} as const;
