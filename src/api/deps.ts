import type { CensusHere } from '../operations/places/census-here.ts';
import type { RandomBytes } from '../accounts/api-key.ts';
import type { KeyStore } from '../accounts/authenticate.ts';
import type { RunCharged } from '../accounts/credits.ts';
import type { PeopleDeps } from '../accounts/people.ts';
import type { Plan, Plans } from '../accounts/plans.ts';
import type { RateLimit } from '../accounts/rate-limit.ts';
import type { AccountUsage } from '../accounts/usage.ts';
import type { Clock, MonotonicClock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { BillingPeriod } from '../domain/billing-period.ts';
import type { ValuationKind } from '../domain/valuation-kind.ts';
import type { Batches } from '../jobs/batches.ts';
import type { KeptBacktest } from '../jobs/market-studies.ts';
import type { MarketWork } from '../jobs/market-work.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type {
  CensusAtPlaceRequest,
  CensusData,
  CensusOfAreasRequest,
} from '../operations/places/census-data.ts';
import type { CensusSelection } from '../operations/places/census-figures.ts';
import type { UnknownNames } from '../operations/places/census-variables.ts';
import type { MarketCoverage } from '../operations/coverage.ts';
import type { DescribedHome } from '../operations/property/describe-home.ts';
import type { CrimeData, CrimeDataRequest } from '../operations/places/crime-data.ts';
import type { Comprehensive, ComprehensiveRequest } from '../operations/comprehensive.ts';
import type { Caller } from '../operations/deps.ts';
import type { FireRiskAnswer } from '../operations/places/fire-risk.ts';
import type { FloodZoneAnswer } from '../operations/places/flood-zone.ts';
import type { HazardRequest } from '../operations/places/hazard-request.ts';
import type { ModelStudy } from '../operations/market/study-model.ts';
import type { LoadedAddress } from '../operations/complete-address.ts';
import type { MapTiles } from '../operations/map/map-tiles.ts';
import type { MarketEntry } from '../operations/markets.ts';
import type {
  MultifamilyValuation,
  MultifamilyValuationRequest,
} from '../operations/multifamily/multifamily-valuation.ts';
import type {
  PropertyValuation,
  PropertyValuationRequest,
  SearchParams,
} from '../operations/property/property-valuation.ts';
import type { MissingDetails } from '../valuation/missing-details.ts';
import type { RentalValuation, RentalValuationRequest } from '../operations/rental/rental-valuation.ts';
import type { PastValuation, Replay } from '../operations/valuation/replay-valuation.ts';
import type { ServedVariable } from '../places/census-values.ts';
import type { DatasetVersion } from '../store/dataset-versions.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { OverloadReason } from './overload.ts';

/** Everything the HTTP side needs, given by the composition root. Plain values and functions: tests give their own. */
export interface ApiDeps {
  readonly config: Pick<Config, 'maxConnections' | 'metricsToken' | 'trustedProxies' | 'mapTilesUrl'>;
  readonly clock: Clock;
  readonly monotonicClock: MonotonicClock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly randomBytes: RandomBytes;
  readonly keys: KeyStore;
  readonly plans: Plans;
  readonly rateLimit: RateLimit;
  readonly runCharged: RunCharged;
  readonly usageOf: (accountId: string, plan: Plan, period: BillingPeriod) => Promise<AccountUsage>;
  readonly operations: Operations;
  readonly batches: Batches;
  readonly webhooks: Webhooks;
  /** Who signs in to the console, and what they may. */
  readonly people: PeopleDeps;
  /** Why the request that just came should be refused; null where there is room for it. */
  readonly overload: () => OverloadReason | null;
  readonly readiness: () => Promise<Readiness>;
}

/** The operations that routes call, each already holding its own deps. */
export interface Operations {
  readonly valueProperty: (
    request: PropertyValuationRequest,
    caller: Caller,
  ) => Promise<PropertyValuation & { readonly credits: number }>;
  /** The most that a valuation can cost: what a dry run answers. */
  readonly propertyCreditsMax: (search: SearchParams) => number;
  readonly propertyMissingDetails: (valuationId: string, caller: Caller) => Promise<MissingDetails>;
  readonly describeHome: (
    request: Pick<PropertyValuationRequest, 'location' | 'asOf'>,
  ) => Promise<DescribedHome>;
  readonly valueRental: (
    request: RentalValuationRequest,
    caller: Caller,
  ) => Promise<RentalValuation & { readonly credits: number }>;
  readonly rentalCreditsMax: (request: RentalValuationRequest) => number;
  readonly valueMultifamily: (
    request: MultifamilyValuationRequest,
    caller: Caller,
  ) => Promise<MultifamilyValuation & { readonly credits: number }>;
  readonly multifamilyCreditsMax: (search: SearchParams) => number;
  readonly readValuation: (valuationId: string, caller: Caller) => Promise<PastValuation>;
  readonly replayValuation: (valuationId: string, caller: Caller) => Promise<Replay>;
  readonly censusAtPlace: (request: CensusAtPlaceRequest) => Promise<CensusData>;
  readonly censusOfAreas: (request: CensusOfAreasRequest) => Promise<CensusData>;
  /** Of so many areas. */
  readonly censusCreditsMax: (areas: number, selection: CensusSelection) => Promise<number>;
  readonly listCensusVariables: () => Promise<readonly ServedVariable[]>;
  readonly unknownCensusNames: (selection: CensusSelection) => Promise<UnknownNames>;
  readonly crimeData: (request: CrimeDataRequest) => Promise<CrimeData & { readonly credits: number }>;
  readonly crimeDataCreditsMax: (request: CrimeDataRequest) => number;
  readonly fireRisk: (request: HazardRequest) => Promise<FireRiskAnswer>;
  readonly floodZone: (request: HazardRequest) => Promise<FloodZoneAnswer>;
  readonly hazardCreditsMax: () => number;
  readonly comprehensive: (request: ComprehensiveRequest, caller: Caller) => Promise<Comprehensive>;
  readonly comprehensiveCreditsMax: (request: ComprehensiveRequest) => Promise<number>;
  /** Loaded addresses that begin as a text does; so many at most. */
  readonly completeAddress: (text: string, most: number) => Promise<readonly LoadedAddress[]>;
  readonly censusHere: (lat: number, lon: number) => Promise<CensusHere>;
  /** The map of what is loaded, for the console. */
  readonly mapTiles: MapTiles;
  readonly listMarkets: () => Promise<readonly MarketEntry[]>;
  readonly listCoverage: () => Promise<readonly MarketCoverage[]>;
  /** Ids of all markets that anything was ever loaded into. */
  readonly listMarketIds: () => Promise<readonly string[]>;
  readonly listMarketWork: () => Promise<readonly MarketWork[]>;
  readonly listVersions: (marketId: string) => Promise<readonly DatasetVersion[]>;
  readonly studyModel: (modelId: string) => Promise<ModelStudy>;
  readonly findKeptBacktest: (marketId: string, kind: ValuationKind) => Promise<KeptBacktest | null>;
}

/** Whether requests can be served, and what each part says of itself. */
export interface Readiness {
  readonly isReady: boolean;
  readonly checks: Readonly<Record<string, string>>;
}
