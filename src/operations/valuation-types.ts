import type { Day } from '../domain/day.ts';
import type { GivenFeatures } from '../domain/own-features.ts';
import type { Attributes, PropertyType } from '../domain/property.ts';
import type { ValuationKind } from '../domain/valuation-kind.ts';
import type { Warning } from '../domain/warning.ts';
import type { LocationRequest } from '../locate/located.ts';
import type { ResponseOf } from '../schemas/member-names.ts';
import type { MultifamilyValuationBody } from '../schemas/multifamily-response.ts';
import type { PropertyValuationBody } from '../schemas/property-response.ts';
import type { RentalValuationBody } from '../schemas/rental-response.ts';
import type { ValueHistoryBody } from '../schemas/value-history.ts';
import type { AttributeSources } from '../valuation/imputation/impute-subject.ts';
import type { PriceLevel } from '../valuation/price-index/carried-value.ts';
import type { MonthNumber } from '../valuation/price-index/market-path.ts';
import type { MissingDetails } from '../valuation/missing-details.ts';
import type { OperatorAssumptions } from '../valuation/multifamily/assumptions.ts';
import type { CensusRentData } from '../valuation/rental/census-rent.ts';
import type { RentalUnit } from '../valuation/rental/value-units.ts';
import type { Override } from '../valuation/challenge/value-changed-home.ts';
import type { Renovation } from '../valuation/challenge/renovations.ts';
import type { Home } from '../valuation/subject.ts';
import type { MarketInputs } from './market-data/market-catalog.ts';

/**
 * The types of every kind of valuation. To add a kind, add it here, and its functions and price to value.ts.
 * Threads, the valuation log, batches and replays then support it.
 */
interface ValuationTypes {
  readonly property: {
    readonly request: PropertyValuationRequest;
    readonly inputs: PropertyInputs;
    readonly computed: Computed<PropertyValuation>;
  };
  readonly rental: {
    readonly request: RentalValuationRequest;
    readonly inputs: RentalInputs;
    readonly computed: Computed<RentalValuation>;
  };
  readonly multifamily: {
    readonly request: MultifamilyValuationRequest;
    readonly inputs: MultifamilyInputs;
    readonly computed: Computed<MultifamilyValuation>;
  };
}

/** A validated request. It holds plain values only, so a queue can store it as text. */
export type RequestOf<Kind extends ValuationKind> = ValuationTypes[Kind]['request'];

/**
 * Everything that a valuation is computed from. It is stored with the valuation, and a replay reads nothing
 * else.
 */
export type InputsOf<Kind extends ValuationKind> = ValuationTypes[Kind]['inputs'];

/** A response without the location of the subject. */
export type ComputedOf<Kind extends ValuationKind> = ValuationTypes[Kind]['computed'];

/** A whole response, as it is stored and returned. */
export type ValuationOf<Kind extends ValuationKind> = Pick<PropertyValuation, 'addressInfo'> &
  ComputedOf<Kind>;

/** Computes a value from its inputs, in this thread or another. */
export type ComputeValue = <Kind extends ValuationKind>(
  kind: Kind,
  inputs: InputsOf<Kind>,
  valuationId: string,
) => Promise<ComputedOf<Kind>>;

/** Computes how much each missing detail would narrow the range of a property value, in this thread or another. */
export type ComputeMissingDetails = (inputs: PropertyInputs) => Promise<MissingDetails>;

export interface PricePathRequest {
  readonly inputs: PropertyInputs;
  readonly days: readonly Day[];
}

/** The prices of a home's place and type on some days, and the home's own sales, as known on the as-of date. */
export interface PricePath {
  readonly levels: readonly (PriceLevel & { readonly day: Day })[];
  /** First day with sales of the market. */
  readonly firstDay: Day;
  /** Last month with a figure, own or published. */
  readonly lastFigure: MonthNumber;
  /** Ln change of the price index at the home from the model's training to the as-of date, as known on it. */
  readonly sinceTraining: number;
  readonly sales: ResponseOf<typeof ValueHistoryBody>['sales'];
}

/** Computes a price path, in this thread or another. */
export type ComputePricePath = (request: PricePathRequest) => Promise<PricePath>;

export interface SearchParams {
  readonly radiusMi: number;
  /** null = no limit. */
  readonly lookbackMonths: number | null;
  readonly numComps: number;
}

/** The parts of a request that the inputs of every kind contain. */
interface RequestInputs {
  readonly search: SearchParams;
  /** The as-of date; today if none was given. */
  readonly asOf: Day;
  /** Warnings about the request itself, such as unknown members. The response repeats them. */
  readonly warnings: readonly Warning[];
}

/** A validated request of any kind. Defaults that need no data are filled in. */
export interface ValuationRequest extends RequestInputs {
  readonly location: LocationRequest;
  /** Features that only some markets have; absent if none was given. */
  readonly features?: GivenFeatures;
}

export interface PropertyValuationRequest extends ValuationRequest {
  readonly propertyType: PropertyType | null;
  /** null = not given. Condition 0 means unknown and is null too. */
  readonly attributes: Attributes;
  /** Bedrooms and bathrooms that are not given must be in the public record: a row of a file. */
  readonly needsRecordedRooms?: true;
  /** Absent if none is requested. */
  readonly changes?: RequestedChanges;
}

interface ExcludedSale {
  readonly compId: string;
  readonly reason: string;
}

interface OverriddenLine extends Pick<Override, 'field' | 'amountUsd'> {
  readonly compId: string;
  readonly reason: string;
}

interface DescribedRenovation extends Renovation {
  readonly description: string;
}

/** A sale that the caller describes. */
export interface RequestedSale {
  readonly priceUsd: number;
  readonly soldOn: Day;
  readonly location: LocationRequest;
  readonly propertyType: PropertyType | null;
  readonly attributes: Attributes;
  readonly features?: GivenFeatures;
}

/** Changes of a valuation besides the facts of the home, as requested. */
export interface RequestedChanges {
  readonly pinned: readonly string[];
  readonly excluded: readonly ExcludedSale[];
  /** Sales of this service by id, and others. */
  readonly added: readonly (RequestedSale | { readonly compId: string })[];
  readonly isFilled: boolean;
  readonly adjustments: readonly OverriddenLine[];
  readonly renovations: readonly DescribedRenovation[];
}

/** An added sale as the request and the public record describe it. */
export interface DescribedSale {
  readonly priceUsd: number;
  readonly soldOn: Day;
  readonly address: string | null;
  /** Whether the market's data have this sale, too. */
  readonly isVerified: boolean;
  /** Their record of it, which is then no comparable of its own. Absent without one, and before 2026-11-28. */
  readonly replaces?: string;
  /** Their record of a sale of the same home at about the same time for another price. Absent before 2026-11-29. */
  readonly contradicts?: string;
  /** Whether its adjusted price is compared with the value. Absent before 2026-11-29. */
  readonly isPriceChecked?: true;
  readonly subject: Pick<DescribedSubject, 'home' | 'sources'>;
}

/** The same, checked against the market's sales. */
export interface PropertyChanges extends Omit<RequestedChanges, 'added'> {
  readonly added: readonly DescribedSale[];
  /** The home before its facts were corrected; absent if none was. */
  readonly original?: DescribedSubject;
  /** What a challenge says besides its changes. */
  readonly appeal?: Appeal;
  /** Whether a set selected by price has its rank stated, and costs of renovations are compared with the value. Absent before 2026-11-30. */
  readonly isFullyChecked?: true;
}

/** Members that are absent were not given. */
export interface Appeal {
  readonly factsReason?: string;
  /** The assessed value that is appealed. */
  readonly assessment?: { readonly valueUsd: number; readonly year: number | null };
}

/** A building. Its bedrooms and bathrooms are totals of all units. */
export interface MultifamilyValuationRequest extends PropertyValuationRequest {
  readonly propertyType: 'small_multifamily' | 'multifamily' | null;
  readonly totalUnits: number;
}

/** Units of a building; null = not given. */
export interface RentalValuationRequest extends ValuationRequest {
  /** At least one. A size of 0 means unknown. */
  readonly units: readonly RentalUnit[];
  readonly propertyType: PropertyType | null;
  readonly totalUnits: number | null;
  /** Condition 0 means unknown and is null too. */
  readonly condition: number | null;
  readonly hasCentralAir: boolean | null;
  readonly hasLaundry: boolean | null;
  readonly hasParking: boolean | null;
}

/** The subject as the request and the record describe it. Details that neither has are imputed later. */
export interface DescribedSubject {
  readonly home: Home;
  readonly typeSource: 'request' | 'record' | 'default';
  readonly sources: AttributeSources;
  /** Own features that the request gives. Others of `home` come from the record. */
  readonly givenFeatures?: readonly string[];
  readonly warnings: readonly Warning[];
}

/** A building whose rents are estimated. Details of the building are in `home`, those of each unit in `units`. */
export interface DescribedBuilding extends DescribedSubject {
  /** Source of `has_parking`; null if it is unknown. */
  readonly parkingSource: 'request' | 'record' | null;
  readonly units: readonly RentalUnit[];
}

export interface PropertyInputs extends RequestInputs, MarketInputs {
  readonly salesDatasetId: number | null;
  readonly subject: DescribedSubject;
  /** What the public record says, with which facts are corrected later. Absent in valuations before 2026-11-23. */
  readonly record?: RecordOfSubject;
  readonly changes?: PropertyChanges;
  /** Whether grids name earlier sales of the homes. Absent in valuations before 2026-11-28, whose bytes stay. */
  readonly namesEarlierSales?: true;
}

/** The record of a subject without its features, which are the home's, and the type if neither it nor the request has one. */
export interface RecordOfSubject {
  readonly type: PropertyType | null;
  readonly attributes: Partial<Attributes>;
  readonly otherSource?: Pick<RecordOfSubject, 'type' | 'attributes'>;
  readonly defaultType: PropertyType;
}

/** Inputs of rents by listings. */
interface ListedRentalInputs extends RequestInputs, MarketInputs {
  readonly rentsDatasetId: number | null;
  readonly building: DescribedBuilding;
}

/** Inputs of rents at a place without listings. The figures are stored, because imports replace them. */
export interface CensusRentalInputs extends RequestInputs {
  readonly census: CensusRentData;
  readonly building: DescribedBuilding;
}

export type RentalInputs = ListedRentalInputs | CensusRentalInputs;

/**
 * The models behind the two rent approaches and the operator's assumptions, or the reason why they are missing.
 */
export type RentInputs =
  | { readonly reason: string }
  | {
      readonly rental: MarketInputs;
      readonly buildingsModelId: string;
      readonly assumptions: OperatorAssumptions;
    };

export interface MultifamilyInputs extends PropertyInputs {
  readonly rent: RentInputs;
}

/** Responses, with the members of their schemas in camelCase, rounded as they are sent. */
type PropertyValuation = ResponseOf<typeof PropertyValuationBody>;
type RentalValuation = ResponseOf<typeof RentalValuationBody>;
type MultifamilyValuation = ResponseOf<typeof MultifamilyValuationBody>;

type Computed<Valuation extends { readonly valuation: unknown; readonly comparables: unknown }> = Pick<
  Valuation,
  'valuation' | 'comparables' | Extract<keyof Valuation, 'changes'>
>;

export type PropertyValue = PropertyValuation['valuation'];
export type RentalValue = RentalValuation['valuation'];
export type MultifamilyValue = MultifamilyValuation['valuation'];

export type ValuationInput = PropertyValue['inputs'][number];
export type RentalInput = RentalValue['inputs'][number];
export type SaleComparable = PropertyValuation['comparables']['items'][number];
export type RentComparable = RentalValuation['comparables']['items'][number];
